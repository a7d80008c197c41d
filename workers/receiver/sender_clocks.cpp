#include "workers/receiver/sender_clocks.h"

#include <algorithm>
#include <limits>

namespace n2nq::receiver {
namespace {

int64_t bound_of(const wire::Clock& clock) {
  return static_cast<int64_t>(std::min<uint64_t>(clock.bound_ns, std::numeric_limits<int64_t>::max()));
}

}  // namespace

void SenderClocks::take(const wire::Clock& clock) {
  widest_bound_ns_ = std::max(widest_bound_ns_, bound_of(clock));
  for (Range& range : ranges_) {
    if (range.first != clock.first || range.last != clock.last) continue;
    range.newest = (range.newest + 1) % kKept;
    range.kept[range.newest] = clock;
    return;
  }
  Range range{.first = clock.first, .last = clock.last};
  range.kept.fill(clock);
  ranges_.insert(ranges_.begin(), range);
}

SenderClocks::Offset SenderClocks::find(uint32_t sender, int64_t sent_ns) const {
  for (const Range& range : ranges_) {
    if (sender < range.first || sender > range.last) continue;
    size_t at = range.newest;
    for (size_t back = 1; back < kKept && sent_ns < range.kept[at].from_ns; back++) at = (at + kKept - 1) % kKept;
    return {.offset_ns = range.kept[at].offset_ns, .bound_ns = bound_of(range.kept[at])};
  }
  return {};
}

void SenderClocks::begin() {
  widest_bound_ns_ = 0;
  for (const Range& range : ranges_) widest_bound_ns_ = std::max(widest_bound_ns_, bound_of(range.kept[range.newest]));
}

}  // namespace n2nq::receiver
