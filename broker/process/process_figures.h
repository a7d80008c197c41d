// What this process has cost so far, from the kernel.
#pragma once

#include <cstdint>

namespace n2nq::process {

int64_t process_cpu_ns();
uint64_t peak_rss_bytes();
uint64_t rss_bytes();
// Of all its threads, also of those that have ended.
struct ProcessTotals {
  uint64_t cpu_user_ns = 0;
  uint64_t cpu_system_ns = 0;
  uint64_t context_switches = 0;    // voluntary and other ones
  uint64_t disk_read_bytes = 0;     // as read_bytes of /proc/PID/io
  uint64_t disk_written_bytes = 0;  // made dirty in files on disks, as write_bytes of /proc/PID/io
};
ProcessTotals process_totals();

}  // namespace n2nq::process
