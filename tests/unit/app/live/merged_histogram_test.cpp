#include "app/live/merged_histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/live/exported_moments.h"
#include "broker/base/random.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::live {
namespace {

using control::HistogramDelta;

// A worker that reports as real ones do.
struct Reporter {
  measure::Histogram all{}, since{};
  void record(int64_t value) {
    all.record(value);
    since.record(value);
  }
  HistogramDelta line() {
    HistogramDelta delta{.name = "latency_ns", .moments = export_moments(all.moments())};
    since.for_each([&](const measure::Bucket& b) { delta.buckets.push_back({.index = b.index, .count = b.count}); });
    since.reset();
    return delta;
  }
};

TEST(MergedHistogram, AddsBucketsAndTakesTheMomentsOfEachWorkerOnce) {
  MergedHistogram merged;
  measure::Histogram truth;
  Reporter workers[3];
  Random random(1);
  for (int line = 0; line < 50; line++) {
    for (uint32_t worker = 0; worker < 3; worker++) {
      for (int i = 0; i < 40; i++) {
        const auto value = static_cast<int64_t>(80'000 * (worker + 1) + random.below(5'000)) - 150'000;
        workers[worker].record(value);
        truth.record(value);
      }
      ASSERT_TRUE(merged.take(worker, workers[worker].line()));
    }
  }
  const auto got = measure::summarize(merged.histogram());
  const auto wanted = measure::summarize(truth);
  EXPECT_EQ(got.count, wanted.count);
  EXPECT_EQ(got.min, wanted.min);
  EXPECT_EQ(got.p50, wanted.p50);
  EXPECT_EQ(got.p99, wanted.p99);
  EXPECT_EQ(got.max, wanted.max);
  EXPECT_DOUBLE_EQ(*got.mean, *wanted.mean);
  EXPECT_NEAR(*got.stddev, *wanted.stddev, *wanted.stddev * 1e-9);
  EXPECT_DOUBLE_EQ(*got.trimmed_mean_p95, *wanted.trimmed_mean_p95);
}

TEST(MergedHistogram, KeepsASmallSpreadAroundALargeMean) {
  MergedHistogram merged;
  Reporter worker;
  for (int line = 0; line < 2000; line++) {
    worker.record(20'000'000 + (line % 2 == 0 ? 100 : -100));
    ASSERT_TRUE(merged.take(0, worker.line()));
  }
  EXPECT_NEAR(merged.histogram().moments().stddev(), 100, 1);
}

TEST(MergedHistogram, CountsWhatIsInBucketsWhileTheRestWaits) {
  Reporter worker;
  for (int i = 0; i < 900; i++) worker.record(1000);
  (void)worker.line();  // an earlier controller had these
  for (int i = 0; i < 100; i++) worker.record(3000);
  MergedHistogram merged;
  ASSERT_TRUE(merged.take(0, worker.line()));
  EXPECT_EQ(merged.histogram().count(), 100u);
  EXPECT_EQ(merged.histogram().quantile(0.5),
            measure::Histogram::Layout::highest(measure::Histogram::Layout::index_of(3000)));
  EXPECT_NEAR(merged.histogram().moments().mean(), 1200, 1) << "the mean is that of all the worker measured";
  EXPECT_EQ(merged.histogram().moments().min_ns, 1000);
}

TEST(MergedHistogram, RefusesWhatCannotBe) {
  Reporter worker;
  for (int i = 0; i < 10; i++) worker.record(1000 + i);
  const HistogramDelta good = worker.line();
  MergedHistogram merged;
  ASSERT_TRUE(merged.take(0, good));
  const auto refused = [&](auto change) {
    HistogramDelta lie{.name = "latency_ns", .moments = good.moments, .buckets = {{.index = 5, .count = 1}}};
    lie.moments.count = 11;
    change(lie);
    return !merged.take(0, lie);
  };
  EXPECT_TRUE(refused([](auto& lie) { lie.moments.count = 10; })) << "more in buckets than counted";
  EXPECT_TRUE(refused([](auto& lie) { lie.moments.count = 9; })) << "fell";
  EXPECT_TRUE(refused([](auto& lie) { lie.moments.count = std::numeric_limits<uint64_t>::max(); }));
  EXPECT_TRUE(refused([](auto& lie) { lie.buckets = {{.index = 1 << 30, .count = 1}}; }));
  EXPECT_TRUE(refused([](auto& lie) { lie.buckets = {{.index = std::numeric_limits<int32_t>::min(), .count = 1}}; }));
  EXPECT_TRUE(refused([](auto& lie) {
    lie.buckets = {{.index = 1, .count = std::numeric_limits<uint64_t>::max()}, {.index = 1, .count = 2}};
  }));
  EXPECT_TRUE(refused([](auto& lie) { lie.moments.sum = std::nan(""); }));
  EXPECT_TRUE(refused([](auto& lie) { lie.moments.sum_squares = std::numeric_limits<double>::infinity(); }));
  EXPECT_TRUE(refused([](auto& lie) { lie.moments.min = lie.moments.max + 1; }));
  EXPECT_EQ(merged.histogram().count(), 10u);
  EXPECT_FALSE(refused([](auto&) {}));
}

TEST(MergedHistogram, SurvivesExtremesAndSumsThatLie) {
  MergedHistogram merged;
  HistogramDelta lie{.name = "latency_ns",
                     .moments = {.count = 4,
                                 .min = std::numeric_limits<int64_t>::min(),
                                 .max = std::numeric_limits<int64_t>::max(),
                                 .sum = -1e300,
                                 .sum_squares = -5},
                     .buckets = {{.index = 0, .count = 2}, {.index = -40'000, .count = 2}}};
  ASSERT_FALSE(merged.take(0, lie)) << "no such bucket";
  lie.buckets[1].index = -30'000;
  ASSERT_TRUE(merged.take(0, lie));
  lie.moments.min = lie.moments.max;
  lie.moments.count = 5;
  lie.moments.sum = 1e300;
  ASSERT_TRUE(merged.take(1, lie));
  const auto summary = measure::summarize(merged.histogram());
  EXPECT_EQ(summary.count, 8u);
  EXPECT_TRUE(std::isfinite(*summary.mean));
  EXPECT_TRUE(std::isfinite(*summary.stddev));
}

}  // namespace
}  // namespace n2nq::live
