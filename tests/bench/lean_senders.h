// All senders of a measurement on one epoll loop and one thread.
// Paced: evenly staggered on one absolute schedule (a timerfd whose period is delay / senders), each message stamped
// right before its write. Saturated: writes of up to 16 KiB of whole frames as long as the window has room.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/bench/lean_session.h"

namespace n2nq::bench {

struct SenderTally {
  uint64_t sent = 0;
  uint64_t accepted = 0;
  uint64_t write_calls = 0;
  uint64_t blocked_writes = 0;       // the kernel took less than was offered
  std::vector<int64_t> lateness_ns;  // paced: stamp minus schedule, after the warm-up
};

// From BEGIN until every sender's messages are accepted, or the plan's deadline.
Result<SenderTally> run_senders(const Plan& plan, std::vector<Link> links, Shared& shared);

}  // namespace n2nq::bench
