#include "workers/measure/worker_clock.h"

#include <gtest/gtest.h>

namespace n2nq::measure {
namespace {

TEST(WorkerClock, IsTheMachinesUnlessToldOtherwise) {
  const WorkerClock clock;
  EXPECT_TRUE(clock.true_to_machine());
  EXPECT_EQ(clock.to_machine(5), 5);
  const int64_t before = measure::now_ns();
  const int64_t now = clock.now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, measure::now_ns());
}

TEST(WorkerClock, IsAheadByItsSkewAndGainsItsDrift) {
  const WorkerClock clock(5'000, 100, 1'000'000'000);
  EXPECT_FALSE(clock.true_to_machine());
  EXPECT_EQ(clock.from_machine(1'000'000'000), 1'000'005'000);
  EXPECT_EQ(clock.from_machine(2'000'000'000), 2'000'105'000);
}

TEST(WorkerClock, FindsTheMachinesTimeAgain) {
  for (const int64_t drift : {-1000, 0, 300}) {
    const WorkerClock clock(-7'000'000'000, drift, 1'000'000'000);
    for (const int64_t ns : {1'000'000'000LL, 1'500'000'001LL, 900'000'000'000LL})
      EXPECT_NEAR(static_cast<double>(clock.to_machine(clock.from_machine(ns))), static_cast<double>(ns), 2);
  }
}

}  // namespace
}  // namespace n2nq::measure
