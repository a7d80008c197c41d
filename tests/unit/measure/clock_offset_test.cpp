#include "workers/measure/clock_offset.h"

#include <gtest/gtest.h>

#include <cmath>

#include "broker/base/clock.h"
#include "broker/base/random.h"

namespace n2nq::measure {
namespace {

// Two clocks and a network, simulated: the local clock is the simulation's time.
struct World {
  Random random;
  int64_t now = 1'000 * kSecond;
  int64_t start_offset = 0;
  long double drift_ppb = 0;   // constant part
  long double wander_ppb = 0;  // amplitude of a slow sine on top
  uint64_t min_delay_ns = 20'000;
  uint64_t max_out_ns = 200'000;
  uint64_t max_back_ns = 200'000;

  explicit World(uint64_t seed) : random(seed) {}

  long double offset_at(int64_t local) const {
    constexpr long double kPeriod = 60e9L;
    const auto age = static_cast<long double>(local - 1'000 * kSecond);
    const long double swing =
        wander_ppb * kPeriod / 6.283185307179586L * (1 - std::cos(6.283185307179586L * age / kPeriod));
    return static_cast<long double>(start_offset) + (age * drift_ppb + swing) * 1e-9L;
  }
  int64_t remote_at(int64_t local) const { return local + static_cast<int64_t>(std::llround(offset_at(local))); }
  // A short delay as a rule, now and then a long one.
  int64_t delay(uint64_t max) {
    const uint64_t base = min_delay_ns + random.below(max);
    return static_cast<int64_t>(random.below(10) == 0 ? base * 20 : base);
  }
  Probe probe() {
    Probe p;
    p.local_send_ns = now;
    now += delay(max_out_ns);
    p.remote_receive_ns = remote_at(now);
    now += static_cast<int64_t>(random.below(50'000));
    p.remote_send_ns = remote_at(now);
    now += delay(max_back_ns);
    p.local_receive_ns = now;
    return p;
  }
  void pass(int64_t ns) { now += ns; }
};

World random_world(uint64_t seed) {
  World world(seed);
  world.start_offset = static_cast<int64_t>(world.random.below(2'000 * kSecond)) - 900 * kSecond;
  world.drift_ppb = static_cast<long double>(world.random.below(200'001)) - 100'000;
  if (seed % 3 == 0) world.wander_ppb = 400;
  world.max_out_ns = 1 + world.random.below(500'000);
  world.max_back_ns = 1 + world.random.below(500'000);
  return world;
}

void expect_true_offset_within(const World& world, const OffsetEstimate& estimate, uint64_t seed) {
  const long double error = std::fabs(world.offset_at(estimate.at_ns) - static_cast<long double>(estimate.offset_ns));
  ASSERT_LE(error, static_cast<long double>(estimate.bound_ns)) << "seed " << seed << " at " << estimate.at_ns;
}

TEST(OffsetEstimator, KnowsNothingBeforeTheFirstProbe) {
  EXPECT_FALSE(OffsetEstimator().known());
}

TEST(OffsetEstimator, TakesHalfTheRoundTripAsTheBoundOfASingleProbe) {
  OffsetEstimator estimator;
  ASSERT_TRUE(estimator.add({1000, 51'000, 51'500, 2500}));
  const auto estimate = estimator.at(2500);
  EXPECT_EQ(estimate.min_rtt_ns, 1000);
  EXPECT_NEAR(static_cast<double>(estimate.offset_ns), 49'500, 2);
  EXPECT_NEAR(static_cast<double>(estimate.bound_ns), 500, 4);
  EXPECT_EQ(estimate.probes, 1u);
}

TEST(OffsetEstimator, NeverUnderstatesItsBoundWhateverTheClocksAndDelays) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    World world = random_world(seed);
    OffsetEstimator estimator;
    for (int i = 0; i < 120; i++) {
      ASSERT_TRUE(estimator.add(world.probe())) << seed;
      const int64_t gap = i < 20 ? 10 * kMs : kSecond;
      for (int k = 0; k <= 10; k++) {
        expect_true_offset_within(world, estimator.at(world.now + gap * k / 10), seed);
        if (HasFatalFailure()) return;
      }
      world.pass(gap);
    }
    EXPECT_EQ(estimator.restarts(), 0u) << seed;
  }
}

TEST(OffsetEstimator, CoversADriftThatWandersEvenWhenProbesAreNearlyPerfect) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    World world = random_world(seed);
    world.wander_ppb = 450;
    world.min_delay_ns = 0;
    world.max_out_ns = world.max_back_ns = 50;
    OffsetEstimator estimator;
    for (int i = 0; i < 200; i++) {
      estimator.add(world.probe());
      for (int k = 0; k <= 4; k++) {
        expect_true_offset_within(world, estimator.at(world.now + kSecond * k / 4), seed);
        if (HasFatalFailure()) return;
      }
      world.pass(kSecond);
    }
    EXPECT_EQ(estimator.restarts(), 0u) << seed;
  }
}

TEST(OffsetEstimator, IsAsGoodAsTheBestProbeOfTheWindowAndItsDriftAllow) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    World world = random_world(seed);
    OffsetEstimator estimator;
    std::vector<Probe> all;
    for (int i = 0; i < 100; i++) {
      all.push_back(world.probe());
      estimator.add(all.back());
      const auto estimate = estimator.at(world.now);
      Probe best = all.back();
      for (const Probe& p : all) {
        if (p.local_receive_ns < world.now - 30 * kSecond) continue;
        if (p.round_trip_ns() < best.round_trip_ns()) best = p;
      }
      ASSERT_EQ(estimate.min_rtt_ns, best.round_trip_ns());
      const auto age = static_cast<double>(world.now - best.local_send_ns);
      const auto journey = static_cast<double>(best.local_receive_ns - best.local_send_ns);
      const double allowance = (age * estimate.drift_bound_ppb + journey * std::abs(estimate.drift_ppb)) * 1e-9 + 4;
      ASSERT_LE(static_cast<double>(estimate.bound_ns), static_cast<double>(estimate.min_rtt_ns) / 2 + allowance)
          << "seed " << seed << " probe " << i;
      // The same with what it says of itself, now and later.
      for (const int64_t later : {0L, 200 * kMs, 10 * kSecond}) {
        const auto moved = estimator.at(world.now + later);
        ASSERT_LE(static_cast<double>(moved.bound_ns),
                  static_cast<double>(moved.min_rtt_ns) / 2 + static_cast<double>(moved.drift_ns));
        ASSERT_LE(static_cast<double>(moved.drift_ns),
                  allowance + static_cast<double>(later) * estimate.drift_bound_ppb * 1e-9 + 4);
      }
      world.pass(500 * kMs);
    }
  }
}

TEST(OffsetEstimator, LearnsTheDriftWithinSecondsAndThenHardlyWidensBetweenProbes) {
  World world(4);
  world.drift_ppb = 80'000;
  OffsetEstimator estimator;
  for (int i = 0; i < 40; i++) {
    estimator.add(world.probe());
    world.pass(kSecond);
  }
  const auto estimate = estimator.at(world.now);
  EXPECT_NEAR(estimate.drift_ppb, 80'000, estimate.drift_bound_ppb);
  EXPECT_LT(estimate.drift_bound_ppb, 10'000);
  const auto later = estimate.moved_to(world.now + kSecond);
  EXPECT_LT(later.bound_ns - estimate.bound_ns, 11'000);
}

TEST(OffsetEstimator, KeepsItsReachWhenProbedVeryOften) {
  World world(6);
  world.drift_ppb = -50'000;
  OffsetEstimator estimator;
  for (int i = 0; i < 2000; i++) {
    estimator.add(world.probe());
    world.pass(10 * kMs);
  }
  EXPECT_LT(estimator.at(world.now).drift_bound_ppb, 10'000);
}

TEST(OffsetEstimator, RefusesProbesWhoseStampsCannotBe) {
  OffsetEstimator estimator;
  EXPECT_FALSE(estimator.add({2000, 1000, 1000, 1000}));  // received before it was sent
  EXPECT_FALSE(estimator.add({1000, 5000, 4000, 2000}));  // remote time going back
  EXPECT_FALSE(estimator.add({1000, 5000, 9000, 2000}));  // held for longer than it was under way
  EXPECT_FALSE(estimator.add({-1, 5000, 5000, 2000}));    // no such time
  EXPECT_FALSE(estimator.add({1000, INT64_MAX, INT64_MAX, 2000}));
  EXPECT_EQ(estimator.rejected(), 5u);
  EXPECT_FALSE(estimator.known());
  EXPECT_TRUE(estimator.add({1000, 5000, 5000, 2000}));
  EXPECT_FALSE(estimator.add({500, 4500, 4500, 1500}));  // older than the one before
}

TEST(OffsetEstimator, BeginsAnewWhenAClockJumps) {
  World world(8);
  OffsetEstimator estimator;
  for (int i = 0; i < 20; i++) {
    estimator.add(world.probe());
    world.pass(kSecond);
  }
  const int64_t jumped = world.now - kSecond / 2;
  world.start_offset += 100 * kSecond;
  estimator.add(world.probe());
  EXPECT_EQ(estimator.restarts(), 1u);
  expect_true_offset_within(world, estimator.at(world.now), 8);
  for (const OffsetInterval& interval : estimator.intervals(world.now)) {
    if (interval.start_ns > jumped || interval.start_ns + kSecond < jumped) continue;
    EXPECT_GE(interval.bound_ns, 50 * kSecond);  // covers the offset before and after
  }
}

TEST(OffsetEstimator, IntervalsContainTheTrueOffsetAtAnyTimeOfTheirs) {
  for (uint64_t seed = 1; seed <= 30; seed++) {
    World world = random_world(seed);
    OffsetEstimator estimator;
    for (int i = 0; i < 100; i++) {
      estimator.add(world.probe());
      world.pass(300 * kMs);
    }
    const auto intervals = estimator.intervals(world.now);
    ASSERT_GT(intervals.size(), 10u);
    for (size_t i = 0; i < intervals.size(); i++) {
      const int64_t end = i + 1 < intervals.size() ? intervals[i + 1].start_ns : world.now;
      for (int k = 0; k <= 4; k++) {
        const int64_t time = intervals[i].start_ns + (end - intervals[i].start_ns) * k / 4;
        const long double error = std::fabs(world.offset_at(time) - static_cast<long double>(intervals[i].offset_ns));
        ASSERT_LE(error, static_cast<long double>(intervals[i].bound_ns)) << seed;
      }
    }
  }
}

TEST(OffsetEstimator, KeepsABoundedNumberOfIntervalsThatStillCoverTheWholeRun) {
  World world(10);
  OffsetEstimator estimator({.window_probes = 8, .max_intervals = 16});
  const int64_t first = world.now;
  for (int i = 0; i < 1000; i++) {
    estimator.add(world.probe());
    world.pass(kSecond);
    ASSERT_LE(estimator.intervals(world.now).size(), 16u);
  }
  const auto intervals = estimator.intervals(world.now);
  EXPECT_LT(intervals.front().start_ns - first, kSecond);
  EXPECT_GE(intervals.size(), 8u);
}

}  // namespace
}  // namespace n2nq::measure
