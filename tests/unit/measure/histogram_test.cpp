#include "workers/measure/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "broker/base/random.h"
#include "tests/unit/allocations/allocations.h"

namespace n2nq::measure {
namespace {

constexpr int64_t kHour = 3'600'000'000'000;

// Log-uniform from 1 ns to 1 h; a share of negatives if asked for.
std::vector<int64_t> random_values(uint64_t seed, size_t n, bool negatives = false) {
  Random random(seed);
  std::vector<int64_t> values(n);
  for (int64_t& value : values) {
    const auto octave = random.below(42);
    value = static_cast<int64_t>(std::min<uint64_t>(1 + random.below(uint64_t{1} << octave), kHour));
    if (negatives && random.below(4) == 0) value = -value;
  }
  return values;
}

template <class H>
std::vector<Bucket> buckets(const H& histogram) {
  std::vector<Bucket> all;
  histogram.for_each([&](const Bucket& bucket) { all.push_back(bucket); });
  return all;
}

template <class H>
int64_t bucket_width(int64_t value) {
  const auto i = H::Layout::index_of(static_cast<uint64_t>(std::abs(value)));
  return static_cast<int64_t>(H::Layout::highest(i) - H::Layout::lowest(i) + 1);
}

template <class H>
class HistogramOf : public testing::Test {
 protected:
  H histogram;
  void record(const std::vector<int64_t>& values) {
    for (const int64_t value : values) histogram.record(value);
  }
};
using Both = testing::Types<Histogram, CompactHistogram>;
TYPED_TEST_SUITE(HistogramOf, Both);

TYPED_TEST(HistogramOf, BucketsAreContiguousAndHoldTheirValues) {
  using L = typename TypeParam::Layout;
  for (uint32_t i = 0; i + 1 < L::kCounters; i++) {
    ASSERT_EQ(L::highest(i) + 1, L::lowest(i + 1)) << i;
    ASSERT_EQ(L::index_of(L::lowest(i)), i);
    ASSERT_EQ(L::index_of(L::highest(i)), i);
  }
}

TYPED_TEST(HistogramOf, QuantilesMatchASortedVectorWithinTheBucket) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    auto values = random_values(seed, 1 + seed * 97, seed % 2 == 0);
    this->histogram.reset();
    this->record(values);
    std::ranges::sort(values);
    for (const double q : {0.0, 0.001, 0.1, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0}) {
      const auto rank = std::max<size_t>(
          static_cast<size_t>(std::ceil(std::nextafter(q, 0.0) * static_cast<double>(values.size()))), 1);
      const int64_t exact = values[rank - 1];
      const int64_t found = this->histogram.quantile(q);
      ASSERT_GE(found, exact) << "seed " << seed << " q " << q;
      ASSERT_LT(found - exact, bucket_width<TypeParam>(exact)) << "seed " << seed << " q " << q;
    }
  }
}

TYPED_TEST(HistogramOf, MeanAndDeviationAreExact) {
  const auto values = random_values(7, 5000, true);
  this->record(values);
  long double sum = 0;
  for (const int64_t value : values) sum += static_cast<long double>(value);
  const long double mean = sum / 5000;
  long double squares = 0;
  for (const int64_t value : values)
    squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
  EXPECT_DOUBLE_EQ(this->histogram.moments().mean(), static_cast<double>(mean));
  EXPECT_DOUBLE_EQ(this->histogram.moments().stddev(), static_cast<double>(std::sqrt(squares / 5000)));
}

TYPED_TEST(HistogramOf, ASmallSpreadAboutALargeMeanKeepsItsDeviation) {
  for (int i = 0; i < 1000; i++) this->histogram.record(kHour - 2 + 2 * (i % 2));
  EXPECT_DOUBLE_EQ(this->histogram.moments().mean(), static_cast<double>(kHour - 1));
  EXPECT_DOUBLE_EQ(this->histogram.moments().stddev(), 1.0);
}

TYPED_TEST(HistogramOf, MinAndMaxAreExact) {
  this->record({123'457, 987'654'321, 555'555});
  EXPECT_EQ(this->histogram.moments().min_ns, 123'457);
  EXPECT_EQ(this->histogram.moments().max_ns, 987'654'321);
}

TYPED_TEST(HistogramOf, ValuesAboveAnHourAreClampedAndCountedWhileMeanAndMaxKeepThem) {
  this->record({1000, 2 * kHour, INT64_MAX});
  EXPECT_EQ(this->histogram.clamped(), 2u);
  EXPECT_EQ(this->histogram.count(), 3u);
  EXPECT_EQ(buckets(this->histogram).back().count, 2u);
  EXPECT_LE(buckets(this->histogram).back().lowest_ns, kHour);
  EXPECT_EQ(this->histogram.moments().max_ns, INT64_MAX);
  EXPECT_NEAR(this->histogram.moments().mean(), 9.223372036854775807e18 / 3, 1e13);
  EXPECT_NEAR(this->histogram.moments().stddev(), 9.223372036854775807e18 * std::sqrt(2.0) / 3, 1e14);
}

TYPED_TEST(HistogramOf, AnHourItselfIsNotClamped) {
  this->record({kHour, -kHour});
  EXPECT_EQ(this->histogram.clamped(), 0u);
}

TYPED_TEST(HistogramOf, TheMostNegativeNumberIsRecordedWithoutOverflow) {
  this->record({INT64_MIN});
  EXPECT_EQ(this->histogram.moments().min_ns, INT64_MIN);
  EXPECT_EQ(this->histogram.clamped(), 1u);
  EXPECT_LE(this->histogram.quantile(0.5), -kHour / 2);
}

TYPED_TEST(HistogramOf, NegativesComeBeforePositivesAndMirrorThem) {
  this->record({-5'000'000, -1'000'000, 1'000'000, 5'000'000});
  EXPECT_TRUE(this->histogram.has_negatives());
  EXPECT_EQ(this->histogram.moments().min_ns, -5'000'000);
  const auto all = buckets(this->histogram);
  ASSERT_EQ(all.size(), 4u);
  for (size_t i = 0; i < 4; i++) {
    EXPECT_EQ(all[i].lowest_ns, -all[3 - i].highest_ns);
    EXPECT_EQ(all[i].index, -all[3 - i].index - 1);
  }
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Bucket::lowest_ns));
  EXPECT_LT(this->histogram.quantile(0.5), 0);
  EXPECT_GT(this->histogram.quantile(0.51), 0);
}

