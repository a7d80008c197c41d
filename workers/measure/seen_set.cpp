#include "workers/measure/seen_set.h"

#include "broker/base/assert.h"

namespace n2nq::measure {

SeenSet::SeenSet(size_t max_pages) : max_pages_(max_pages) {
  N2NQ_ASSERT(max_pages >= 2);
}

Seen SeenSet::insert_elsewhere(uint64_t index) {
  if (index == 0) return Seen::implausible;
  const uint64_t bit = index - 1;
  const uint64_t number = bit / kPageBits;
  if (number < judged_from_) return Seen::implausible;
  if (number < first_) return Seen::seen;
  if (bit - first_ * kPageBits > kReach) return Seen::implausible;
  open(number);
  if (number < first_) return Seen::implausible;  // it was itself the lowest, with no room left
  return mark(*hot_, bit);
}

void SeenSet::open(uint64_t number) {
  auto found = pages_.find(number);
  if (found == pages_.end()) {
    if (pages_.size() >= max_pages_ && number > pages_.begin()->first) give_up_lowest_page();
    if (pages_.size() >= max_pages_) {  // the new one would be the lowest
      first_ = judged_from_ = number + 1;
      given_up_++;
      return;
    }
    if (spare_) {
      spare_.key() = number;
      spare_.mapped() = {};
      found = pages_.insert(std::move(spare_)).position;
    } else {
      found = pages_.try_emplace(number).first;
    }
  }
  hot_number_ = number;
  hot_ = &found->second;
}

void SeenSet::free_leading_pages() {
  while (!pages_.empty() && pages_.begin()->first == first_ && pages_.begin()->second.filled == kPageBits) {
    if (hot_number_ == first_) hot_number_ = kNoPage;
    spare_ = pages_.extract(pages_.begin());
    first_++;
  }
}

void SeenSet::give_up_lowest_page() {
  const uint64_t number = pages_.begin()->first;
  if (hot_number_ == number) hot_number_ = kNoPage;
  spare_ = pages_.extract(pages_.begin());
  first_ = judged_from_ = number + 1;
  given_up_++;
  free_leading_pages();
}

}  // namespace n2nq::measure
