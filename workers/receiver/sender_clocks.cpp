#include "workers/receiver/sender_clocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "workers/measure/saturate.h"

namespace n2nq::receiver {
namespace {

// Two crystals and what the kernel may slew; more is an offset that was estimated better, not a drift.
constexpr double kMaxDrift = 1.2e-3;
constexpr int64_t kLeastSpanNs = 100'000'000;

int64_t bound_of(const wire::Clock& clock) {
  return static_cast<int64_t>(std::min<uint64_t>(clock.bound_ns, std::numeric_limits<int64_t>::max()));
}

}  // namespace

void SenderClocks::take(const wire::Clock& clock) {
  for (Range& range : ranges_) {
    if (range.latest.first != clock.first || range.latest.last != clock.last) continue;
    const int64_t span_ns = measure::minus(clock.from_ns, range.latest.from_ns);
    if (span_ns >= kLeastSpanNs)
      range.drift = std::clamp(
          static_cast<double>(measure::minus(clock.offset_ns, range.latest.offset_ns)) / static_cast<double>(span_ns),
          -kMaxDrift, kMaxDrift);
    range.latest = clock;
    return;
  }
  ranges_.insert(ranges_.begin(), {.latest = clock});
}

SenderClocks::Offset SenderClocks::find(uint32_t sender, int64_t sent_ns) const {
  for (const Range& range : ranges_) {
    const wire::Clock& clock = range.latest;
    if (sender < clock.first || sender > clock.last) continue;
    // The drift is at most kMaxDrift, so this stays far inside the range.
    const auto moved = static_cast<int64_t>(static_cast<double>(measure::minus(sent_ns, clock.from_ns)) * range.drift);
    return {.offset_ns = measure::plus(clock.offset_ns, moved),
            .bound_ns = measure::plus(bound_of(clock), std::abs(moved))};
  }
  return {};
}

int64_t SenderClocks::widest_bound_ns() const {
  int64_t widest = 0;
  for (const Range& range : ranges_) widest = std::max(widest, bound_of(range.latest));
  return widest;
}

}  // namespace n2nq::receiver
