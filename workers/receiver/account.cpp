#include "workers/receiver/account.h"

#include <algorithm>

namespace n2nq::receiver {

void keep(Tallies& tallies, const wire::Tally& tally) {
  wire::Tally& kept = tallies[tally.sender];
  kept.sent = tally.sent;
  for (const wire::Tally::Stretch& stretch : tally.stretches) {
    const auto key = [](const wire::Tally::Stretch& one) { return std::pair(one.first, one.receiver); };
    const auto at = std::ranges::lower_bound(kept.stretches, key(stretch), {}, key);
    if (at == kept.stretches.end() || key(*at) != key(stretch)) kept.stretches.insert(at, stretch);
  }
}

ReceiverCounters total_of(const std::vector<ReceiverCounters>& counters) {
  ReceiverCounters total;
  total.expected = 0;
  for (const ReceiverCounters& one : counters) {
    if (one.expected && total.expected)
      *total.expected += *one.expected;
    else
      total.expected.reset();
    total += one;
    total.expired += one.expired;
    total.undeliverable += one.undeliverable;
    total.last_received_ns = std::max(total.last_received_ns, one.last_received_ns);  // nothing is less than any
    total.served += one.served;
    total.latency_sum_ns += one.latency_sum_ns;
    total.scheduled += one.scheduled;
    total.scheduled_sum_ns += one.scheduled_sum_ns;
    if (one.tallied) total.tallied = total.tallied.value_or(Tallied{}) += *one.tallied;
  }
  return total;
}

uint64_t unsent(const ReceiverCounters& total) {
  return total.tallied ? total.received() - std::min(total.received(), total.tallied->sent) : 0;
}

std::optional<uint64_t> expected(const ReceiverCounters& total) {
  if (!total.expected || !total.tallied) return total.expected;
  const uint64_t not_due = total.tallied->missing + (total.tallied->pooled ? unsent(total) : 0);
  return *total.expected - std::min(*total.expected, not_due);
}

std::optional<uint64_t> lost(const ReceiverCounters& total) {
  const auto due = expected(total);
  if (!due) return std::nullopt;
  // More than expected: what was taken back for somebody else after it had come all the same.
  const uint64_t had = total.received() - unsent(total);
  return *due > had ? *due - had : 0;
}

}  // namespace n2nq::receiver
