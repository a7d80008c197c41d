// What this process has cost so far, from the kernel.
#pragma once

#include <cstdint>

namespace n2nq::process {

int64_t process_cpu_ns();
uint64_t peak_rss_bytes();
uint64_t rss_bytes();
uint64_t disk_written_bytes();  // made dirty in files on disks, as write_bytes of /proc/PID/io

}  // namespace n2nq::process
