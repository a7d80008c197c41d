#include "app/results/machine.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <QtGlobal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

namespace n2nq::results {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr char kUnknown[] = "unknown";

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line.empty()) return kUnknown;
  return line;
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("model name")) continue;
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return kUnknown;
}

Ordered load_averages() {
  double averages[3];
  if (::getloadavg(averages, 3) != 3) return nullptr;
  return Ordered::array({averages[0], averages[1], averages[2]});
}

Ordered memory_bytes() {
  struct sysinfo info{};
  if (::sysinfo(&info) != 0) return nullptr;
  return static_cast<uint64_t>(info.totalram) * info.mem_unit;
}

std::string kernel() {
  struct utsname name{};
  if (::uname(&name) != 0) return kUnknown;
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

constexpr char compiler[] =
#if defined(__clang__)
    "clang " __clang_version__;
#else
    "g++ " __VERSION__;
#endif

}  // namespace

std::string machine_json() {
  const Ordered machine{
      {"processor", processor_model()},
      {"cores", std::thread::hardware_concurrency()},
      {"memory_bytes", memory_bytes()},
      {"kernel", kernel()},
      {"governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
      {"load_averages", load_averages()},
      {"congestion_control", first_line("/proc/sys/net/ipv4/tcp_congestion_control")},
      {"clocksource", first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource")},
      {"bench", N2NQ_VERSION},
      {"qt", qVersion()},
      {"compiler", compiler},
  };
  return machine.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

}  // namespace n2nq::results
