#include "app/live/slot_histogram.h"

#include <gtest/gtest.h>

#include <cmath>

#include "broker/base/random.h"
#include "workers/measure/histogram.h"

namespace n2nq::live {
namespace {

using control::BucketCount;

std::vector<BucketCount> buckets_of(const measure::Histogram& histogram) {
  std::vector<BucketCount> all;
  histogram.for_each([&](const measure::Bucket& b) { all.push_back({.index = b.index, .count = b.count}); });
  return all;
}

TEST(SlotHistogram, IsEmptyAtFirst) {
  const SlotHistogram slot;
  EXPECT_EQ(slot.count(), 0u);
  EXPECT_EQ(slot.quantile(0.5), 0);
}

TEST(SlotHistogram, AgreesWithAWholeHistogramToTwoDigits) {
  measure::Histogram whole;
  Random random(7);
  for (int i = 0; i < 20'000; i++) whole.record(80'000 + static_cast<int64_t>(random.below(400'000)));
  SlotHistogram slot;
  slot.add(buckets_of(whole));
  EXPECT_EQ(slot.count(), 20'000u);
  for (const double q : {0.01, 0.5, 0.95, 0.99}) {
    const auto exact = static_cast<double>(whole.quantile(q));
    EXPECT_NEAR(static_cast<double>(slot.quantile(q)), exact, exact / 100) << q;
  }
  EXPECT_EQ(slot.max_ns(), whole.quantile(1)) << "the highest bucket stays exact";
  EXPECT_EQ(slot.quantile(1), slot.max_ns());
}

TEST(SlotHistogram, StaysWithinItsBucketsHoweverFarValuesSpread) {
  measure::Histogram whole;
  Random random(9);
  for (int i = 0; i < 200'000; i++) {
    const auto value = static_cast<int64_t>(random.below(uint64_t{1} << (1 + random.below(41))));
    whole.record(random.below(3) == 0 ? -value : value);
  }
  SlotHistogram slot;
  for (int i = 0; i < 3; i++) slot.add(buckets_of(whole));
  EXPECT_LE(slot.memory_bytes(), SlotHistogram::kMaxBuckets * sizeof(BucketCount));
  EXPECT_EQ(slot.count(), 600'000u);
  EXPECT_EQ(slot.max_ns(), whole.quantile(1));
  const auto p99 = static_cast<double>(whole.quantile(0.99));
  EXPECT_NEAR(static_cast<double>(slot.quantile(0.99)), p99, p99 * 0.2);
}

TEST(SlotHistogram, KeepsNegativeValuesInOrder) {
  measure::Histogram whole;
  for (const int64_t value : {-5000, -100, -3, 0, 7, 90'000}) whole.record(value);
  SlotHistogram slot;
  slot.add(buckets_of(whole));
  EXPECT_NEAR(static_cast<double>(slot.quantile(0.01)), -5000, 50);
  EXPECT_EQ(slot.quantile(0.5), -3);
  EXPECT_EQ(slot.max_ns(), whole.quantile(1));
}

TEST(SlotHistogram, HasANegativeMaximumWhereAllIsNegative) {
  measure::Histogram whole;
  whole.record(-3'000'000);
  SlotHistogram slot;
  slot.add(buckets_of(whole));
  EXPECT_EQ(slot.max_ns(), whole.quantile(1));
  EXPECT_EQ(slot.quantile(0.5), slot.max_ns());
}

TEST(SlotHistogram, AddsUpWithOneOfAnotherPrecision) {
  measure::Histogram wide, narrow;
  Random random(3);
  for (int i = 0; i < 50'000; i++) wide.record(static_cast<int64_t>(random.below(uint64_t{1} << random.below(41))));
  for (int i = 0; i < 100'000; i++) narrow.record(1'000'000 + static_cast<int64_t>(random.below(1000)));
  SlotHistogram coarse, fine, both;
  coarse.add(buckets_of(wide));
  fine.add(buckets_of(narrow));
  both.add(fine);
  both.add(coarse);
  fine.add(SlotHistogram());
  EXPECT_EQ(both.count(), 150'000u);
  EXPECT_EQ(both.max_ns(), coarse.max_ns());
  EXPECT_NEAR(static_cast<double>(both.quantile(0.5)), 1e6, 5e4);
}

TEST(SlotHistogram, PassesOverBucketsThatCannotBe) {
  SlotHistogram slot;
  const std::vector<BucketCount> lies = {{.index = std::numeric_limits<int32_t>::max(), .count = 5},
                                         {.index = std::numeric_limits<int32_t>::min(), .count = 5},
                                         {.index = 17, .count = 0}};
  slot.add(lies);
  EXPECT_EQ(slot.count(), 0u);
}

}  // namespace
}  // namespace n2nq::live
