// What the files below /proc say, as values: text in, numbers out. Whatever the text is, nothing is read beyond it;
// what is not in it is nothing. Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "workers/control/host_figures.h"

namespace n2nq::recorder {

using control::HostValues;

// Each fills the columns of control::kHostColumns that its file has; a tick of the kernel's clock is `tick_ns`. Of how
// many processors it is; 0: it does not say.
int64_t read_cpu(std::string_view proc_stat, int64_t tick_ns, HostValues& into, bool with_nice = true);
void read_memory(std::string_view proc_meminfo, HostValues& into);
// `is_disk`: whether a name is a whole disk, not a part of one and nothing that lies upon others. False: there is none.
bool read_disks(std::string_view proc_diskstats, const std::function<bool(std::string_view)>& is_disk,
                HostValues& into);
void read_interfaces(std::string_view proc_net_dev, HostValues& into);
void read_snmp(std::string_view proc_net_snmp, HostValues& into);

// /proc/PID/stat.
struct ProcessStat {
  int64_t parent = 0;
  int64_t user_ticks = 0;  // those of children that were waited for included
  int64_t system_ticks = 0;
  int64_t children_ticks = 0;  // of these, both
  int64_t threads = 0;
  int64_t start_ticks = 0;  // since the computer was started
  int64_t rss_pages = 0;
};
std::optional<ProcessStat> read_process_stat(std::string_view text);

// Bytes that a process had disks read, and that it made dirty in files on disks, of /proc/PID/io.
struct ProcessIo {
  int64_t read_bytes = 0;
  int64_t written_bytes = 0;
};
std::optional<ProcessIo> read_process_io(std::string_view text);

// Voluntary and other ones, of /proc/PID/task/TID/status.
std::optional<int64_t> read_context_switches(std::string_view text);

// Sockets whose abstract name begins so, but for one of them, of /proc/net/unix.
int64_t count_names(std::string_view proc_net_unix, std::string_view begin, std::string_view but);

// Established connections with the port at either end, of /proc/net/tcp or tcp6: first the ones of the port's own side.
struct PortConnections {
  int64_t at_port = 0;
  int64_t to_port = 0;
};
PortConnections count_connections(std::string_view proc_net_tcp, uint16_t port);

}  // namespace n2nq::recorder