TYPED_TEST(HistogramOf, WithoutNegativesThereIsNoMirror) {
  this->record({0, 1, kHour});
  EXPECT_FALSE(this->histogram.has_negatives());
}

TYPED_TEST(HistogramOf, MergingPartsEqualsRecordingAllInOne) {
  const auto values = random_values(11, 9000, true);
  TypeParam parts[3];
  for (size_t i = 0; i < values.size(); i++) parts[i % 3].record(values[i]);
  this->record(values);
  TypeParam merged;
  for (const TypeParam& part : parts) merged.merge(part);
  EXPECT_EQ(buckets(merged), buckets(this->histogram));
  EXPECT_EQ(merged.moments(), this->histogram.moments());
}

TYPED_TEST(HistogramOf, ASparseExportCanBePutTogetherAgain) {
  this->record(random_values(13, 3000, true));
  TypeParam again;
  for (const Bucket& bucket : buckets(this->histogram)) ASSERT_TRUE(again.add_bucket(bucket.index, bucket.count));
  again.add_moments(this->histogram.moments(), this->histogram.clamped());
  EXPECT_EQ(buckets(again), buckets(this->histogram));
  EXPECT_EQ(again.quantile(0.95), this->histogram.quantile(0.95));
}

TYPED_TEST(HistogramOf, ABucketThatDoesNotExistIsRefused) {
  constexpr auto kEnd = static_cast<int32_t>(TypeParam::Layout::kCounters);
  EXPECT_TRUE(this->histogram.add_bucket(kEnd - 1, 1));
  EXPECT_TRUE(this->histogram.add_bucket(-kEnd, 1));
  for (const int32_t wrong : {kEnd, -kEnd - 1, INT32_MAX, INT32_MIN}) {
    EXPECT_FALSE(this->histogram.add_bucket(wrong, 1)) << wrong;
  }
}

TYPED_TEST(HistogramOf, ResetForgetsEverythingAndKeepsTheMemory) {
  this->record(random_values(17, 1000, true));
  const size_t bytes = this->histogram.counter_bytes();
  this->histogram.reset();
  EXPECT_EQ(this->histogram.count(), 0u);
  EXPECT_EQ(this->histogram.moments(), Moments{});
  EXPECT_TRUE(buckets(this->histogram).empty());
  EXPECT_FALSE(this->histogram.has_negatives());
  EXPECT_EQ(this->histogram.counter_bytes(), bytes);
  EXPECT_EQ(this->histogram.quantile(0.5), 0);
}

TYPED_TEST(HistogramOf, RecordingAgainAfterAResetAllocatesNothing) {
  const auto values = random_values(19, 2000, true);
  this->record(values);
  const uint64_t before = test::allocations();
  for (int round = 0; round < 5; round++) {
    this->histogram.reset();
    this->record(values);
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(this->histogram.count(), 2000u);
}

TEST(CompactHistogram, TakesAtMost16KiBOfCountersHoweverItIsFilled) {
  CompactHistogram histogram;
  for (uint32_t i = 0; i < CompactHistogram::Layout::kCounters; i++) {
    histogram.record(static_cast<int64_t>(CompactHistogram::Layout::lowest(i)));
  }
  for (const int64_t value : random_values(23, 10'000)) histogram.record(value);
  histogram.record(INT64_MAX);
  EXPECT_EQ(histogram.counter_bytes(), 16u * 1024);
}

TEST(CompactHistogram, TakesOnlyTheBlocksItTouches) {
  CompactHistogram histogram;
  for (int64_t value = 1'000'000; value < 1'040'000; value++) histogram.record(value);
  EXPECT_EQ(histogram.counter_bytes(), 512u);
}

TEST(CompactHistogram, CountsBeyond32BitsStayExact) {
  constexpr uint64_t kMany = (uint64_t{5} << 32) - 1;
  const auto index = static_cast<int32_t>(CompactHistogram::Layout::index_of(1'000'000));
  CompactHistogram histogram;
  ASSERT_TRUE(histogram.add_bucket(index, kMany));
  histogram.record(1'000'000);
  ASSERT_EQ(buckets(histogram).size(), 1u);
  EXPECT_EQ(buckets(histogram)[0].count, kMany + 1);

  CompactHistogram merged;
  merged.merge(histogram);
  merged.merge(histogram);
  EXPECT_EQ(buckets(merged)[0].count, 2 * (kMany + 1));
  merged.reset();
  merged.record(1'000'000);
  EXPECT_EQ(buckets(merged)[0].count, 1u);
}

TEST(Histogram, IsExactToOneNanosecondBelow2048) {
  for (uint32_t i = 0; i < 2048; i++) ASSERT_EQ(Histogram::Layout::highest(i), i);
}

TEST(Histogram, IsWithinOnePerMilleOfEachValue) {
  for (const int64_t value : random_values(29, 10'000)) {
    ASSERT_LE(static_cast<double>(bucket_width<Histogram>(value) - 1), static_cast<double>(value) / 1000);
  }
}

}  // namespace
}  // namespace n2nq::measure
