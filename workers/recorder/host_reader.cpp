#include "workers/recorder/host_reader.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "broker/base/clock.h"

namespace n2nq::recorder {
namespace {

using control::at;
using control::kHostColumns;
using control::kNoFigure;

constexpr std::string_view kRecorderName = "n2nq-recorder-";
constexpr int64_t kBenchesPeriodNs = 1'000'000'000;

// A socket that nobody talks to: its name tells the recorders of other benches that there is one more.
Fd announce(const std::string& name) {
  Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (fd.valid()) (void)::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), length);  // else nobody sees it
  return fd;
}

// Of the bench that started this process; 0: that was somebody else.
clockid_t clock_of_bench(ReadBuffer& buffer) {
  const pid_t parent = ::getppid();
  clockid_t clock = 0;
  if (!KeptFile("/proc/" + std::to_string(parent) + "/comm", true).read(buffer).starts_with("n2nq-bench")) return 0;
  return ::clock_getcpuclockid(parent, &clock) == 0 ? clock : 0;
}

int64_t cpu_of(clockid_t clock) {
  timespec cpu{};
  if (::clock_gettime(clock, &cpu) != 0) return kNoFigure;
  return int64_t{cpu.tv_sec} * 1'000'000'000 + cpu.tv_nsec;
}

}  // namespace

HostReader::HostReader()
    : tick_ns_(1'000'000'000 / ::sysconf(_SC_CLK_TCK)),
      stat_("/proc/stat", true),
      memory_("/proc/meminfo", true),
      disks_("/proc/diskstats", false),
      interfaces_("/proc/net/dev", false),
      snmp_("/proc/net/snmp", true),
      unix_sockets_("/proc/net/unix", false),
      name_(std::string(kRecorderName) + std::to_string(::getpid()) + "-" + std::to_string(now_ns())),
      announced_(announce(name_)),
      last_(control::no_values(control::RecordedOf::host)) {}

// Partitions have no entry of their own there; what lies upon other disks (dm, md, loop, zram) has no device.
bool HostReader::is_disk(std::string_view name) {
  if (const auto known = names_.find(name); known != names_.end()) return known->second;
  const std::string device = "/sys/block/" + std::string(name) + "/device";
  return names_.emplace(name, ::access(device.c_str(), F_OK) == 0).first->second;
}

// Where the bench is on another host it is nobody's processor time here.
int64_t HostReader::cpu_of_bench(ReadBuffer& buffer) {
  if (!bench_) bench_ = clock_of_bench(buffer);
  if (*bench_ != 0) bench_cpu_ns_ = std::max(bench_cpu_ns_, cpu_of(*bench_));  // it may be gone by now
  return cpu_of(CLOCK_PROCESS_CPUTIME_ID) + bench_cpu_ns_;
}

int64_t HostReader::other_benches(ReadBuffer& buffer) {
  const int64_t now = now_ns();
  if (now < benches_due_ns_) return other_benches_;
  benches_due_ns_ = now + kBenchesPeriodNs;
  const std::string_view sockets = unix_sockets_.read(buffer);
  if (sockets.empty()) return other_benches_ = kNoFigure;
  return other_benches_ = count_names(sockets, kRecorderName, name_);
}

HostValues HostReader::read(ReadBuffer& buffer) {
  HostValues values = control::no_values(control::RecordedOf::host);
  const std::string_view stat = stat_.read(buffer);
  const int64_t processors = read_cpu(stat, tick_ns_, values, /*with_nice=*/awake_ == nullptr);
  int64_t& idle = values[at(kHostColumns, "cpu_idle")];
  if (awake_ != nullptr && idle != kNoFigure) idle += awake_->cpu_ns();
  busy_.fit(now_ns(), processors, values);
  read_memory(memory_.read(buffer), values);
  read_disks(disks_.read(buffer), [this](std::string_view name) { return is_disk(name); }, values);
  read_interfaces(interfaces_.read(buffer), values);
  read_snmp(snmp_.read(buffer), values);
  values[at(kHostColumns, "cpu_bench")] = cpu_of_bench(buffer);
  values[at(kHostColumns, "other_benches")] = other_benches(buffer);
  last_ = values;
  return values;
}

void HostReader::add_lacking(std::vector<control::Lacking>& lacking) const {
  const auto lacks = [this](size_t column) { return last_[column] == kNoFigure; };
  const auto add = [&](std::vector<std::string> series, std::string why) {
    lacking.push_back({.of = control::RecordedOf::host, .series = std::move(series), .why = std::move(why)});
  };
  const auto reason = [](const KeptFile& file, const char* name, const char* otherwise) {
    return file.error() != 0 ? why_unreadable(name, file.error()) : std::string(otherwise);
  };
  if (lacks(at(kHostColumns, "cpu_user")))
    add({"cpu_user", "cpu_system", "cpu_iowait", "cpu_steal", "cpu_idle", "cpu_interrupts"},
        reason(stat_, "/proc/stat", "/proc/stat has no processor time"));
  if (lacks(at(kHostColumns, "memory_used")))
    add({"memory_used"}, reason(memory_, "/proc/meminfo", "/proc/meminfo does not tell what is available"));
  if (lacks(at(kHostColumns, "disk_reads")))
    add({"disk_read", "disk_written", "disk_reads", "disk_writes"},
        reason(disks_, "/proc/diskstats", "no disk of this host is visible here, as in many containers"));
  if (lacks(at(kHostColumns, "network_received")))
    add({"network_received", "network_sent", "network_received_packets", "network_sent_packets", "network_drops"},
        reason(interfaces_, "/proc/net/dev", "there is no network interface but loopback"));
  if (lacks(at(kHostColumns, "loopback")))
    add({"loopback"}, reason(interfaces_, "/proc/net/dev", "there is no loopback interface"));
  if (lacks(at(kHostColumns, "other_benches")))
    add({"other_benches"}, reason(unix_sockets_, "/proc/net/unix", "/proc/net/unix is empty"));
  if (lacks(at(kHostColumns, "tcp_retransmits")))
    add({"tcp_retransmits"}, reason(snmp_, "/proc/net/snmp", "/proc/net/snmp has no line for TCP"));
}

std::string why_unreadable(const std::string& file, int error) {
  const bool denied = error == EACCES || error == EPERM;
  return file + " cannot be read: " + std::strerror(error) +
         (denied ? "; start the processes as the user of the recorder" : "");
}

}  // namespace n2nq::recorder
