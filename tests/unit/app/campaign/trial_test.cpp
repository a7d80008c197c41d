#include "app/campaign/trial.h"

#include <gmock/gmock.h>

#include "tests/unit/app/campaign/example_search.h"

namespace n2nq::campaign {
namespace {

using record::RunRecord;
using record::Verdict;
using test::run_at;
using testing::HasSubstr;

const std::vector<compare::Limit> kLimits{*compare::parse_limit("p99 <= 5ms")};

// 10 senders with a message in 10 ms each, for 5 s: 1,000 a second.
RunRecord run_of(int64_t p99_ns) {
  plan::RunPlan plan;
  plan.senders.duration_ns = 5'000'000'000;
  plan.senders.delay_ns = 10'000'000;
  return run_at(plan, p99_ns);
}

Trial judged(const RunRecord& run, const std::vector<compare::Limit>& limits = kLimits) {
  const auto trial = trial_of(run, limits);
  EXPECT_TRUE(trial);
  return trial.value_or(Trial{.outcome = Outcome::failed});
}

TEST(Trial, IsMetWhereAllLimitsHold) {
  EXPECT_EQ(judged(run_of(4'000'000)).outcome, Outcome::met);
  const std::vector<compare::Limit> two{kLimits.front(), *compare::parse_limit("rate >= 1e9")};
  EXPECT_EQ(judged(run_of(4'000'000), two).outcome, Outcome::bus);
}

TEST(Trial, IsTheBusWhereTheSendersKeptTheirSchedule) {
  const Trial trial = judged(run_of(80'000'000));
  EXPECT_EQ(trial.outcome, Outcome::bus);
  EXPECT_EQ(trial.reason, "p99 was 80.0 ms");
  EXPECT_DOUBLE_EQ(*trial.rate, 1000);
}

TEST(Trial, SaysNothingOfTheBusWhereTheSendersDidNotKeepTheirs) {
  RunRecord late = run_of(80'000'000);
  late.rate_reached = false;
  late.totals.sent = 3000;
  EXPECT_EQ(judged(late).outcome, Outcome::senders);
  EXPECT_EQ(judged(late).reason, "the senders reached 600 /s of 1,000 /s");
  late.latencies[Latency::latency].p99 = 1000;
  EXPECT_EQ(judged(late).outcome, Outcome::senders) << "it was not met at the rate that was asked for";
}

// The bench's own limit, or a busy computer, is not the bus'.
TEST(Trial, SaysNothingOfTheBusWhereTheFiguresAreTheBenchs) {
  RunRecord run = run_of(80'000'000);
  run.warnings = {
      {.id = "cpu-sender-1", .text = "the senders' process uses 96 % of a core", .from_ns = 1, .held_ns = 5}};
  EXPECT_EQ(judged(run).outcome, Outcome::bus) << "for a moment only";
  run.warnings.front().doubt = true;
  EXPECT_EQ(judged(run).outcome, Outcome::senders);
  EXPECT_EQ(judged(run).reason, "p99 was 80.0 ms, but the senders' process uses 96 % of a core");
  run.latencies[Latency::latency].p99 = 1000;
  EXPECT_EQ(judged(run).outcome, Outcome::met);
}

TEST(Trial, TakesAFewMissingMessagesForTheStagger) {
  RunRecord run = run_of(1000);
  run.totals.sent = 4890;  // 2 % and one of each sender
  EXPECT_EQ(judged(run).outcome, Outcome::met);
  run.totals.sent = 4889;
  EXPECT_EQ(judged(run).outcome, Outcome::senders);
  run.totals.sent = 4950;
  run.rate_reached = false;
  EXPECT_EQ(judged(run).outcome, Outcome::met) << "a last message that was late is no rate that was not reached";
}

TEST(Trial, OfAPlanThatSendsAllInTheEndTheLastMessagesTell) {
  RunRecord by_messages = run_of(1000), at_random = run_of(1000);
  by_messages.plan.senders.duration_ns = 0;
  at_random.plan.senders.pacing = plan::Pacing::poisson;
  at_random.totals.sent = 4600;
  for (RunRecord* run : {&by_messages, &at_random}) {
    EXPECT_EQ(judged(*run).outcome, Outcome::met);
    run->rate_reached = false;
    EXPECT_EQ(judged(*run).outcome, Outcome::senders);
    run->latencies[Latency::lateness].max = 70'000'000;
    run->totals.sent = 5100;
    run->latencies[Latency::delay].mean = 9.9e6;
    EXPECT_EQ(judged(*run).reason, "the last messages were sent late: senders were behind by up to 70.0 ms")
        << "more than was asked for is no rate that was not reached";
  }
}

TEST(Trial, LatenessBeyondALatencyLimitIsTheSenders) {
  RunRecord run = run_of(80'000'000);
  run.latencies[Latency::lateness].p99 = 6'000'000;
  EXPECT_EQ(judged(run).outcome, Outcome::senders);
  EXPECT_EQ(judged(run).reason, "p99 was 80.0 ms, but the senders were up to 6.00 ms late (p99): more than the limit");
  run.latencies[Latency::lateness].p99 = 4'000'000;
  EXPECT_EQ(judged(run).outcome, Outcome::bus);
  run.latencies[Latency::lateness].p99 = 6'000'000;
  run.latencies[Latency::latency].p99 = 4'000'000;
  EXPECT_EQ(judged(run).outcome, Outcome::met) << "in spite of it";
}

// A queue that is full makes its senders wait: they are late, and so is everything else.
TEST(Trial, AStandingQueueIsTheBusHoweverLateTheSenders) {
  RunRecord run = run_of(80'000'000);
  run.rate_reached = false;
  run.totals.sent = 3000;
  run.latencies[Latency::lateness].p99 = 400'000'000;
  run.latencies[Latency::latency].p50 = 5'000'001;
  EXPECT_EQ(judged(run).outcome, Outcome::bus);
  run.latencies[Latency::latency].p50 = 5'000'000;
  EXPECT_EQ(judged(run).outcome, Outcome::senders) << "most went through in time, when they were sent at all";
}

// Half of the messages above the median's limit is what "not met" means, and no sign of a queue by itself.
TEST(Trial, AMedianBeyondItsLimitIsTheSendersWhereHalfWasSentAsLate) {
  const std::vector<compare::Limit> median{*compare::parse_limit("p50 <= 1ms")};
  RunRecord run = run_of(80'000'000);
  run.latencies[Latency::latency].p50 = 2'000'000;
  run.latencies[Latency::lateness].p99 = 6'000'000;
  run.latencies[Latency::lateness].p50 = 900'000;
  EXPECT_EQ(judged(run, median).outcome, Outcome::bus);
  run.latencies[Latency::lateness].p50 = 1'100'000;
  EXPECT_EQ(judged(run, median).outcome, Outcome::senders);
}

// The queue took nothing from them, whatever the limit is about.
TEST(Trial, SendersThatTheQueueMadeWaitAreTheBus) {
  const std::vector<compare::Limit> no_loss{*compare::parse_limit("lost = 0")};
  RunRecord run = run_of(1000);
  run.totals.sent = 3000;
  run.latencies[Latency::lateness].max = 2'000'000'000;
  EXPECT_EQ(judged(run, no_loss).outcome, Outcome::senders) << "nothing says that it was the queue";
  run.latencies[Latency::held].max = 1'000'000'000;
  EXPECT_EQ(judged(run, no_loss).outcome, Outcome::bus);
  EXPECT_EQ(judged(run, no_loss).reason,
            "the senders reached 600 /s of 1,000 /s, as the queue made them wait for up to 1.00 s");
  run.latencies[Latency::held].max = 999'999'999;
  EXPECT_EQ(judged(run, no_loss).outcome, Outcome::senders) << "less than half of what they were late";
  run = run_of(80'000'000);
  run.latencies[Latency::lateness].max = run.latencies[Latency::lateness].p99 = 6'000'000;
  run.latencies[Latency::held].max = 5'000'000;
  EXPECT_EQ(judged(run).outcome, Outcome::bus) << "late for the queue";
}

TEST(Trial, WithoutAScheduleThereIsNoneToKeep) {
  RunRecord run = run_of(80'000'000);
  run.plan.senders.delay_ns = 0;
  run.totals.sent = 1;
  EXPECT_EQ(judged(run).outcome, Outcome::bus);
}

TEST(Trial, LossesAreTheBusEvenInARunThatFailedForThem) {
  RunRecord run = run_of(1000);
  run.verdict = Verdict::failed;
  run.totals.lost = 12;
  EXPECT_EQ(judged(run).outcome, Outcome::bus);
  EXPECT_EQ(judged(run).reason, "12 deliveries were lost");
  run.verdict = Verdict::lost_allowed;
  EXPECT_EQ(judged(run).outcome, Outcome::met) << "the plan allows it, and no limit is about it";
  EXPECT_EQ(judged(run, {*compare::parse_limit("lost = 0")}).outcome, Outcome::bus);
}

TEST(Trial, ALimitOfThePlanThatIsExceededChangesNothing) {
  RunRecord run = run_of(1000);
  run.verdict = Verdict::exceeded;
  EXPECT_EQ(judged(run).outcome, Outcome::met);
}

TEST(Trial, AnyOtherFailureSaysNothing) {
  RunRecord run = run_of(1000);
  for (const Verdict verdict : {Verdict::failed, Verdict::stopped, Verdict::cut_off, Verdict::limit}) {
    run.verdict = verdict;
    EXPECT_FALSE(trial_of(run, kLimits)) << to_text(verdict);
  }
}

TEST(Trial, AFigureThatIsNotThereIsNotMet) {
  RunRecord run = run_of(1000);
  run.latencies[Latency::latency] = {};
  EXPECT_EQ(judged(run).outcome, Outcome::bus);
  EXPECT_THAT(judged(run).reason, HasSubstr("there is no p99 of it"));
}

TEST(Trial, OfALoadIsJudgedByItsMeanRate) {
  RunRecord run = run_of(4'000'000);
  run.plan.senders.shape = *measure::parse_shape("ramp 100/s..1900/s over 5s");
  run.totals.sent = 5'000;
  EXPECT_EQ(judged(run).outcome, Outcome::met);
  EXPECT_DOUBLE_EQ(*reached_rate(run), 1'000);
}

TEST(Trial, OfALoadThatWasAllSentTooLateHasTheRateOfTheTimeThatTook) {
  RunRecord run = run_of(4'000'000);
  run.plan.senders.shape = *measure::parse_shape("ramp 100/s..1900/s over 5s");
  run.totals.sent = 5'000;
  run.rate_reached = false;
  run.latencies[Latency::delay].count = 4'990;  // ten senders, each from its first message to its last in 10 s
  run.latencies[Latency::delay].mean = 1e11 / 4'990;
  EXPECT_EQ(judged(run).outcome, Outcome::senders);
  EXPECT_EQ(judged(run).reason, "the senders reached 500 /s of 1,000 /s");
  run.latencies[Latency::delay].count = 3'990;
  run.latencies[Latency::delay].mean = 8e10 / 3'990;
  run.plan.warmup_ns = 2'000'000'000;
  EXPECT_DOUBLE_EQ(*reached_rate(run), 500) << "delays of warm-up are not among them";
  run.latencies[Latency::delay].mean = 1e10 / 3'990;
  EXPECT_DOUBLE_EQ(*reached_rate(run), 1'000) << "who is through before the end is no faster";
}

}  // namespace
}  // namespace n2nq::campaign
