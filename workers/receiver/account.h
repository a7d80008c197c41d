// What one receiver has counted, and how the counts of a fleet add up. Values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "broker/wire/frames.h"
#include "workers/control/counts.h"

namespace n2nq::receiver {

// Over another bus, once all senders have said what they sent: of messages that the bus refused or nobody answered for,
// those that were due and did not come, and those that came; and how many came of those that were sent.
struct Tallied {
  uint64_t missing = 0;
  uint64_t refused = 0;
  uint64_t unanswered = 0;
  uint64_t sent = 0;
  bool pooled = false;  // the bus chose the receivers: each was to have what it said it has had
  // `due`: what did not come is missing here.
  void add(const wire::Tally::Stretch& stretch, uint64_t had, bool due) {
    (stretch.fate == wire::Tally::Fate::refused ? refused : unanswered) += had;
    if (due) missing += stretch.size() - had;
  }
  Tallied& operator+=(const Tallied& other) {
    missing += other.missing;
    refused += other.refused;
    unanswered += other.unanswered;
    sent += other.sent;
    pooled |= other.pooled;
    return *this;
  }
};

using Tallies = std::map<uint32_t, wire::Tally>;  // by sender
// What comes twice is there once.
void keep(Tallies& tallies, const wire::Tally& tally);

struct ReceiverCounters : control::Counts {
  std::optional<uint64_t> expected{};  // END said so
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  std::optional<int64_t> last_received_ns{};
  uint64_t served = 0;         // with a service time: whose service has ended
  int64_t latency_sum_ns = 0;  // over all received
  uint64_t scheduled = 0;
  int64_t scheduled_sum_ns = 0;
  int64_t state = 0;
  bool stopped = false;
  bool told_end = false;
  std::optional<Tallied> tallied{};
  bool uncounted = false;  // END did not say how many messages it was to have, and it had not left before
  uint64_t received() const { return static_cast<uint64_t>(count); }
};

// What SKIP frames said of one sender.
struct SenderLosses {
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
};

ReceiverCounters total_of(const std::vector<ReceiverCounters>& counters);
// Of those that came, what no sender sent.
uint64_t unsent(const ReceiverCounters& total);
// What END said, less what did not come of messages that the bus has not accepted.
std::optional<uint64_t> expected(const ReceiverCounters& total);
// That less received; nothing as long as END has not come to every receiver.
std::optional<uint64_t> lost(const ReceiverCounters& total);

}  // namespace n2nq::receiver
