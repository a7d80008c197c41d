#include "broker/process/process_figures.h"

#include <sys/resource.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "broker/base/clock.h"

namespace n2nq::process {
namespace {

// Not getrusage(): its peak survives exec, and so tells of whoever started this process.
uint64_t status_kib(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::strtoull(line.c_str() + field.size(), nullptr, 10);
  return 0;
}

}  // namespace

int64_t process_cpu_ns() {
  return read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}
uint64_t peak_rss_bytes() {
  return status_kib("VmHWM:") * 1024;
}
uint64_t rss_bytes() {
  return status_kib("VmRSS:") * 1024;
}
uint64_t disk_written_bytes() {
  constexpr uint64_t kBlockBytes = 512;
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_oublock) * kBlockBytes : 0;
}

}  // namespace n2nq::process
