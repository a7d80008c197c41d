// How many messages there were in each tenth of a second since BEGIN, by their own times, and when the first and the
// last of them was: what a chart of rates shows then does not depend on when somebody looked, and how long there was
// none is known to the message. A value; one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace n2nq::measure {

struct SlotCount {
  int64_t slot = 0;  // it begins at slot * SlotCounts::kWidthNs
  uint64_t count = 0;
  int64_t first_us = 0, last_us = 0;  // of them, since the slot's begin
  bool operator==(const SlotCount&) const = default;
};

class SlotCounts {
 public:
  static constexpr int64_t kWidthNs = 100'000'000;
  // Of a minute in which nobody could be told of them; then the oldest two become one.
  static constexpr size_t kMost = 600;

  // Times come in order, or nearly so; those before BEGIN count as BEGIN.
  void add(int64_t since_begin_ns, uint64_t count = 1) {
    const int64_t in_newest_ns = since_begin_ns - newest_from_ns_;
    if (in_newest_ns >= 0 && in_newest_ns < kWidthNs && !counts_.empty()) {
      SlotCount& newest = counts_.back();
      newest.count += count;
      newest.first_us = std::min(newest.first_us, in_newest_ns / 1000);
      newest.last_us = std::max(newest.last_us, in_newest_ns / 1000);
      return;
    }
    const int64_t at_ns = std::max<int64_t>(since_begin_ns, 0), in_slot_us = at_ns % kWidthNs / 1000;
    add_to_slot({.slot = at_ns / kWidthNs, .count = count, .first_us = in_slot_us, .last_us = in_slot_us});
  }
  void merge(const SlotCounts& other) {
    for (const SlotCount& one : other.counts_) add_to_slot(one);
  }
  void reset() { counts_.clear(); }
  // By slot, each once.
  std::span<const SlotCount> all() const { return counts_; }

 private:
  void add_to_slot(const SlotCount& more);

  std::vector<SlotCount> counts_;
  int64_t newest_from_ns_ = 0;
};

}  // namespace n2nq::measure
