#include "app/live/slot_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "workers/measure/histogram.h"

namespace n2nq::live {
namespace {

using Fine = measure::Histogram::Layout;
using control::BucketCount;

// Negative values mirror: index -1 is bucket 0 of negated values.
uint32_t counter_of(int32_t index) {
  return static_cast<uint32_t>(index >= 0 ? index : -(index + 1));
}
int32_t signed_like(int32_t index, uint32_t counter) {
  const auto value = static_cast<int32_t>(counter);
  return index >= 0 ? value : -value - 1;
}

// The layout of measure::HistogramLayout with any number of sub-buckets. Buckets of a coarser layout are whole buckets
// of a finer one.
uint32_t coarse_counter(uint64_t value, int sub_bits) {
  const uint64_t mask = (uint64_t{1} << sub_bits) - 1;
  const int doubling = static_cast<int>(std::bit_width(value | mask)) - sub_bits;
  return (static_cast<uint32_t>(doubling) << (sub_bits - 1)) + static_cast<uint32_t>(value >> doubling);
}
uint32_t doubling_of(uint32_t counter, int sub_bits) {
  const uint32_t half = counter >> (sub_bits - 1);
  return half == 0 ? 0 : half - 1;
}
uint64_t lowest(uint32_t counter, int sub_bits) {
  const uint32_t doubling = doubling_of(counter, sub_bits);
  return uint64_t{counter - (doubling << (sub_bits - 1))} << doubling;
}
uint64_t highest(uint32_t counter, int sub_bits) {
  return lowest(counter, sub_bits) + (uint64_t{1} << doubling_of(counter, sub_bits)) - 1;
}

int64_t highest_value(int32_t index, int sub_bits) {
  const uint32_t counter = counter_of(index);
  return index >= 0 ? static_cast<int64_t>(highest(counter, sub_bits))
                    : -static_cast<int64_t>(lowest(counter, sub_bits));
}

// Ascending buckets, neighbours of the same index made one.
void add_up_equal(std::vector<BucketCount>& ascending) {
  size_t kept = 0;
  for (const BucketCount& bucket : ascending) {
    if (kept > 0 && ascending[kept - 1].index == bucket.index) {
      ascending[kept - 1].count += bucket.count;
    } else {
      ascending[kept++] = bucket;
    }
  }
  ascending.resize(kept);
}

void coarsen(std::vector<BucketCount>& ascending, int from_bits, int to_bits) {
  for (BucketCount& bucket : ascending) {
    const uint64_t value = lowest(counter_of(bucket.index), from_bits);
    bucket.index = signed_like(bucket.index, coarse_counter(value, to_bits));
  }
  add_up_equal(ascending);
}

}  // namespace

void SlotHistogram::add(std::span<const BucketCount> buckets) {
  std::vector<BucketCount> mine;
  mine.reserve(buckets.size());
  for (const BucketCount& bucket : buckets) {
    const uint32_t counter = counter_of(bucket.index);
    if (counter >= Fine::kCounters || bucket.count == 0) continue;
    const int64_t top =
        bucket.index >= 0 ? static_cast<int64_t>(Fine::highest(counter)) : -static_cast<int64_t>(Fine::lowest(counter));
    max_ns_ = count_ == 0 ? top : std::max(max_ns_, top);
    count_ += bucket.count;
    mine.push_back(
        {.index = signed_like(bucket.index, coarse_counter(Fine::lowest(counter), sub_bits_)), .count = bucket.count});
  }
  std::ranges::sort(mine, {}, &BucketCount::index);
  add_up_equal(mine);
  merge(mine);
}

void SlotHistogram::add(const SlotHistogram& other) {
  if (other.count_ == 0) return;
  max_ns_ = count_ == 0 ? other.max_ns_ : std::max(max_ns_, other.max_ns_);
  count_ += other.count_;
  coarsen_to(std::min(sub_bits_, other.sub_bits_));
  if (other.sub_bits_ == sub_bits_) return merge(other.buckets_);
  std::vector<BucketCount> theirs = other.buckets_;
  coarsen(theirs, other.sub_bits_, sub_bits_);
  merge(theirs);
}

void SlotHistogram::coarsen_to(int sub_bits) {
  if (sub_bits >= sub_bits_) return;
  coarsen(buckets_, sub_bits_, sub_bits);
  sub_bits_ = sub_bits;
}

void SlotHistogram::merge(std::span<const BucketCount> ascending) {
  if (ascending.empty()) return;
  std::vector<BucketCount> all;
  all.reserve(buckets_.size() + ascending.size());
  std::ranges::merge(buckets_, ascending, std::back_inserter(all), {}, &BucketCount::index, &BucketCount::index);
  add_up_equal(all);
  buckets_ = std::move(all);
  while (buckets_.size() > kMaxBuckets) coarsen_to(sub_bits_ - 1);
  buckets_.shrink_to_fit();
}

int64_t SlotHistogram::quantile(double q) const {
  const double below = std::clamp(std::nextafter(q, 0.0), 0.0, 1.0);
  const auto rank = std::ceil(static_cast<long double>(below) * static_cast<long double>(count_));
  const auto wanted = std::max(static_cast<uint64_t>(rank), uint64_t{1});
  uint64_t reached = 0;
  for (const BucketCount& bucket : buckets_) {
    reached += bucket.count;
    if (reached >= wanted) return std::min(highest_value(bucket.index, sub_bits_), max_ns_);
  }
  return max_ns_;
}

}  // namespace n2nq::live
