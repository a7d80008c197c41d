#include "app/live/time_series.h"

#include <gtest/gtest.h>

#include <numeric>

#include "broker/base/clock.h"
#include "broker/base/random.h"
#include "workers/measure/histogram.h"

namespace n2nq::live {
namespace {

using control::BucketCount;
using Layout = measure::Histogram::Layout;

BucketCount bucket(uint64_t value_ns, uint64_t count = 1) {
  return {.index = static_cast<int32_t>(Layout::index_of(value_ns)), .count = count};
}
int64_t top_of(uint64_t value_ns) {
  return static_cast<int64_t>(Layout::highest(Layout::index_of(value_ns)));
}
std::vector<SeriesPoint> all_points(const TimeSeries& series, size_t most = 300) {
  return series.points(0, series.end_ns(), most);
}
double total(const std::vector<SeriesPoint>& points, double SeriesPoint::* count) {
  return std::accumulate(points.begin(), points.end(), 0.0,
                         [&](double sum, const SeriesPoint& point) { return sum + point.*count; });
}

TEST(TimeSeries, IsEmptyAtFirst) {
  const TimeSeries series;
  EXPECT_EQ(series.end_ns(), 0);
  EXPECT_TRUE(series.points(0, kSecond, 100).empty());
}

TEST(TimeSeries, SpreadsAnIntervalOverTheSlotsItTouches) {
  TimeSeries series;
  series.add_sent(50 * kMs, 250 * kMs, 200);
  series.add_received(100 * kMs, 200 * kMs, 7);
  const auto points = all_points(series);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_DOUBLE_EQ(points[0].sent, 50);
  EXPECT_DOUBLE_EQ(points[1].sent, 100);
  EXPECT_DOUBLE_EQ(points[2].sent, 50);
  EXPECT_EQ(points[1].received, 7);
  EXPECT_EQ(points[1].start_ns, 100 * kMs);
  EXPECT_EQ(points[1].width_ns, 100 * kMs);
  EXPECT_FALSE(points[1].p50_ns.has_value());
}

TEST(TimeSeries, TakesTimesBeforeBeginAsBegin) {
  TimeSeries series;
  series.add_sent(-5 * kSecond, -kSecond, 3);
  series.add_sent(-5 * kSecond, 50 * kMs, 4);
  series.add_latency(Latency::latency, -9, -3, std::vector{bucket(100)});
  const auto points = all_points(series);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].sent, 7);
  EXPECT_EQ(points[0].max_ns, top_of(100));
}

// Where one worker does not tell its times, nobody knows the first and the last of all.
TEST(TimeSeries, KnowsTheFirstAndTheLastThatWasReceivedInASlot) {
  TimeSeries series;
  for (const int64_t slot : {0, 1, 2}) series.add_received(slot * 100 * kMs, (slot + 1) * 100 * kMs, 5);
  series.note_received(20 * kMs, 60 * kMs, 3);
  series.note_received(10 * kMs, 30 * kMs, 2);
  series.note_received(140 * kMs, 150 * kMs, 4);
  series.note_received(290 * kMs, 290 * kMs, 5);
  const auto points = all_points(series);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].first_received_ns, 10 * kMs);
  EXPECT_EQ(points[0].last_received_ns, 60 * kMs);
  EXPECT_FALSE(points[1].first_received_ns.has_value());
  EXPECT_EQ(points[2].last_received_ns, 290 * kMs);
  EXPECT_FALSE(all_points(series, 1)[0].first_received_ns.has_value());
}

TEST(TimeSeries, PutsLatenciesWhereTheMiddleOfTheirIntervalLies) {
  TimeSeries series;
  series.add_latency(Latency::latency, 80 * kMs, 180 * kMs, std::vector{bucket(1000, 99), bucket(9000, 1)});
  const auto points = all_points(series);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_FALSE(points[0].max_ns.has_value());
  EXPECT_EQ(points[1].p50_ns, 1003);  // a bucket of two digits: 1000 to 1003
  EXPECT_EQ(points[1].max_ns, top_of(9000));
}

TEST(TimeSeries, MergesPercentilesFromBucketsAndNotFromPercentiles) {
  TimeSeries series;
  for (int slot = 0; slot < 4; slot++) {
    const int64_t from = slot * 100 * kMs;
    // Three quick slots of many values, and a slow one of few.
    series.add_latency(Latency::latency, from, from + 100 * kMs,
                       std::vector{slot == 3 ? bucket(1'000'000, 10) : bucket(1000, 1000)});
  }
  const auto points = all_points(series, 1);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].width_ns, 400 * kMs);
  EXPECT_EQ(points[0].p99_ns, 1003);
  EXPECT_EQ(points[0].max_ns, top_of(1'000'000));
}

