#include "app/live/rate_meter.h"

#include <gtest/gtest.h>

#include "broker/base/clock.h"

namespace n2nq::live {
namespace {

TEST(RateMeter, KnowsNothingAtFirst) {
  RateMeter meter;
  EXPECT_EQ(meter.per_s(5'000 * kMs), 0);
  meter.add(0, 100);
  EXPECT_EQ(meter.per_s(0), 0);
  EXPECT_EQ(meter.per_s(100 * kMs), 0);
}

TEST(RateMeter, MeasuresASteadyRateFromTheFirstIntervalOn) {
  RateMeter meter;
  for (int64_t tick = 0; tick <= 50; tick++) {
    meter.add(tick * 100 * kMs, 1 + tick * 30);
    EXPECT_NEAR(meter.per_s(tick * 100 * kMs), tick == 0 ? 0 : 300, 1e-6) << tick;
  }
}

TEST(RateMeter, ForgetsWhatIsOlderThanASecond) {
  RateMeter meter;
  for (int64_t tick = 0; tick <= 20; tick++) meter.add(tick * 100 * kMs, tick * 1000);
  for (int64_t tick = 21; tick <= 35; tick++) meter.add(tick * 100 * kMs, 20'000 + (tick - 20) * 10);
  EXPECT_NEAR(meter.per_s(3500 * kMs), 100, 1e-6);
}

TEST(RateMeter, RemembersAWholeSecond) {
  RateMeter meter;
  for (int64_t tick = 0; tick <= 100; tick++) {
    meter.add(tick * 100 * kMs, 1 + tick + tick / 10 * 1000);
    if (tick <= 20) continue;
    EXPECT_GT(meter.per_s(tick * 100 * kMs), 800) << "a burst is in every second: " << tick;
  }
}

TEST(RateMeter, FallsToNothingOnceTheCounterStandsStill) {
  RateMeter meter;
  for (int64_t tick = 0; tick <= 10; tick++) meter.add(tick * 100 * kMs, tick * 10);
  EXPECT_NEAR(meter.per_s(1500 * kMs), 50, 2);
  EXPECT_EQ(meter.per_s(2000 * kMs), 0);
  EXPECT_EQ(meter.per_s(900'000 * kMs), 0);
}

// At whatever moment one looks, and however little of it a window of a second holds.
TEST(RateMeter, MeasuresASlowCounterOverWholeIntervals) {
  for (const int64_t interval_ms : {130, 200, 700, 1'000, 2'500}) {
    RateMeter meter;
    meter.add(0, 0);
    int64_t steps = 0;
    for (int64_t now_ms = 0; now_ms <= 20'000; now_ms += 37) {
      for (; 60 + steps * interval_ms <= now_ms; steps++) meter.add((60 + steps * interval_ms) * kMs, steps + 1);
      const double expected = steps < 2 ? 0 : 1000.0 / static_cast<double>(interval_ms);
      EXPECT_NEAR(meter.per_s(now_ms * kMs), expected, 1e-9) << interval_ms << " ms, at " << now_ms;
    }
  }
}

TEST(RateMeter, LetsASlowCounterFallWhileItsNextStepIsOverdue) {
  RateMeter meter;
  for (int64_t step = 1; step <= 3; step++) meter.add(step * 2'000 * kMs, step);
  EXPECT_NEAR(meter.per_s(7'900 * kMs), 0.5, 1e-9) << "it is not due yet";
  EXPECT_NEAR(meter.per_s(9'000 * kMs), 1 / 3.0, 1e-9) << "no interval under three seconds";
  EXPECT_EQ(meter.per_s(10'000 * kMs), 0);
}

TEST(RateMeter, PassesOverALookThatIsOutOfOrder) {
  RateMeter meter;
  meter.add(0, 1);
  meter.add(1000 * kMs, 101);
  meter.add(500 * kMs, 2);
  EXPECT_NEAR(meter.per_s(1000 * kMs), 100, 1e-6);
}

}  // namespace
}  // namespace n2nq::live
