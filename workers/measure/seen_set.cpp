#include "workers/measure/seen_set.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

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
  if (number < first_ || is_full(number)) return Seen::seen;
  if (const uint64_t from = reach_from() * kPageBits; bit > from && bit - from > kReach) return Seen::implausible;
  open(number);
  if (number < first_) return Seen::implausible;  // it was itself the lowest, with no room left
  return mark(*hot_, bit);
}

void SeenSet::open(uint64_t number) {
  auto found = pages_.find(number);
  if (found == pages_.end()) {
    if (pages_.size() >= max_pages_ && number > pages_.begin()->first) give_up_lowest_page();
    if (pages_.size() >= max_pages_) {  // the new one would be the lowest
      judge_from(number + 1);
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

void SeenSet::begin_with(uint64_t first, uint64_t last) {
  N2NQ_ASSERT(size_ == 0 && pages_.empty() && 0 < first && first <= last);
  begun_at_ = last / kPageBits;
  uint64_t index = first;
  for (; index <= last && (index - 1) % kPageBits != 0; index++) insert(index);
  if (const uint64_t from = (index - 1) / kPageBits; from < begun_at_) {
    add_full(from, begun_at_);
    size_ += (begun_at_ - from) * kPageBits;
    highest_ = begun_at_ * kPageBits;
    index = highest_ + 1;
  }
  for (; index <= last; index++) insert(index);
}

uint64_t SeenSet::count_in(uint64_t first, uint64_t last) const {
  N2NQ_ASSERT(0 < first && first <= last);
  const uint64_t from = first - 1;
  const uint64_t beyond = last;
  const auto shared = [from, beyond](uint64_t page, uint64_t beyond_page) {
    const uint64_t low = std::max(from, page * kPageBits);
    const uint64_t high = std::min(beyond, beyond_page * kPageBits);
    return high > low ? high - low : 0;
  };
  uint64_t count = shared(0, first_);
  for (const auto& [begin, end] : stretches_) count += shared(begin, end);
  for (auto page = pages_.lower_bound(std::max(first_, from / kPageBits)); page != pages_.end(); ++page) {
    const uint64_t low = std::max(from, page->first * kPageBits);
    const uint64_t high = std::min(beyond, (page->first + 1) * kPageBits);
    if (low >= high) break;
    for (uint64_t bit = low; bit < high; bit = (bit / 64 + 1) * 64) {
      const uint64_t wanted = std::min<uint64_t>(high - bit, 64 - bit % 64);
      const uint64_t word = page->second.words[bit % kPageBits / 64] >> (bit % 64);
      count += static_cast<uint64_t>(std::popcount(wanted == 64 ? word : word & ((uint64_t{1} << wanted) - 1)));
    }
  }
  return count;
}

void SeenSet::free_hot_page() {
  const uint64_t number = std::exchange(hot_number_, kNoPage);
  spare_ = pages_.extract(number);
  add_full(number, number + 1);
}

void SeenSet::add_full(uint64_t from, uint64_t beyond) {
  if (from <= first_) {
    first_ = std::max(first_, beyond);
    return join_leading_stretches();
  }
  auto after = stretches_.upper_bound(from);
  if (after != stretches_.end() && after->first == beyond) {
    beyond = after->second;
    after = stretches_.erase(after);
  }
  // In the steady state: the last stretch becomes longer, and nothing is allocated.
  if (after != stretches_.begin() && std::prev(after)->second == from)
    std::prev(after)->second = beyond;
  else
    stretches_.emplace_hint(after, from, beyond);
}

bool SeenSet::is_full(uint64_t number) const {
  const auto after = stretches_.upper_bound(number);
  return after != stretches_.begin() && number < std::prev(after)->second;
}

uint64_t SeenSet::reach_from() const {
  const uint64_t full = stretches_.empty() ? first_ : stretches_.rbegin()->second;
  return std::max({first_, full, begun_at_});
}

void SeenSet::judge_from(uint64_t number) {
  first_ = judged_from_ = number;
  join_leading_stretches();
}

void SeenSet::join_leading_stretches() {
  for (; !stretches_.empty() && stretches_.begin()->first <= first_; stretches_.erase(stretches_.begin()))
    first_ = std::max(first_, stretches_.begin()->second);
}

void SeenSet::give_up_lowest_page() {
  const uint64_t number = pages_.begin()->first;
  if (hot_number_ == number) hot_number_ = kNoPage;
  spare_ = pages_.extract(pages_.begin());
  judge_from(number + 1);
  given_up_++;
}

}  // namespace n2nq::measure
