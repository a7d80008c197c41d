// Which messages of one sender have come. As long as they come without a gap that costs two numbers; from the first gap
// on a SeenSet holds all of it. One thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "workers/measure/seen_set.h"

namespace n2nq::measure {

class Distinct {
 public:
  Seen insert(uint64_t index) {
    if (index == next_ && !others_) [[likely]] {
      next_++;
      return Seen::fresh;
    }
    return insert_with_gaps(index);
  }

  // How many of the indices from `first` to `last` have come.
  uint64_t count_in(uint64_t first, uint64_t last) const {
    if (first > last) return 0;
    if (others_) return others_->count_in(first, last);
    const uint64_t low = std::max(first, first_);
    const uint64_t beyond = std::min(last + 1, next_);
    return beyond > low ? beyond - low : 0;
  }

  // All that have come, in order, in stretches that may touch.
  template <class Visit>
  void each_stretch(Visit visit) const {
    if (others_) return others_->each_stretch(visit);
    if (next_ > first_) visit(Stretch{first_, next_ - 1});
  }

 private:
  Seen insert_with_gaps(uint64_t index) {
    if (index == 0) return Seen::implausible;
    if (next_ == 0) {  // the first message of this sender
      first_ = index;
      next_ = index + 1;
      return Seen::fresh;
    }
    if (!others_) {
      if (index >= first_ && index < next_) return Seen::seen;
      others_ = std::make_unique<SeenSet>();
      others_->begin_with(first_, next_ - 1);
    }
    return others_->insert(index);
  }

  uint64_t first_ = 0;  // [first_, next_) came without a gap, before any other
  uint64_t next_ = 0;
  std::unique_ptr<SeenSet> others_;
};

}  // namespace n2nq::measure
