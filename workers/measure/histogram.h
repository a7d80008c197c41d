// High dynamic range histograms of nanoseconds, 1 ns to 1 h at a fixed relative precision: Histogram for an event loop
// (3 digits), CompactHistogram for one service (2 digits, 16 KiB of counters at most). Blocks of counters are allocated
// on first touch and kept. One thread at a time; hand one over with an IntervalRecorder.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "workers/measure/moments.h"

namespace n2nq::measure {

struct Bucket {
  int32_t index = 0;  // i >= 0: counter i; i < 0: counter -(i + 1) of the mirror that holds negative values
  int64_t lowest_ns = 0;
  int64_t highest_ns = 0;
  uint64_t count = 0;
  bool operator==(const Bucket&) const = default;
};

// Which counter a value belongs to, as HdrHistogram lays them out: 2^kSubBits values of 2^kUnitBits ns each, then twice
// as wide for each doubling of the value.
template <int kSubBits, int kUnitBits>
struct HistogramLayout {
  static constexpr uint64_t kHighest = 3'600'000'000'000;  // 1 h
  static constexpr int kHalfBits = kSubBits - 1;
  static constexpr uint32_t kBlockSize = 1u << kHalfBits;

  static constexpr uint32_t index_of(uint64_t value) {
    constexpr uint64_t mask = ((uint64_t{1} << kSubBits) - 1) << kUnitBits;
    const int doubling = std::bit_width(value | mask) - kSubBits - kUnitBits;
    return (static_cast<uint32_t>(doubling) << kHalfBits) + static_cast<uint32_t>(value >> (doubling + kUnitBits));
  }
  static constexpr uint64_t lowest(uint32_t index) {
    return uint64_t{index - (doubling_of(index) << kHalfBits)} << (doubling_of(index) + kUnitBits);
  }
  static constexpr uint64_t highest(uint32_t index) {
    return lowest(index) + (uint64_t{1} << (doubling_of(index) + kUnitBits)) - 1;
  }

  static constexpr uint32_t kBlocks = (index_of(kHighest) >> kHalfBits) + 1;
  static constexpr uint32_t kCounters = kBlocks << kHalfBits;

 private:
  static constexpr uint32_t doubling_of(uint32_t index) {
    const uint32_t half = index >> kHalfBits;
    return half == 0 ? 0 : half - 1;
  }
};

template <class Layout_, class Counter>
class BasicHistogram {
 public:
  using Layout = Layout_;
  static constexpr size_t kBlockBytes = Layout::kBlockSize * sizeof(Counter);

  BasicHistogram() = default;
  BasicHistogram(BasicHistogram&&) noexcept = default;
  BasicHistogram& operator=(BasicHistogram&&) noexcept = default;

  void record(int64_t ns) {
    if (static_cast<uint64_t>(ns) > Layout::kHighest) [[unlikely]]
      return record_unusual(ns);  // negative or above 1 h
    moments_.add(ns);
    positive_.increment(Layout::index_of(static_cast<uint64_t>(ns)));
  }

  void merge(const BasicHistogram& other);
  // Forgets the values, keeps the memory; touches only blocks that hold something.
  void reset();

  uint64_t count() const { return moments_.count; }
  // Values beyond 1 h either way: they sit in the last bucket, while mean, min and max hold them as they are.
  uint64_t clamped() const { return clamped_; }
  const Moments& moments() const { return moments_; }

  // The highest value of the bucket in which the count from the lowest value on reaches ceil(q * count); negatives come
  // first. 0 without values. As in HdrHistogram it may exceed the exact maximum by less than a bucket.
  int64_t quantile(double q) const;

  // Buckets that hold something, from the lowest value to the highest.
  template <class Visit>
  void for_each(Visit&& visit) const {
    if (negative_) {
      negative_->for_each_down([&](uint32_t i, uint64_t n) { visit(bucket_of(-static_cast<int32_t>(i) - 1, n)); });
    }
    positive_.for_each_up([&](uint32_t i, uint64_t n) { visit(bucket_of(static_cast<int32_t>(i), n)); });
  }

