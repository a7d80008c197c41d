// What this process has cost so far, from the kernel.
#pragma once

#include <cstdint>

namespace n2nq::process {

int64_t process_cpu_ns();
uint64_t peak_rss_bytes();
uint64_t rss_bytes();

}  // namespace n2nq::process
