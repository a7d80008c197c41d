// What another process (the floor or the broker) has used up so far: CPU time to the nanosecond, how often its threads
// went to sleep, and where the kernel lets us (root, tracefs, uprobes) how often it wrote, waited and allocated.
// Counting costs the watched process time: never count in a measurement whose times are judged.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::bench {

struct Usage {
  int64_t cpu_ns = 0;
  uint64_t sleeps = 0;
  struct Calls {
    uint64_t writes = 0;  // write, writev, sendto, sendmsg, sendmmsg
    uint64_t reads = 0;   // read, readv, recvfrom, recvmsg
    uint64_t waits = 0;   // epoll_wait and its relatives
    uint64_t epoll_ctls = 0;
    std::optional<uint64_t> allocations;  // malloc and its relatives; only for a static executable with symbols
  };
  std::optional<Calls> calls;
};

class ProcessMeter {
 public:
  static Result<ProcessMeter> watch(pid_t pid);
  // From now on usage() has calls; an Error says what is missing.
  Result<void> count_calls();
  Usage usage() const;

 private:
  enum Counter { write, read, wait, epoll_ctl, allocate, kCounters };
  Result<void> count_system_call(Counter counter, const char* call);
  Result<void> count_allocations();
  Result<void> open_counter(Counter counter, perf_event_attr& attributes);
  uint64_t sum(Counter counter) const;

  pid_t pid_ = 0;
  clockid_t clock_ = 0;
  bool counts_calls_ = false;
  bool counts_allocations_ = false;
  std::array<std::vector<Fd>, kCounters> counters_;
};

}  // namespace n2nq::bench
