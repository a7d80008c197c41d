#include "workers/recorder/host_reader.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace n2nq::recorder {
namespace {

using control::at;
using control::kHostColumns;
using control::kNoFigure;

}  // namespace

HostReader::HostReader()
    : tick_ns_(1'000'000'000 / ::sysconf(_SC_CLK_TCK)),
      stat_("/proc/stat", true),
      memory_("/proc/meminfo", true),
      disks_("/proc/diskstats", false),
      interfaces_("/proc/net/dev", false),
      snmp_("/proc/net/snmp", true),
      last_(control::no_values(control::RecordedOf::host)) {}

// Partitions have no entry of their own there; what lies upon other disks (dm, md, loop, zram) has no device.
bool HostReader::is_disk(std::string_view name) {
  if (const auto known = names_.find(name); known != names_.end()) return known->second;
  const std::string device = "/sys/block/" + std::string(name) + "/device";
  return names_.emplace(name, ::access(device.c_str(), F_OK) == 0).first->second;
}

HostValues HostReader::read(ReadBuffer& buffer) {
  HostValues values = control::no_values(control::RecordedOf::host);
  read_cpu(stat_.read(buffer), tick_ns_, values);
  read_memory(memory_.read(buffer), values);
  read_disks(disks_.read(buffer), [this](std::string_view name) { return is_disk(name); }, values);
  read_interfaces(interfaces_.read(buffer), values);
  read_snmp(snmp_.read(buffer), values);
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
    add({"cpu_user", "cpu_system", "cpu_iowait", "cpu_steal", "cpu_idle"},
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
  if (lacks(at(kHostColumns, "tcp_retransmits")))
    add({"tcp_retransmits"}, reason(snmp_, "/proc/net/snmp", "/proc/net/snmp has no line for TCP"));
}

std::string why_unreadable(const std::string& file, int error) {
  const bool denied = error == EACCES || error == EPERM;
  return file + " cannot be read: " + std::strerror(error) +
         (denied ? "; start the processes as the user of the recorder" : "");
}

}  // namespace n2nq::recorder
