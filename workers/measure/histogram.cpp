#include "workers/measure/histogram.h"

#include <algorithm>
#include <cmath>

namespace n2nq::measure {

template <class L, class C>
void BasicHistogram<L, C>::Half::open(uint32_t block) {
  if (!blocks[block]) blocks[block] = std::make_unique<C[]>(L::kBlockSize);
  used |= uint64_t{1} << block;
}

template <class L, class C>
void BasicHistogram<L, C>::Half::carry(uint32_t index, uint64_t high) {
  if (sizeof(C) == sizeof(uint64_t)) return;
  const auto found = std::ranges::find(carries, index, &Carry::index);
  if (found == carries.end()) {
    carries.push_back({index, high});
  } else {
    found->high += high;
  }
}

template <class L, class C>
void BasicHistogram<L, C>::Half::add(uint32_t index, uint64_t n) {
  const uint32_t block = index >> L::kHalfBits;
  if ((used >> block & 1) == 0) open(block);
  C& counter = blocks[block][index & (L::kBlockSize - 1)];
  if constexpr (sizeof(C) == sizeof(uint64_t)) {
    counter += n;
  } else {
    const uint64_t low = uint64_t{counter} + (n & UINT32_MAX);
    counter = static_cast<C>(low);
    if (const uint64_t high = (n >> 32) + (low >> 32); high != 0) carry(index, high);
  }
}

template <class L, class C>
uint64_t BasicHistogram<L, C>::Half::count_at(uint32_t index) const {
  uint64_t n = blocks[index >> L::kHalfBits][index & (L::kBlockSize - 1)];
  if (!carries.empty()) [[unlikely]] {
    const auto found = std::ranges::find(carries, index, &Carry::index);
    if (found != carries.end()) n += found->high << 32;
  }
  return n;
}

template <class L, class C>
void BasicHistogram<L, C>::Half::reset() {
  for (; used != 0; used &= used - 1) {
    std::fill_n(blocks[static_cast<size_t>(std::countr_zero(used))].get(), L::kBlockSize, C{0});
  }
  carries.clear();
}

template <class L, class C>
auto BasicHistogram<L, C>::negative() -> Half& {
  if (!negative_) negative_ = std::make_unique<Half>();
  return *negative_;
}

template <class L, class C>
void BasicHistogram<L, C>::record_unusual(int64_t ns) {
  const uint64_t magnitude = ns < 0 ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  if (magnitude > L::kHighest) {
    clamped_++;
    moments_.add_wild(ns);
  } else {
    moments_.add(ns);
  }
  (ns < 0 ? negative() : positive_).increment(L::index_of(std::min(magnitude, L::kHighest)));
}

template <class L, class C>
void BasicHistogram<L, C>::merge(const BasicHistogram& other) {
  moments_.add(other.moments_);
  clamped_ += other.clamped_;
  other.positive_.for_each_up([&](uint32_t i, uint64_t n) { positive_.add(i, n); });
  if (other.has_negatives()) {
    Half& mine = negative();
    other.negative_->for_each_up([&](uint32_t i, uint64_t n) { mine.add(i, n); });
  }
}

template <class L, class C>
void BasicHistogram<L, C>::reset() {
  moments_ = {};
  clamped_ = 0;
  positive_.reset();
  if (negative_) negative_->reset();
}

template <class L, class C>
int64_t BasicHistogram<L, C>::quantile(double q) const {
  // One step down, so that a product rounded up (0.9 * 10) does not ask for one value more.
  const double below = std::clamp(std::nextafter(q, 0.0), 0.0, 1.0);
  const auto rank = std::ceil(static_cast<long double>(below) * static_cast<long double>(count()));
  const auto wanted = std::max(static_cast<uint64_t>(rank), uint64_t{1});
  uint64_t reached = 0;
  int64_t value = 0;
  for_each([&](const Bucket& bucket) {
    if (reached >= wanted) return;
    reached += bucket.count;
    value = bucket.highest_ns;
  });
  return value;
}

template <class L, class C>
bool BasicHistogram<L, C>::add_bucket(int32_t index, uint64_t count) {
  const auto i = static_cast<uint32_t>(index >= 0 ? index : -(index + 1));
  if (i >= L::kCounters) return false;
  if (count != 0) (index >= 0 ? positive_ : negative()).add(i, count);
  return true;
}

template <class L, class C>
void BasicHistogram<L, C>::add_moments(const Moments& moments, uint64_t clamped) {
  moments_.add(moments);
  clamped_ += clamped;
}

template <class L, class C>
size_t BasicHistogram<L, C>::counter_bytes() const {
  const auto bytes = [](const Half& half) {
    return static_cast<size_t>(std::ranges::count_if(half.blocks, [](const auto& b) { return b != nullptr; })) *
           kBlockBytes;
  };
  return bytes(positive_) + (negative_ ? bytes(*negative_) : 0);
}

template class BasicHistogram<HistogramLayout<11, 0>, uint64_t>;
template class BasicHistogram<HistogramLayout<8, 4>, uint32_t>;

}  // namespace n2nq::measure
