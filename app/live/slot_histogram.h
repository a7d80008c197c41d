// The latencies of one slot of a time series in bounded memory: sparse buckets of 2 digits, coarser ones (down to what
// it takes) where the values spread so far that more than kMaxBuckets would be needed. The highest value is kept to
// 3 digits whatever happens. A value; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workers/control/telemetry.h"

namespace n2nq::live {

class SlotHistogram {
 public:
  // At 2 digits enough for values within a factor of 16; 1.6 % within a factor of 256, 3 % beyond.
  static constexpr size_t kMaxBuckets = 512;

  // Buckets of telemetry, in any order; those that cannot be are passed over.
  void add(std::span<const control::BucketCount> buckets);
  void add(const SlotHistogram& other);

  uint64_t count() const { return count_; }
  int64_t max_ns() const { return max_ns_; }  // the highest value of the highest bucket as it came; 0 without values
  // As measure::Histogram::quantile.
  int64_t quantile(double q) const;
  size_t memory_bytes() const { return buckets_.capacity() * sizeof(control::BucketCount); }

 private:
  void coarsen_to(int sub_bits);
  void merge(std::span<const control::BucketCount> ascending);

  int sub_bits_ = 8;  // 2^sub_bits values of 1 ns, then half as many for each doubling
  uint64_t count_ = 0;
  int64_t max_ns_ = 0;
  std::vector<control::BucketCount> buckets_;  // ascending, each once
};

}  // namespace n2nq::live
