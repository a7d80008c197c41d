// What one receiver has counted, and how the counts of a fleet add up. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace n2nq::receiver {

struct ReceiverCounters {
  std::optional<uint64_t> expected{};  // END said so
  uint64_t received = 0;               // distinct
  uint64_t bytes = 0;                  // payload, of the distinct ones
  uint64_t duplicates = 0;
  uint64_t reordered = 0;
  uint64_t corrupt = 0;
  uint64_t redelivered = 0;
  uint64_t deliveries = 0;  // DATA frames, whatever became of them
  uint64_t requests = 0;    // REQUEST frames
  uint64_t responses = 0;   // deliveries answered
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t log_stalls = 0;
  std::optional<int64_t> last_received_ns{};
  uint64_t replies = 0;        // that went, in request-reply
  uint64_t served = 0;         // with a service time: whose service has ended
  int64_t latency_sum_ns = 0;  // over all received
  uint64_t scheduled = 0;
  int64_t scheduled_sum_ns = 0;
  int64_t state = 0;
  bool stopped = false;
  bool told_end = false;
  bool uncounted = false;  // END did not say how many messages it was to have, and it had not left before
};

// What SKIP frames said of one sender.
struct SenderLosses {
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
};

ReceiverCounters total_of(const std::vector<ReceiverCounters>& counters);
// Expected less received; nothing as long as END has not come to every receiver.
std::optional<uint64_t> lost(const ReceiverCounters& total);

}  // namespace n2nq::receiver
