// All receivers of a measurement on one epoll loop and one thread: read, walk the frames by their length, count, and in
// a paced run keep each delivery's latency (read that completed the frame minus the stamp taken before the write).
#pragma once

#include <cstdint>
#include <vector>

#include "tests/bench/lean_session.h"

namespace n2nq::bench {

struct ReceiverTally {
  uint64_t received = 0;
  uint64_t expected = 0;      // as the ENDs say
  uint64_t out_of_order = 0;  // paced broadcaster: an index that is not the one after the last of that sender
  std::vector<int64_t> latencies_ns;
};

// Until every receiver had its END, or the plan's deadline.
Result<ReceiverTally> run_receivers(const Plan& plan, std::vector<Link> links, Shared& shared);

}  // namespace n2nq::bench
