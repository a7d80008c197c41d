// The busy time of a host, by what its idle time leaves of it. The kernel measures idle time, but counts busy time by
// what runs at its ticks: what runs in step with them is at each or at none, and both together may exceed what there
// is. One thread.
#pragma once

#include <cstdint>
#include <optional>

#include "workers/control/host_figures.h"

namespace n2nq::recorder {

class BusyTime {
 public:
  // `values`: as the kernel says them at `now_ns`, by the monotonic clock, of so many processors. From the first
  // reading on, programs, kernel and interrupts share what was not idle in proportion to their ticks.
  void fit(int64_t now_ns, int64_t processors, control::HostValues& values);

 private:
  struct Ticks {
    int64_t user = 0, system = 0, interrupts = 0;
  };
  struct Reading {
    int64_t at_ns = 0;
    int64_t processors = 0;
    Ticks ticks{};
    Ticks told{};
  };

  std::optional<Reading> last_;
  int64_t unused_ns_ = 0;  // idle, waited for disks and stolen, at the first reading
  int64_t there_ns_ = 0;   // of all processors since then
  int64_t busy_ns_ = 0;    // told since then
};

}  // namespace n2nq::recorder
