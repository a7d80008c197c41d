#include "broker/base/machine_facts.h"

#include <sched.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace n2nq {
namespace {

constexpr size_t kLongestFact = 200;

std::string first_line_of(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  line.resize(std::min(line.size(), kLongestFact));
  return line;
}

// The kernel has tabs between numbers.
std::string spaced(std::string line) {
  std::ranges::replace(line, '\t', ' ');
  return line;
}

struct Processor {
  std::string model{};
  bool hypervisor = false;
};

// For the first core: /proc/cpuinfo has a block for each.
Processor read_processor() {
  Processor processor;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.starts_with("model name")) processor.model = line.substr(colon + 2, kLongestFact);
    if (line.starts_with("flags")) processor.hypervisor = (line + " ").find(" hypervisor ") != std::string::npos;
  }
  return processor;
}

uint32_t usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<uint32_t>(CPU_COUNT(&cores));
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);  // more cores than the set has room for
  return online > 0 ? static_cast<uint32_t>(online) : 0;
}

std::string container_kind() {
  if (std::string kind = first_line_of("/run/systemd/container"); !kind.empty()) return kind;
  if (::access("/.dockerenv", F_OK) == 0) return "docker";
  if (::access("/run/.containerenv", F_OK) == 0) return "podman";
  // Container engines tell their first process, and with it its children.
  const char* told = std::getenv("container");
  return told == nullptr ? "" : std::string(told).substr(0, kLongestFact);
}

}  // namespace

std::string virtualisation_text(const VirtualisationSigns& signs) {
  const std::string machine = "virtual machine" + (signs.vendor.empty() ? std::string() : " (" + signs.vendor + ")");
  if (signs.container.empty()) return signs.hypervisor ? machine : "none";
  return "container (" + signs.container + ")" + (signs.hypervisor ? " in a " + machine : "");
}

MachineFacts read_machine_facts() {
  MachineFacts facts;
  const Processor processor = read_processor();
  facts.processor = processor.model;
  facts.cores = usable_cores();
  if (struct sysinfo info{}; ::sysinfo(&info) == 0)
    facts.memory_bytes = static_cast<uint64_t>(info.totalram) * info.mem_unit;
  if (struct utsname name{}; ::uname(&name) == 0)
    facts.kernel = std::string(name.sysname) + " " + name.release + " " + name.machine;
  facts.governor = first_line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  facts.congestion_control = first_line_of("/proc/sys/net/ipv4/tcp_congestion_control");
  facts.tcp_slow_start_after_idle = first_line_of("/proc/sys/net/ipv4/tcp_slow_start_after_idle");
  facts.tcp_autocorking = first_line_of("/proc/sys/net/ipv4/tcp_autocorking");
  facts.tcp_receive_buffers = spaced(first_line_of("/proc/sys/net/ipv4/tcp_rmem"));
  facts.tcp_send_buffers = spaced(first_line_of("/proc/sys/net/ipv4/tcp_wmem"));
  facts.clocksource = first_line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  facts.virtualisation = virtualisation_text({.hypervisor = processor.hypervisor,
                                              .vendor = first_line_of("/sys/class/dmi/id/sys_vendor"),
                                              .container = container_kind()});
  if (double averages[3]; ::getloadavg(averages, 3) == 3) {
    facts.load_1_min = averages[0];
    facts.load_5_min = averages[1];
    facts.load_15_min = averages[2];
  }
  facts.machine_id = first_line_of("/etc/machine-id");
  facts.boot_id = first_line_of("/proc/sys/kernel/random/boot_id");
  return facts;
}

}  // namespace n2nq