  // The way back from a sparse export: buckets and moments travel apart. False when there is no such bucket.
  bool add_bucket(int32_t index, uint64_t count);
  void add_moments(const Moments& moments, uint64_t clamped);

  bool has_negatives() const { return negative_ && negative_->used != 0; }
  // Memory that counters take now, the mirror's included.
  size_t counter_bytes() const;
  // The most that counters of one sign can take.
  static constexpr size_t kMaxCounterBytes = Layout::kBlocks * kBlockBytes;

 private:
  // The counters of one sign. A 32-bit counter that wraps notes it in `carries`, so that counts stay exact for the
  // price of one entry in four thousand million values.
  struct Half {
    struct Carry {
      uint32_t index = 0;
      uint64_t high = 0;  // in units of 2^32
    };
    uint64_t used = 0;  // one bit a block that holds something; others are absent or all zero
    std::array<std::unique_ptr<Counter[]>, Layout::kBlocks> blocks;
    std::vector<Carry> carries;

    void increment(uint32_t index) {
      const uint32_t block = index >> Layout::kHalfBits;
      if ((used >> block & 1) == 0) [[unlikely]]
        open(block);
      Counter& counter = blocks[block][index & (Layout::kBlockSize - 1)];
      if (++counter == 0) [[unlikely]]
        carry(index, 1);
    }
    void open(uint32_t block);
    void carry(uint32_t index, uint64_t high);
    void add(uint32_t index, uint64_t n);
    uint64_t count_at(uint32_t index) const;
    void reset();

    template <class Visit>
    void for_each_up(Visit&& visit) const {
      for (uint64_t left = used; left != 0; left &= left - 1) {
        const auto first = static_cast<uint32_t>(std::countr_zero(left)) << Layout::kHalfBits;
        for (uint32_t i = first; i < first + Layout::kBlockSize; i++) visit_counter(i, visit);
      }
    }
    template <class Visit>
    void for_each_down(Visit&& visit) const {
      for (uint64_t left = used; left != 0;) {
        const auto block = static_cast<uint32_t>(std::bit_width(left) - 1);
        left ^= uint64_t{1} << block;
        for (uint32_t i = (block + 1) << Layout::kHalfBits; i-- > block << Layout::kHalfBits;) visit_counter(i, visit);
      }
    }
    template <class Visit>
    void visit_counter(uint32_t index, Visit& visit) const {
      if (const uint64_t n = count_at(index); n != 0) visit(index, n);
    }
  };
  static_assert(Layout::kBlocks <= 64);

  void record_unusual(int64_t ns);
  Half& negative();
  static Bucket bucket_of(int32_t index, uint64_t count) {
    if (index >= 0) {
      const auto i = static_cast<uint32_t>(index);
      return {index, static_cast<int64_t>(Layout::lowest(i)), static_cast<int64_t>(Layout::highest(i)), count};
    }
    const auto i = static_cast<uint32_t>(-(index + 1));
    return {index, -static_cast<int64_t>(Layout::highest(i)), -static_cast<int64_t>(Layout::lowest(i)), count};
  }

  Moments moments_;
  uint64_t clamped_ = 0;
  Half positive_;
  std::unique_ptr<Half> negative_;
};

using Histogram = BasicHistogram<HistogramLayout<11, 0>, uint64_t>;
// Exact to 16 ns below 4096 ns and to 1 in 128 above.
using CompactHistogram = BasicHistogram<HistogramLayout<8, 4>, uint32_t>;

static_assert(CompactHistogram::kMaxCounterBytes == 16 * 1024);

extern template class BasicHistogram<HistogramLayout<11, 0>, uint64_t>;
extern template class BasicHistogram<HistogramLayout<8, 4>, uint32_t>;

}  // namespace n2nq::measure
