#include "app/figures/quantiles.h"

#include <gtest/gtest.h>

#include <array>

#include "broker/base/random.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::figures {
namespace {

TEST(Quantiles, AgreeWithTheSummary) {
  measure::Histogram histogram;
  Random random(4);
  for (int i = 0; i < 12'345; i++) histogram.record(static_cast<int64_t>(random.below(1'000'000)) - 100'000);
  const auto summary = measure::summarize(histogram);
  constexpr std::array<double, 7> percentiles = {0, 50, 90, 95, 99, 99.9, 100};
  const std::vector<int64_t> expected = {quantiles(histogram, percentiles)[0],
                                         *summary.p50,
                                         *summary.p90,
                                         *summary.p95,
                                         *summary.p99,
                                         *summary.p999,
                                         *summary.max};
  EXPECT_EQ(quantiles(histogram, percentiles), expected);
  EXPECT_GE(expected[0], *summary.min);
  EXPECT_LE(expected[0], *summary.min + 128);
}

TEST(Quantiles, OfASingleValueAreThatValue) {
  measure::Histogram histogram;
  histogram.record(123'456'789);
  constexpr std::array<double, 3> percentiles = {0, 50, 100};
  EXPECT_EQ(quantiles(histogram, percentiles), (std::vector<int64_t>(3, 123'456'789)));
}

TEST(Quantiles, OfNothingAreNothing) {
  constexpr std::array<double, 2> percentiles = {50, 99};
  EXPECT_TRUE(quantiles(measure::Histogram(), percentiles).empty());
}

}  // namespace
}  // namespace n2nq::figures
