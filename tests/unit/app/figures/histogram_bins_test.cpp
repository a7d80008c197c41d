#include "app/figures/histogram_bins.h"

#include <gtest/gtest.h>

#include <numeric>

#include "broker/base/random.h"

namespace n2nq::figures {
namespace {

uint64_t counted(const HistogramBins& bins) {
  return std::accumulate(bins.bins.begin(), bins.bins.end(), bins.above + bins.below,
                         [](uint64_t sum, const HistogramBin& bin) { return sum + bin.count; });
}
void expect_sound(const HistogramBins& bins, uint64_t values) {
  EXPECT_EQ(counted(bins), values);
  EXPECT_LE(bins.bins.size(), kMaxBins);
  for (size_t i = 0; i < bins.bins.size(); i++) {
    EXPECT_LE(bins.bins[i].lowest_ns, bins.bins[i].highest_ns);
    const int64_t gap_ns = i == 0 ? 0 : bins.bins[i].lowest_ns - bins.bins[i - 1].highest_ns;
    EXPECT_LE(gap_ns, 1);
  }
}

TEST(HistogramBins, AreNoneWithoutValues) {
  EXPECT_TRUE(bins_of(measure::Histogram()).bins.empty());
}

TEST(HistogramBins, ShowASingleValueInOneBin) {
  measure::Histogram histogram;
  histogram.record(84'000);
  const HistogramBins bins = bins_of(histogram);
  ASSERT_EQ(bins.bins.size(), 1u);
  EXPECT_LE(bins.bins[0].lowest_ns, 84'000);
  EXPECT_GE(bins.bins[0].highest_ns, 84'000);
  EXPECT_EQ(bins.bins[0].count, 1u);
}

TEST(HistogramBins, ShowAllOfAWellBehavedDistribution) {
  measure::Histogram histogram;
  Random random(11);
  for (int i = 0; i < 50'000; i++) {
    int64_t value = 60'000;
    for (int k = 0; k < 12; k++) value += static_cast<int64_t>(random.below(4'000));
    histogram.record(value);
  }
  const HistogramBins bins = bins_of(histogram);
  expect_sound(bins, 50'000);
  EXPECT_EQ(bins.above + bins.below, 0u);
  EXPECT_GE(bins.bins.size(), 40u) << "fine enough to see its form";
}

TEST(HistogramBins, LeaveOutALongTailAndCountIt) {
  measure::Histogram histogram;
  Random random(12);
  for (int i = 0; i < 100'000; i++) histogram.record(80'000 + static_cast<int64_t>(random.below(20'000)));
  for (int i = 0; i < 30; i++) histogram.record(50'000'000);
  histogram.record(1);
  const HistogramBins bins = bins_of(histogram);
  expect_sound(bins, 100'031);
  EXPECT_EQ(bins.above, 30u);
  EXPECT_EQ(bins.below, 1u);
  EXPECT_GE(bins.bins.size(), 10u);
}

TEST(HistogramBins, CoverNegativeValuesOnBothSidesOfZero) {
  for (const int64_t scale : {int64_t{1}, int64_t{7}, int64_t{1'000}, int64_t{1'000'000}}) {
    measure::Histogram histogram;
    for (int64_t i = -30; i <= 40; i++) histogram.record(i * scale);
    const HistogramBins bins = bins_of(histogram);
    expect_sound(bins, 71);
    EXPECT_EQ(bins.above + bins.below, 0u);
    EXPECT_LE(bins.bins.front().lowest_ns, -30 * scale);
    EXPECT_GE(bins.bins.back().highest_ns, 40 * scale);
  }
}

TEST(HistogramBins, SurviveTheWidestSpreadThereIs) {
  measure::Histogram histogram;
  for (const int64_t value : {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), int64_t{0}})
    histogram.record(value);
  expect_sound(bins_of(histogram), 3);
}

}  // namespace
}  // namespace n2nq::figures
