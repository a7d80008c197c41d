#include "workers/fleet/peer_clocks.h"

#include <algorithm>
#include <limits>

namespace n2nq::fleet {
namespace {

int64_t capped(uint64_t ns) {
  return static_cast<int64_t>(std::min<uint64_t>(ns, std::numeric_limits<int64_t>::max()));
}

int64_t bound_of(const wire::Clock& clock) {
  return capped(clock.bound_ns);
}

// How far the stamp lies from what the announcement is good for.
uint64_t outside_ns(const wire::Clock& clock, int64_t sent_ns, uint64_t good_for_ns) {
  const auto from = static_cast<uint64_t>(clock.from_ns);
  const auto sent = static_cast<uint64_t>(sent_ns);
  if (sent_ns < clock.from_ns) return from - sent;
  return sent - from > good_for_ns ? sent - from - good_for_ns : 0;
}

}  // namespace

// The loop that reads a CLOCK tells the other loops, and hears of it again.
void PeerClocks::Range::add(const wire::Clock& clock) {
  if (!kept.empty() && of_time(clock.from_ns) == clock) return;
  if (!kept.empty() && clock.from_ns < newest().from_ns) {  // a fleet on another computer took the place of that one
    kept.clear();
    oldest = 0;
  }
  if (kept.size() < kKept) return kept.push_back(clock);
  kept[oldest] = clock;
  oldest = (oldest + 1) % kKept;
}

const wire::Clock& PeerClocks::Range::of_time(int64_t sent_ns) const {
  if (newest().from_ns <= sent_ns) return newest();
  size_t at = 0;  // counted from the oldest
  for (size_t beyond = kept.size(); beyond - at > 1;) {
    const size_t middle = at + (beyond - at) / 2;
    (kept[(oldest + middle) % kept.size()].from_ns <= sent_ns ? at : beyond) = middle;
  }
  return kept[(oldest + at) % kept.size()];
}

void PeerClocks::take(const wire::Clock& clock) {
  widest_bound_ns_ = std::max(widest_bound_ns_, bound_of(clock));
  auto range = std::ranges::find_if(
      ranges_, [&](const Range& each) { return each.first == clock.first && each.last == clock.last; });
  if (range == ranges_.end()) range = ranges_.insert(range, Range{.first = clock.first, .last = clock.last});
  range->add(clock);
  std::rotate(ranges_.begin(), range, range + 1);
}

PeerClocks::Offset PeerClocks::find(uint32_t number, int64_t sent_ns) {
  for (const Range& range : ranges_) {
    if (number < range.first || number > range.last) continue;
    const wire::Clock& clock = range.of_time(sent_ns);
    Offset offset{.offset_ns = clock.offset_ns, .bound_ns = bound_of(clock)};
    const uint64_t outside = outside_ns(clock, sent_ns, kGoodForNs);
    if (outside == 0) return offset;
    // Rounded up; no product overflows.
    const uint64_t drift = (outside / 1'000'000 + 1) * kMaxDriftPpm;
    offset.bound_ns = capped(static_cast<uint64_t>(offset.bound_ns) + drift);
    widest_bound_ns_ = std::max(widest_bound_ns_, offset.bound_ns);
    return offset;
  }
  return {};
}

void PeerClocks::begin() {
  widest_bound_ns_ = 0;
  for (const Range& range : ranges_) widest_bound_ns_ = std::max(widest_bound_ns_, bound_of(range.newest()));
}

}  // namespace n2nq::fleet