TEST(TimeSeries, GivesWholeSlotsOfTheRangeOnly) {
  TimeSeries series;
  series.add_sent(0, kSecond, 1000);
  const auto points = series.points(150 * kMs, 790 * kMs, 100);
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points.front().start_ns, 200 * kMs);
  EXPECT_EQ(points.back().start_ns, 600 * kMs);
  EXPECT_TRUE(series.points(500 * kMs, 400 * kMs, 100).empty());
  EXPECT_TRUE(series.points(0, kSecond, 0).empty());
  EXPECT_EQ(series.points(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), 100).size(), 10u);
}

TEST(TimeSeries, GivesNoMorePointsThanAskedForAndLosesNoCount) {
  TimeSeries series;
  for (int i = 0; i < 1777; i++) series.add_sent(i * 100 * kMs, (i + 1) * 100 * kMs, 10);
  for (const size_t most : {1u, 2u, 3u, 7u, 300u, 1776u, 1777u, 5000u}) {
    const auto points = all_points(series, most);
    EXPECT_LE(points.size(), most);
    EXPECT_GE(points.size() * 2 + 1, std::min<size_t>(most, 1777) / 2);
    EXPECT_DOUBLE_EQ(total(points, &SeriesPoint::sent), 17'770) << most;
    EXPECT_EQ(points.back().start_ns + points.back().width_ns, series.end_ns());
    for (size_t i = 1; i < points.size(); i++)
      EXPECT_EQ(points[i - 1].start_ns + points[i - 1].width_ns, points[i].start_ns);
  }
}

TEST(TimeSeries, LosesNoPeakWhenItHalves) {
  TimeSeries series;
  const uint64_t peak = 123'456'789;
  for (int i = 0; i < 10'000; i++) {
    const int64_t from = i * 100 * kMs;
    series.add_received(from, from + 100 * kMs, 100);
    series.add_latency(Latency::latency, from, from + 100 * kMs,
                       std::vector{bucket(80'000, 99), bucket(i == 1234 ? peak : 90'000, 1)});
  }
  EXPECT_EQ(series.width_ns(), 800 * kMs);
  const auto points = all_points(series);
  EXPECT_LE(points.size(), 300u);
  EXPECT_NEAR(total(points, &SeriesPoint::received), 1e6, 1e-3);
  int peaks = 0;
  for (const SeriesPoint& point : points) {
    const bool has_it = point.start_ns <= 123'400 * kMs && 123'400 * kMs < point.start_ns + point.width_ns;
    EXPECT_EQ(point.max_ns, has_it ? top_of(peak) : top_of(90'000));
    peaks += has_it ? 1 : 0;
  }
  EXPECT_EQ(peaks, 1);
}

TEST(TimeSeries, NeedsBoundedMemoryForARunOfHours) {
  TimeSeries series;
  Random random(5);
  std::vector<BucketCount> line(20);
  size_t most = 0;
  for (int64_t i = 0; i < 8 * 3600 * 2; i++) {  // eight hours, a line every half second
    for (BucketCount& b : line) b = bucket(random.below(uint64_t{1} << (1 + random.below(41))), 1 + random.below(9));
    series.add_received(i * 500 * kMs, (i + 1) * 500 * kMs, 100);
    series.add_latency(Latency::latency, i * 500 * kMs, (i + 1) * 500 * kMs, line);
    if (i % 1000 == 0) {
      (void)all_points(series);
      most = std::max(most, series.memory_bytes());
    }
  }
  EXPECT_LT(most, 22'000'000u);
  EXPECT_NEAR(total(all_points(series), &SeriesPoint::received), 8 * 3600 * 200.0, 1);
}

TEST(TimeSeries, CopesWithTimesFarInTheFuture) {
  TimeSeries series;
  series.add_sent(0, 100 * kMs, 10);
  series.add_latency(Latency::latency, 0, 100 * kMs, std::vector{bucket(500)});
  series.add_sent(std::numeric_limits<int64_t>::max() - 5, std::numeric_limits<int64_t>::max(), 1);
  series.add_latency(Latency::latency, 0, std::numeric_limits<int64_t>::max(), std::vector{bucket(600)});
  series.add_received(0, std::numeric_limits<int64_t>::max(), 100);
  const auto points = all_points(series);
  EXPECT_LE(series.end_ns(), 2 * TimeSeries::kLongestNs);
  EXPECT_DOUBLE_EQ(total(points, &SeriesPoint::sent), 11);
  EXPECT_NEAR(total(points, &SeriesPoint::received), 100, 1e-6);
  EXPECT_EQ(points.front().max_ns, top_of(500));
}

TEST(TimeSeries, MergesOnlyWhatIsNewAtEachLook) {
  TimeSeries series;
  uint64_t merged_before = 0;
  for (int64_t i = 0; i < 2400; i++) {
    series.add_received(i * 100 * kMs, (i + 1) * 100 * kMs, 100);
    series.add_latency(Latency::latency, i * 100 * kMs, (i + 1) * 100 * kMs, std::vector{bucket(80'000, 100)});
    (void)all_points(series, 400);
    if (i > 2000) {
      EXPECT_LE(series.slots_merged() - merged_before, 24u) << "the newest point, and what it becomes a half of";
    }
    merged_before = series.slots_merged();
  }
  series.add_received(240'000 * kMs, 240'200 * kMs, 100);
  merged_before = series.slots_merged();
  (void)all_points(series, 400);
  EXPECT_LE(series.slots_merged() - merged_before, 16u) << "points outlive the halving";
}

// News comes by the slot, or by the line of telemetry.
TEST(TimeSeries, MergesNoMoreWhenPointsBecomeWider) {
  for (const int64_t slots_a_look : {1, 5, 7}) {
    TimeSeries series;
    size_t widened = 0;
    int64_t width_before = TimeSeries::kFinestNs;
    for (int64_t i = 0; i + slots_a_look < 2400; i += slots_a_look) {
      const int64_t from = i * 100 * kMs;
      const int64_t to = (i + slots_a_look) * 100 * kMs;
      series.add_received(from, to, 100);
      for (int64_t at = from; at < to; at += 100 * kMs)
        series.add_latency(Latency::latency, at, at + 100 * kMs, std::vector{bucket(80'000, 100)});
      const uint64_t before = series.slots_merged();
      const auto points = all_points(series);
      EXPECT_LT(series.slots_merged() - before, 64u) << i;
      widened += points.front().width_ns > width_before ? 1 : 0;
      width_before = points.front().width_ns;
    }
    EXPECT_EQ(widened, 3u);
  }
}

TEST(TimeSeries, ShowsNewsInASlotThatWasShownBefore) {
  TimeSeries series;
  series.add_sent(0, 10 * kSecond, 1000);
  (void)all_points(series, 10);
  series.add_sent(3 * kSecond, 3 * kSecond, 50);
  series.add_latency(Latency::latency, 3 * kSecond, 3 * kSecond, std::vector{bucket(700)});
  double sent = 0;
  bool seen = false;
  for (const SeriesPoint& point : all_points(series, 10)) {
    sent += point.sent;
    seen = seen || point.max_ns == top_of(700);
  }
  EXPECT_DOUBLE_EQ(sent, 1050);
  EXPECT_TRUE(seen);
}

// From the first one on, also in points that were looked at before; and when slots are merged.
TEST(TimeSeries, SaysWhatWasAcceptedWhereAnythingWas) {
  TimeSeries series;
  series.add_sent(0, 200 * kMs, 8);
  EXPECT_FALSE(all_points(series).at(0).accepted);
  series.add_accepted(100 * kMs, 200 * kMs, 0);
  EXPECT_FALSE(all_points(series).at(0).accepted);
  series.add_accepted(100 * kMs, 200 * kMs, 3);
  EXPECT_EQ(all_points(series).at(0).accepted, 0);
  EXPECT_EQ(all_points(series).at(1).accepted, 3);
  series.add_accepted(static_cast<int64_t>(TimeSeries::kMaxSlots) * TimeSeries::kFinestNs,
                      static_cast<int64_t>(TimeSeries::kMaxSlots) * TimeSeries::kFinestNs + 1, 1);
  EXPECT_EQ(series.width_ns(), 2 * TimeSeries::kFinestNs);
  EXPECT_EQ(series.points(0, 2 * TimeSeries::kFinestNs, 1).at(0).accepted, 3);
}

TEST(TimeSeries, KeepsLatenciesFromTheIntendedSendApartAlsoWhenSlotsAreMerged) {
  TimeSeries series;
  series.add_latency(Latency::latency, 0, 100 * kMs, std::vector{bucket(1'000)});
  series.add_latency(Latency::scheduled_latency, 0, 100 * kMs, std::vector{bucket(50'000)});
  series.add_latency(Latency::scheduled_latency, 100 * kMs, 200 * kMs, std::vector{bucket(90'000)});
  const auto fine = all_points(series);
  ASSERT_EQ(fine.size(), 2u);
  EXPECT_NEAR(static_cast<double>(fine[0].scheduled_p50_ns.value_or(0)), 50'000, 500);
  EXPECT_FALSE(fine[1].p50_ns);
  EXPECT_TRUE(fine[1].scheduled_p99_ns);
  const auto merged = all_points(series, 1);
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_NEAR(static_cast<double>(merged[0].scheduled_p99_ns.value_or(0)), 90'000, 900);
  EXPECT_NEAR(static_cast<double>(merged[0].p99_ns.value_or(0)), 1'000, 10);
}

}  // namespace
}  // namespace n2nq::live
