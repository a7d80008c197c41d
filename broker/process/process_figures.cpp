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
ProcessTotals process_totals() {
  constexpr uint64_t kBlockBytes = 512;
  const auto ns = [](const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1000;
  };
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return {};
  return {.cpu_user_ns = ns(usage.ru_utime),
          .cpu_system_ns = ns(usage.ru_stime),
          .context_switches = static_cast<uint64_t>(usage.ru_nvcsw) + static_cast<uint64_t>(usage.ru_nivcsw),
          .disk_read_bytes = static_cast<uint64_t>(usage.ru_inblock) * kBlockBytes,
          .disk_written_bytes = static_cast<uint64_t>(usage.ru_oublock) * kBlockBytes};
}

}  // namespace n2nq::process
