#include "app/live/rate_meter.h"

#include <gtest/gtest.h>

namespace n2nq::live {
namespace {

constexpr int64_t kMs = 1'000'000;

TEST(RateMeter, KnowsNothingAtFirst) {
  RateMeter meter;
  EXPECT_EQ(meter.per_s(5'000 * kMs), 0);
  meter.add(0, 100);
  EXPECT_EQ(meter.per_s(0), 0);
  EXPECT_EQ(meter.per_s(100 * kMs), 0);
}

TEST(RateMeter, MeasuresASteadyRateFromTheStartAndLater) {
  RateMeter meter;
  for (int64_t tick = 0; tick <= 50; tick++) {
    meter.add(tick * 100 * kMs, tick * 30);
    EXPECT_NEAR(meter.per_s(tick * 100 * kMs), tick == 0 ? 0 : 300, 1e-6) << tick;
  }
}

TEST(RateMeter, ForgetsWhatIsOlderThanASecond) {
  RateMeter meter;
  for (int64_t tick = 0; tick <= 20; tick++) meter.add(tick * 100 * kMs, tick * 1000);
  for (int64_t tick = 21; tick <= 35; tick++) meter.add(tick * 100 * kMs, 20'000 + (tick - 20) * 10);
  EXPECT_NEAR(meter.per_s(3500 * kMs), 100, 1e-6);
}

TEST(RateMeter, FallsToNothingOnceTheCounterStandsStill) {
  RateMeter meter;
  for (int64_t tick = 0; tick <= 10; tick++) meter.add(tick * 100 * kMs, tick * 10);
  EXPECT_NEAR(meter.per_s(1500 * kMs), 50, 1);
  EXPECT_EQ(meter.per_s(2000 * kMs), 0);
  EXPECT_EQ(meter.per_s(900'000 * kMs), 0);
}

TEST(RateMeter, CountsARareMessageOnceASecondAndNotTenTimes) {
  RateMeter meter;
  meter.add(0, 0);
  meter.add(9'900 * kMs, 0);
  meter.add(10'000 * kMs, 1);
  EXPECT_NEAR(meter.per_s(10'000 * kMs), 1, 0.01);
}

TEST(RateMeter, PassesOverALookThatIsOutOfOrder) {
  RateMeter meter;
  meter.add(0, 0);
  meter.add(1000 * kMs, 100);
  meter.add(500 * kMs, 1);
  EXPECT_NEAR(meter.per_s(1000 * kMs), 100, 1e-6);
}

}  // namespace
}  // namespace n2nq::live
