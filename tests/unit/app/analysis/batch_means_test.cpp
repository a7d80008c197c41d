#include "app/analysis/batch_means.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "broker/base/random.h"
#include "workers/measure/exponential.h"

namespace n2nq::analysis {
namespace {

TEST(BatchMean, IsTheMeanOfAllValuesAndNotOfTheBatches) {
  std::vector<Batch> batches(8, {.count = 1, .sum = 1});
  batches[3] = {.count = 93, .sum = 186};
  EXPECT_DOUBLE_EQ(batch_mean(batches)->mean, 193.0 / 100);
}

TEST(BatchMean, OfIndependentBatchesHasTheIntervalOfTheirMeans) {
  // Eight batches of one value each: Student's t of 7 degrees, 2.3646, and the sample's standard deviation.
  const std::vector<double> values{3, 9, 2, 8, 1, 7, 4, 6};
  std::vector<Batch> batches;
  for (const double value : values) batches.push_back({.count = 1, .sum = value});
  const auto mean = batch_mean(batches);
  EXPECT_DOUBLE_EQ(mean->mean, 5);
  EXPECT_NEAR(mean->high - mean->mean, 2.364624 * 2.9277002 / std::sqrt(8.0), 1e-4);
  EXPECT_EQ(mean->batches, 8u);
  EXPECT_TRUE(mean->independent);
}

TEST(BatchMean, IsNothingOfTooFewBatches) {
  EXPECT_FALSE(batch_mean({}));
  std::vector<Batch> batches(100);
  for (size_t i = 0; i < 7; i++) batches[i] = {.count = 5, .sum = 5};
  EXPECT_FALSE(batch_mean(batches));
}

TEST(BatchMean, PutsNeighboursTogetherThatHangTogether) {
  std::vector<Batch> batches;
  for (int i = 0; i < 128; i++) batches.push_back({.count = 10, .sum = 10 * std::sin(i / 8.0)});
  EXPECT_LT(batch_mean(batches)->batches, kMostBatches);
  std::vector<Batch> rising;
  for (int i = 0; i < 128; i++) rising.push_back({.count = 10, .sum = 10.0 * i});
  const auto trend = batch_mean(rising);
  EXPECT_EQ(trend->batches, kFewestBatches);
  EXPECT_FALSE(trend->independent);
}

// Waiting times of an M/M/1 queue, by Lindley's recursion, in batches of equal length of time.
std::vector<Batch> simulated(double utilisation, int batches, double per_batch, Random& random) {
  constexpr int64_t kUnit = 1'000'000'000;
  const auto draw = [&random] { return static_cast<double>(measure::exponential_ns(kUnit, random.next())) / kUnit; };
  std::vector<Batch> out(static_cast<size_t>(batches));
  double now = 0;
  // As long in a queue that fills is what the warm-up is for: it begins in the middle of its life.
  double waiting = random.below(1000) < utilisation * 1000 ? draw() / (1 - utilisation) : 0;
  while (true) {
    const auto at = static_cast<size_t>(now * utilisation / per_batch);
    if (at >= out.size()) return out;
    out[at].count++;
    out[at].sum += waiting;
    const double gap = draw() / utilisation;
    waiting = std::max(0.0, waiting + draw() - gap);
    now += gap;
  }
}

// The truth is known: utilisation / (1 - utilisation) service times.
TEST(BatchMean, HoldsTheTrueWaitingTimeAsOftenAsItSays) {
  Random random(7);
  const auto held = [&random](double utilisation, double per_batch) {
    constexpr int kRuns = 1000;
    int inside = 0;
    for (int run = 0; run < kRuns; run++) {
      const auto mean = batch_mean(simulated(utilisation, 100, per_batch, random));
      const double truth = utilisation / (1 - utilisation);
      inside += mean->low <= truth && truth <= mean->high ? 1 : 0;
    }
    return static_cast<double>(inside) / kRuns;
  };
  // Long batches: nominal. Short ones: some of what they have in common is missed, by a few percent.
  EXPECT_GE(held(0.5, 200), 0.93);
  EXPECT_GE(held(0.7, 60), 0.88);
}

}  // namespace
}  // namespace n2nq::analysis
