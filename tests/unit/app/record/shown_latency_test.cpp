#include "app/record/shown_latency.h"

#include <gtest/gtest.h>

#include <array>

namespace n2nq::record {
namespace {

constexpr int64_t kUnitNs = 10'000;

measure::LatencySummary latencies(int64_t p50, int64_t p99, uint64_t count = 1000) {
  return {.count = count, .p50 = p50 * kUnitNs, .p99 = p99 * kUnitNs};
}

RunRecord run_of(const measure::LatencySummary& actual, const measure::LatencySummary& intended) {
  RunRecord run;
  run.latencies[Latency::latency] = actual;
  run.latencies[Latency::scheduled_latency] = intended;
  return run;
}

TEST(ShownLatency, IsFromTheIntendedSendWhereEitherFigureIsMoreThanATenthOff) {
  EXPECT_FALSE(shows_intended(latencies(100, 1000), latencies(110, 1100)));
  EXPECT_TRUE(shows_intended(latencies(100, 1000), latencies(111, 1000)));
  EXPECT_TRUE(shows_intended(latencies(100, 1000), latencies(100, 1101)));
  EXPECT_TRUE(shows_intended(latencies(111, 1000), latencies(100, 1000))) << "by the smaller of them";
  EXPECT_TRUE(shows_intended(latencies(-5, 1000), latencies(5, 1000)));
  const RunRecord late = run_of(latencies(103'700'000, 900'000'000), latencies(8'174'700'000, 15'000'000'000));
  EXPECT_EQ(shown_latency(late).p50, 8'174'700'000 * kUnitNs);
}

// What any sender is late by on a computer with timers.
TEST(ShownLatency, IsFromTheActualSendWhereTheOtherIsLessThanATimerOff) {
  EXPECT_FALSE(shows_intended(latencies(8, 20), latencies(13, 29)));
  EXPECT_TRUE(shows_intended(latencies(8, 20), latencies(13, 31)));
}

TEST(ShownLatency, IsFromTheActualSendWithoutASchedule) {
  EXPECT_FALSE(shows_intended(latencies(100, 1000), {}));
  EXPECT_FALSE(shows_intended({}, {}));
  EXPECT_EQ(shown_latency(run_of(latencies(100, 1000), {})).p50, 100 * kUnitNs);
}

TEST(ShownLatency, OfRequestsIsTheirTurnaround) {
  RunRecord run = run_of(latencies(100, 1000), latencies(900, 1000));
  run.plan.queue.mode = plan::Mode::request_reply;
  run.latencies[Latency::turnaround] = latencies(200, 2000);
  run.latencies[Latency::scheduled_turnaround] = latencies(201, 2001);
  EXPECT_EQ(shown_latency(run).p50, 200 * kUnitNs);
  run.latencies[Latency::scheduled_turnaround] = latencies(300, 2001);
  EXPECT_EQ(shown_latency(run).p50, 300 * kUnitNs);
}

TEST(ShownLatency, IsTheSameOfAllRunsBesideEachOther) {
  const RunRecord quiet = run_of(latencies(100, 1000), latencies(101, 1001));
  const RunRecord late = run_of(latencies(100, 1000), latencies(900, 1001));
  const RunRecord without_schedule = run_of(latencies(100, 1000), {});
  const RunRecord empty;
  EXPECT_FALSE(show_intended(std::array{&quiet, &quiet}, false));
  EXPECT_TRUE(show_intended(std::array{&quiet, &late, &empty}, false));
  EXPECT_FALSE(show_intended(std::array{&late, &without_schedule}, false)) << "it has no intended send";
}

TEST(ShownLatency, WhileARunGoesOnStaysThatFromTheIntendedSend) {
  LatencyChoice choice;
  const auto shown = [&choice](const measure::LatencySummary& actual, const measure::LatencySummary& intended) {
    choice.look_at(actual, intended);
    return choice.intended();
  };
  EXPECT_FALSE(shown(latencies(100, 1000, 20), latencies(900, 9000, 20))) << "too few to know";
  EXPECT_FALSE(shown(latencies(100, 1000), latencies(101, 1001)));
  EXPECT_TRUE(shown(latencies(100, 1000), latencies(101, 9001)));
  EXPECT_TRUE(shown(latencies(100, 1000), latencies(101, 1001)));
}

}  // namespace
}  // namespace n2nq::record
