// How many messages there were in each tenth of a second since BEGIN, by their own times: what a chart of rates shows
// then does not depend on when somebody looked. A value; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace n2nq::measure {

struct SlotCount {
  int64_t slot = 0;  // it begins at slot * SlotCounts::kWidthNs
  uint64_t count = 0;
  bool operator==(const SlotCount&) const = default;
};

class SlotCounts {
 public:
  static constexpr int64_t kWidthNs = 100'000'000;
  // Of a minute in which nobody could be told of them; then the oldest two become one.
  static constexpr size_t kMost = 600;

  // Times come in order, or nearly so; those before BEGIN count as BEGIN.
  void add(int64_t since_begin_ns, uint64_t count = 1) {
    if (since_begin_ns >= newest_from_ns_ && since_begin_ns - newest_from_ns_ < kWidthNs && !counts_.empty())
      counts_.back().count += count;
    else
      add_to_slot(since_begin_ns > 0 ? since_begin_ns / kWidthNs : 0, count);
  }
  void merge(const SlotCounts& other) {
    for (const SlotCount& one : other.counts_) add_to_slot(one.slot, one.count);
  }
  void reset() { counts_.clear(); }
  // By slot, each once.
  std::span<const SlotCount> all() const { return counts_; }

 private:
  void add_to_slot(int64_t slot, uint64_t count);

  std::vector<SlotCount> counts_;
  int64_t newest_from_ns_ = 0;
};

}  // namespace n2nq::measure
