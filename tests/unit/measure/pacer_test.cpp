#include "workers/measure/pacer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "broker/base/random.h"
#include "tests/unit/allocations/allocations.h"

namespace n2nq::measure {
namespace {

TEST(Schedule, CountsEachMessageFromTheBeginAndNotFromTheOneBefore) {
  const Schedule schedule(1'000, 30, 100);
  EXPECT_EQ(schedule.intended_ns(0), 1'030);
  EXPECT_EQ(schedule.intended_ns(1), 1'130);
  EXPECT_EQ(schedule.intended_ns(1'000'000'000), 1'030 + 100'000'000'000);
}

TEST(Schedule, DoesNotExistWithoutADelay) {
  EXPECT_FALSE(Schedule(1'000, 0, 0).exists());
  EXPECT_TRUE(Schedule(1'000, 0, 1).exists());
}

TEST(Schedule, MovesByTheLengthOfEachPause) {
  Schedule schedule(1'000, 0, 100);
  schedule.pause(1'250);
  EXPECT_TRUE(schedule.paused());
  schedule.resume(1'950);
  EXPECT_FALSE(schedule.paused());
  EXPECT_EQ(schedule.intended_ns(3), 1'300 + 700);
  schedule.pause(2'050);
  schedule.resume(2'051);
  EXPECT_EQ(schedule.intended_ns(4), 1'400 + 701);
}

TEST(Schedule, IsNotMovedByAPauseOrResumeSaidTwice) {
  Schedule schedule(1'000, 0, 100);
  schedule.resume(1'100);
  schedule.pause(1'200);
  schedule.pause(1'250);
  schedule.resume(1'300);
  schedule.resume(1'900);
  EXPECT_EQ(schedule.intended_ns(0), 1'100);
}

TEST(Schedule, IsMovedOnlyByThePartOfAPauseAfterTheBegin) {
  Schedule schedule(1'000, 0, 100);
  schedule.pause(200);
  schedule.resume(900);
  EXPECT_EQ(schedule.intended_ns(0), 1'000);
  schedule.pause(950);
  schedule.resume(1'040);
  EXPECT_EQ(schedule.intended_ns(0), 1'040);
}

constexpr int64_t kMean = 1'000'000;

TEST(PoissonSchedule, HasExponentialDelaysOfTheAskedMean) {
  const Schedule schedule = Schedule::poisson(5'000, kMean, 1, 1);
  constexpr uint64_t kMessages = 200'000;
  double sum = 0;
  double squares = 0;
  double tails[4] = {};
  int64_t before = 5'000;
  for (uint64_t i = 0; i < kMessages; i++) {
    const int64_t at = schedule.intended_ns(i);
    const double gap = static_cast<double>(at - before) / kMean;
    ASSERT_GE(gap, 0);
    before = at;
    sum += gap;
    squares += gap * gap;
    for (int k = 0; k < 4; k++) tails[k] += gap > k + 1 ? 1.0 / kMessages : 0;
  }
  const double mean = sum / kMessages;
  EXPECT_NEAR(mean, 1, 0.01);
  EXPECT_NEAR(squares / kMessages - mean * mean, 1, 0.02);
  for (int k = 0; k < 4; k++) EXPECT_NEAR(tails[k], std::exp(-(k + 1)), 0.004) << k + 1 << " means";
}

// The number of arrivals in spans of any length has a variance like its mean, of one sender and of several together.
TEST(PoissonSchedule, HasArrivalsThatKnowNothingOfEachOther) {
  for (const uint32_t senders : {1u, 10u}) {
    for (const int64_t span : {kMean / 2, 7 * kMean}) {
      std::vector<double> counts(2'000);
      for (uint32_t sender = 1; sender <= senders; sender++) {
        const Schedule schedule = Schedule::poisson(0, kMean, 3, sender);
        for (uint64_t i = 0;; i++) {
          const auto at = static_cast<size_t>(schedule.intended_ns(i) / span);
          if (at >= counts.size()) break;
          counts[at]++;
        }
      }
      const auto n = static_cast<double>(counts.size());
      double mean = 0;
      for (const double count : counts) mean += count / n;
      double variance = 0;
      for (const double count : counts) variance += (count - mean) * (count - mean) / (n - 1);
      EXPECT_NEAR(mean, senders * static_cast<double>(span) / kMean, 4 * std::sqrt(mean / n));
      EXPECT_NEAR(variance / mean, 1, 4 * std::sqrt(2 / n)) << senders << " senders, spans of " << span;
    }
  }
}

TEST(PoissonSchedule, IsTheSameForTheSameSeedAndSenderHoweverItIsAskedFor) {
  const Schedule straight = Schedule::poisson(0, kMean, 9, 4);
  Schedule again = Schedule::poisson(0, kMean, 9, 4);
  for (uint64_t i = 0; i < 1000; i++) {
    (void)again.intended_ns(i + 50);  // looked ahead for a write that then took only one
    EXPECT_EQ(again.intended_ns(i), straight.intended_ns(i));
    again.forget_before(i);
  }
  EXPECT_NE(Schedule::poisson(0, kMean, 9, 5).intended_ns(0), straight.intended_ns(0));
  EXPECT_NE(Schedule::poisson(0, kMean, 8, 4).intended_ns(0), straight.intended_ns(0));
}

TEST(PoissonSchedule, MovesByAPauseAndNotByBeingLate) {
  Schedule schedule = Schedule::poisson(1'000, kMean, 1, 1);
  const int64_t tenth = schedule.intended_ns(10);
  schedule.pause(2'000);
  schedule.resume(7'000);
  EXPECT_EQ(schedule.intended_ns(10), tenth + 5'000);
  EXPECT_EQ(schedule.since_begin_ns(10), tenth - 1'000);
}

TEST(PoissonSchedule, AllocatesNothing) {
  Schedule schedule = Schedule::poisson(0, kMean, 1, 1);
  const uint64_t before = test::allocations();
  for (uint64_t i = 0; i < 10'000; i++) {
    (void)schedule.intended_ns(i);
    schedule.forget_before(i);
  }
  EXPECT_EQ(test::allocations(), before);
}

TEST(Phase, EvenSpreadsTheSendersOverTheDelay) {
  EXPECT_EQ(phase_of(PhaseKind::even, 0, 4, 100, 1), 0);
  EXPECT_EQ(phase_of(PhaseKind::even, 1, 4, 100, 1), 25);
  EXPECT_EQ(phase_of(PhaseKind::even, 3, 4, 100, 1), 75);
}

TEST(Phase, EvenDoesNotOverflowForLongDelaysAndManySenders) {
  constexpr int64_t kDay = 86'400'000'000'000;
  EXPECT_EQ(phase_of(PhaseKind::even, 999'999, 1'000'000, kDay, 1), kDay - kDay / 1'000'000);
}

TEST(Phase, TogetherLetsAllStartAtOnce) {
  EXPECT_EQ(phase_of(PhaseKind::together, 3, 4, 100, 1), 0);
}

TEST(Phase, RandomStaysWithinTheDelayAndRepeatsWithItsSeed) {
  int64_t sum = 0;
  bool differs = false;
  for (uint64_t k = 0; k < 1000; k++) {
    const int64_t phase = phase_of(PhaseKind::random, k, 1000, 1'000'000, 42);
    ASSERT_GE(phase, 0);
    ASSERT_LT(phase, 1'000'000);
    ASSERT_EQ(phase, phase_of(PhaseKind::random, k, 1000, 1'000'000, 42));
    differs |= phase != phase_of(PhaseKind::random, k, 1000, 1'000'000, 43);
    sum += phase;
  }
  EXPECT_TRUE(differs);
  EXPECT_NEAR(static_cast<double>(sum) / 1000, 500'000, 40'000);
}

TEST(Phase, IsZeroWithoutADelay) {
  for (const auto kind : {PhaseKind::even, PhaseKind::together, PhaseKind::random}) {
    EXPECT_EQ(phase_of(kind, 1, 2, 0, 1), 0);
  }
}

TEST(DueQueue, IsNeverDueWhenEmpty) {
  DueQueue queue;
  EXPECT_EQ(queue.next_due(), DueQueue::kNever);
  EXPECT_FALSE(queue.pop_due(INT64_MAX - 1));
}

TEST(DueQueue, HandsOutNothingBeforeItsTime) {
  DueQueue queue;
  queue.push(100, 7);
  EXPECT_EQ(queue.next_due(), 100);
  EXPECT_FALSE(queue.pop_due(99));
  ASSERT_TRUE(queue.pop_due(100));
  EXPECT_TRUE(queue.empty());
}

TEST(DueQueue, HandsOutServicesInOrderOfTimeThenNumber) {
  Random random(3);
  DueQueue queue;
  for (uint32_t service = 0; service < 5000; service++) queue.push(static_cast<int64_t>(random.below(500)), service);
  DueQueue::Due last{};
  size_t popped = 0;
  while (const auto due = queue.pop_due(1000)) {
    if (popped++ > 0) {
      ASSERT_LT(last, *due);
    }
    last = *due;
  }
  EXPECT_EQ(popped, 5000u);
}

TEST(DueQueue, GivesEveryServiceItsTurnsWithoutAllocating) {
  constexpr uint32_t kServices = 3000;
  std::vector<uint64_t> sent(kServices);
  std::vector<Schedule> schedules;
  DueQueue queue;
  queue.reserve(kServices);
  for (uint32_t k = 0; k < kServices; k++) {
    schedules.emplace_back(0, phase_of(PhaseKind::even, k, kServices, 1'000'000, 0), 1'000'000);
    queue.push(schedules[k].intended_ns(0), k);
  }
  const uint64_t before = test::allocations();
  while (queue.next_due() < 20'000'000) {
    const auto due = queue.pop_due(queue.next_due());
    queue.push(schedules[due->service].intended_ns(++sent[due->service]), due->service);
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_TRUE(std::ranges::all_of(sent, [](uint64_t n) { return n == 20; }));
}

}  // namespace
}  // namespace n2nq::measure
