#include "app/compare/condition.h"

#include <gmock/gmock.h>

#include "tests/unit/app/compare/example_side.h"

namespace n2nq::compare {
namespace {

using testing::HasSubstr;

Outcome outcome(const char* text, const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  const auto condition = parse_condition(text);
  EXPECT_TRUE(condition) << text;
  const Judgement judgement = judge(*condition, test::side_with("A", a), test::side_with("B", b));
  EXPECT_FALSE(judgement.reason.empty());
  return judgement.outcome;
}

TEST(Condition, OfARatioIsMetWhereTheRunsShowIt) {
  EXPECT_EQ(outcome("p99 > 1.1x", {1000, 1001, 999}, {1200, 1201, 1199}), Outcome::met);
  EXPECT_EQ(outcome("p99 > 1.3x", {1000, 1001, 999}, {1200, 1201, 1199}), Outcome::not_met);
  EXPECT_EQ(outcome("p99<0.5x", {1000, 1001, 999}, {400, 401, 399}), Outcome::met);
  EXPECT_EQ(outcome("p99 > 1.1x", {1200, 1201, 1199}, {1000, 1001, 999}), Outcome::not_met);
}

// The ratio is beyond the limit, and the spread is such that it may be chance.
TEST(Condition, OfARatioIsNotMetByChance) {
  EXPECT_EQ(outcome("p99 > 1.1x", {1000, 3000, 500}, {1200, 4000, 900}), Outcome::not_met);
}

TEST(Condition, OfARatioIsUnknownWithTooFewRuns) {
  EXPECT_EQ(outcome("p99 > 1.1x", {1000, 1000}, {5000, 5000}), Outcome::unknown);
}

TEST(Condition, OfAQuantityIsAboutTheMeanOfB) {
  EXPECT_EQ(outcome("p99 > 1us", {1}, {900, 1200}), Outcome::met);
  EXPECT_EQ(outcome("p99 > 2us", {1}, {900, 1200}), Outcome::not_met);
  EXPECT_EQ(outcome("lost > 0", {1}, {1}), Outcome::not_met);
  EXPECT_EQ(outcome("rate < 501", {1}, {1}), Outcome::met);
  EXPECT_EQ(outcome("p50 > 2us", {1}, {1}), Outcome::unknown);
  EXPECT_EQ(outcome("throughput < 20", {1}, {1}), Outcome::unknown);
}

TEST(Condition, ThatDemandsAChangeWantsTheWholeIntervalToBeClearOfIt) {
  EXPECT_EQ(outcome("p99 > 0.9x", {1000, 1001, 999}, {1000, 1001, 999}), Outcome::met);
  EXPECT_EQ(outcome("p99 > 0.9x", {1000, 1001, 999}, {800, 801, 799}), Outcome::not_met);
  EXPECT_EQ(outcome("p99 > 0.9x", {1000, 1200, 800}, {900, 1100, 700}), Outcome::unknown);
  EXPECT_EQ(outcome("p99 < 1.2x", {1000, 1001, 999}, {1000, 1001, 999}), Outcome::met);
}

// Those that came through say nothing of those that did not.
TEST(Condition, IsNotPassedByWhatIsLeftOfFailedRuns) {
  Side b = test::side_with("B", {1, 1});
  b.failed.push_back(test::run_with(9, 1));
  const auto judged = [&](const char* text) {
    const auto condition = *parse_condition(text);
    return judge(condition, test::side_with("A", {1}), b);
  };
  EXPECT_EQ(judged("p99 > 5ms").outcome, Outcome::unknown);
  EXPECT_THAT(judged("p99 > 5ms").reason, HasSubstr("1 of B's runs failed"));
  EXPECT_EQ(judged("lost > 0").outcome, Outcome::unknown);
  b.failed.front().totals.lost = 3;
  EXPECT_EQ(judged("lost > 2").outcome, Outcome::met);
  EXPECT_THAT(judged("lost > 2").reason, HasSubstr("B has 3, in 3 runs"));
}

Judgement of_run(const char* text, const record::RunRecord& run) {
  const auto condition = parse_run_condition(text);
  EXPECT_TRUE(condition) << text;
  return judge(*condition, run);
}

TEST(RunCondition, IsAboutTheFigureOfTheRun) {
  const record::RunRecord run = test::run_with(1, 900);
  EXPECT_EQ(of_run("p99 > 899ns", run).outcome, Outcome::met);
  EXPECT_EQ(of_run("p99 > 900ns", run).outcome, Outcome::not_met);
  EXPECT_EQ(of_run("rate < 501", run).outcome, Outcome::met);
  EXPECT_EQ(of_run("rate < 500", run).outcome, Outcome::not_met);
  EXPECT_EQ(of_run("lost > 0", run).outcome, Outcome::not_met);
  EXPECT_EQ(of_run("p99 > 899ns", run).reason, "the run has 900 ns");
  EXPECT_EQ(of_run("p50 > 2us", run).outcome, Outcome::unknown);
  EXPECT_EQ(of_run("p50 > 2us", run).reason, "the run does not have this figure");
}

// What was lost was lost, however the run ended; nothing else is known of one that did not pass.
TEST(RunCondition, IsNotPassedByARunThatDidNotPass) {
  record::RunRecord run = test::run_with(1, 900);
  for (const auto verdict : {record::Verdict::failed, record::Verdict::stopped, record::Verdict::limit}) {
    run.verdict = verdict;
    run.totals.lost = 0;
    EXPECT_EQ(of_run("p99 > 1us", run).outcome, Outcome::unknown);
    EXPECT_EQ(of_run("p99 > 1ns", run).outcome, Outcome::unknown);
    EXPECT_THAT(of_run("p99 > 1ns", run).reason,
                HasSubstr("the run has 900 ns, which does not count: " + record::to_text(verdict)));
    EXPECT_EQ(of_run("lost > 2", run).outcome, Outcome::unknown);
    run.totals.lost = 3;
    EXPECT_EQ(of_run("lost > 2", run).outcome, Outcome::met);
  }
  run.verdict = record::Verdict::exceeded;
  EXPECT_EQ(of_run("p99 > 1us", run).outcome, Outcome::not_met) << "its figures are good";
  EXPECT_EQ(of_run("p99 > 1ns", run).outcome, Outcome::met);
  run.verdict = record::Verdict::lost_allowed;
  EXPECT_EQ(of_run("p99 > 1us", run).outcome, Outcome::not_met);
}

// A percentile of a part of the deliveries is none of the run's.
TEST(RunCondition, OnLatenciesIsUnknownWhereSomeOfThemAre) {
  record::RunRecord run = test::run_with(1, 900);
  run.latencies[Latency::latency].count = 8'908;
  run.totals.received = 64'000;
  for (const char* text : {"p99 > 899ns", "p99 > 900ns"}) {
    EXPECT_EQ(of_run(text, run).outcome, Outcome::unknown);
    EXPECT_EQ(of_run(text, run).reason,
              "the run has 900 ns, but latencies are known of 8,908 of 64,000 deliveries only");
  }
  EXPECT_EQ(of_run("lost > 0", run).outcome, Outcome::not_met);
  run.latencies[Latency::warmup_latency].count = 64'000 - 8'908;
  EXPECT_EQ(of_run("p99 > 899ns", run).outcome, Outcome::met);
}

TEST(Condition, OnTrustIsMetByAnyRunThatIsDoubtful) {
  Side a = test::side_with("A", {1, 2}), b = test::side_with("B", {3});
  const auto judged = [&] { return judge(*parse_condition("doubtful"), a, b); };
  EXPECT_EQ(judged().outcome, Outcome::unknown) << "nobody judged them";
  for (Side* side : {&a, &b})
    for (record::RunRecord& run : side->runs) run.trust = record::Trust::sound;
  EXPECT_EQ(judged().outcome, Outcome::not_met);
  a.runs.back().trust = record::Trust::doubtful;
  a.runs.back().warnings = {{.id = "rate", .text = "too slow", .doubt = true}};
  EXPECT_EQ(judged().outcome, Outcome::met);
  EXPECT_THAT(judged().reason, HasSubstr(" of A: too slow"));
  EXPECT_EQ(of_run("doubtful", a.runs.back()).outcome, Outcome::met);
  EXPECT_EQ(of_run("doubtful", b.runs.back()).outcome, Outcome::not_met);
}

TEST(RunCondition, IsNoRatio) {
  EXPECT_TRUE(parse_condition("p99 > 1.1x"));
  EXPECT_FALSE(parse_run_condition("p99 > 1.1x"));
}

}  // namespace
}  // namespace n2nq::compare
