#include "workers/measure/slot_counts.h"

#include <algorithm>

namespace n2nq::measure {

void SlotCounts::add_to_slot(int64_t slot, uint64_t count) {
  auto at = counts_.end();
  while (at != counts_.begin() && std::prev(at)->slot >= slot) --at;
  if (at == counts_.end() || at->slot != slot) at = counts_.insert(at, {.slot = slot, .count = 0});
  at->count += count;
  newest_from_ns_ = counts_.back().slot * kWidthNs;
  if (counts_.size() <= kMost) return;
  counts_[1].count += counts_[0].count;
  counts_.erase(counts_.begin());
}

}  // namespace n2nq::measure
