#include "workers/measure/slot_counts.h"

#include <algorithm>

namespace n2nq::measure {

void SlotCounts::add_to_slot(const SlotCount& more) {
  auto at = counts_.end();
  while (at != counts_.begin() && std::prev(at)->slot >= more.slot) --at;
  if (at == counts_.end() || at->slot != more.slot) {
    counts_.insert(at, more);
  } else {
    at->count += more.count;
    at->first_us = std::min(at->first_us, more.first_us);
    at->last_us = std::max(at->last_us, more.last_us);
  }
  newest_from_ns_ = counts_.back().slot * kWidthNs;
  if (counts_.size() <= kMost) return;
  counts_[1].count += counts_[0].count;
  counts_[1].first_us = 0;
  counts_.erase(counts_.begin());
}

}  // namespace n2nq::measure
