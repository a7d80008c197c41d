#include "workers/measure/latency_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "broker/base/random.h"

namespace n2nq::measure {
namespace {

LatencySummary summary_of(const std::vector<int64_t>& values) {
  Histogram histogram;
  for (const int64_t value : values) histogram.record(value);
  return summarize(histogram);
}

double trimmed_by_sorting(std::vector<int64_t> values) {
  std::ranges::sort(values);
  const double wanted = 0.95 * static_cast<double>(values.size());
  double left = wanted;
  double sum = 0;
  for (const int64_t value : values) {
    sum += std::min(left, 1.0) * static_cast<double>(value);
    left -= std::min(left, 1.0);
  }
  return sum / wanted;
}

TEST(LatencySummary, WithoutASampleHasACountOfZeroAndNothingElse) {
  EXPECT_EQ(summarize(Histogram{}), LatencySummary{});
  EXPECT_FALSE(summarize(CompactHistogram{}).p50);
}

TEST(LatencySummary, OfOneValueIsThatValueExactly) {
  const auto summary = summary_of({123'456'789});
  EXPECT_EQ(summary.count, 1u);
  for (const auto& figure : {summary.min, summary.p50, summary.p90, summary.p95, summary.p99, summary.max}) {
    EXPECT_EQ(figure, 123'456'789);
  }
  EXPECT_DOUBLE_EQ(*summary.mean, 123'456'789.0);
  EXPECT_DOUBLE_EQ(*summary.trimmed_mean_p95, 123'456'789.0);
  EXPECT_DOUBLE_EQ(*summary.stddev, 0.0);
}

TEST(LatencySummary, PutsThePercentilesInOrderBetweenMinAndMax) {
  Random random(1);
  for (size_t n = 1; n < 300; n++) {
    std::vector<int64_t> values(n);
    for (int64_t& value : values) value = static_cast<int64_t>(random.below(10'000'000)) - 1'000'000;
    const auto s = summary_of(values);
    const std::vector<int64_t> order{*s.min, *s.p50, *s.p90, *s.p95, *s.p99, *s.max};
    ASSERT_TRUE(std::ranges::is_sorted(order)) << n;
  }
}

TEST(LatencySummary, HasAPercentileAboveP99OnlyOfEnoughValues) {
  EXPECT_FALSE(summary_of(std::vector<int64_t>(2994, 7)).p999);
  EXPECT_EQ(summary_of(std::vector<int64_t>(2995, 7)).p999, 7);
}

TEST(LatencySummary, TrimmedMeanLeavesOutTheTopTwentieth) {
  std::vector<int64_t> values(95, 1000);
  values.insert(values.end(), 5, 1'000'000'000);
  EXPECT_DOUBLE_EQ(*summary_of(values).trimmed_mean_p95, 1000.0);
}

TEST(LatencySummary, TrimmedMeanCountsTheBoundaryInProportion) {
  EXPECT_DOUBLE_EQ(*summary_of({10, 1000}).trimmed_mean_p95, (10 + 0.9 * 1000) / 1.9);
  EXPECT_DOUBLE_EQ(*summary_of({10, 10, 10, 1000}).trimmed_mean_p95, (30 + 0.8 * 1000) / 3.8);
}

TEST(LatencySummary, TrimmedMeanMatchesASortedVectorWithinThePrecision) {
  Random random(2);
  for (int round = 0; round < 30; round++) {
    std::vector<int64_t> values(1 + random.below(2000));
    for (int64_t& value : values) value = static_cast<int64_t>(1 + random.below(uint64_t{1} << (1 + random.below(40))));
    const double exact = trimmed_by_sorting(values);
    ASSERT_NEAR(*summary_of(values).trimmed_mean_p95, exact, exact / 1000);
  }
}

TEST(LatencySummary, ReportsNegativeLatenciesAsTheyAre) {
  const auto summary = summary_of({-2000, -1000, 500, 1500});
  EXPECT_EQ(summary.min, -2000);
  EXPECT_EQ(summary.p50, -1000);
  EXPECT_DOUBLE_EQ(*summary.mean, -250.0);
  EXPECT_DOUBLE_EQ(*summary.trimmed_mean_p95, (-2000 - 1000 + 500 + 0.8 * 1500) / 3.8);
}

TEST(LatencySummary, IsTheSameFromMergedHistogramsAsFromOne) {
  Random random(3);
  Histogram parts[2];
  Histogram all;
  for (int i = 0; i < 5000; i++) {
    const auto value = static_cast<int64_t>(random.below(1'000'000'000));
    parts[i % 2].record(value);
    all.record(value);
  }
  parts[0].merge(parts[1]);
  EXPECT_EQ(summarize(parts[0]), summarize(all));
}

}  // namespace
}  // namespace n2nq::measure
