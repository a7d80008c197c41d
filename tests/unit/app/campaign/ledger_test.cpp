#include "app/campaign/ledger.h"

#include <gmock/gmock.h>

#include "tests/unit/app/campaign/example_results.h"

namespace n2nq::campaign {
namespace {

using record::Verdict;
using test::result;
using testing::HasSubstr;

// Two points, each run twice, each run tried twice.
Campaign small() {
  Campaign campaign{.repeats = 2, .tries = 2};
  campaign.axes = {{.name = "x", .values = {{.label = "a", .set = {}}, {.label = "b", .set = {}}}}};
  return campaign;
}

TEST(Ledger, GoesThroughTheRunsInTheirOrder) {
  Ledger ledger(small());
  EXPECT_EQ(ledger.runs(), 4u);
  EXPECT_EQ(ledger.next(), (PlannedRun{1, 1}));
  ledger.take(result(1, 1));
  EXPECT_EQ(ledger.next(), (PlannedRun{1, 2}));
  ledger.take(result(1, 2));
  ledger.take(result(2, 1, Verdict::lost_allowed));
  ledger.take(result(2, 2));
  EXPECT_EQ(ledger.next(), std::nullopt);
  EXPECT_EQ(ledger.done(), 4u);
  EXPECT_TRUE(ledger.complete());
}

TEST(Ledger, NeverMakesAgainWhatIsDone) {
  Ledger ledger(small());
  ledger.take(result(2, 2));
  ledger.take(result(1, 1));
  EXPECT_EQ(ledger.state({1, 1}), RunState::done);
  EXPECT_EQ(ledger.next(), (PlannedRun{1, 2}));
  ledger.take(result(1, 1, Verdict::failed));
  EXPECT_EQ(ledger.done(), 2u) << "a late failure changes nothing";
}

TEST(Ledger, TriesAgainWhatFailedAsOftenAsThePlanSays) {
  Ledger ledger(small());
  ledger.take(result(1, 1, Verdict::failed));
  EXPECT_EQ(ledger.next(), (PlannedRun{1, 1}));
  EXPECT_EQ(ledger.failed(), 0u);
  ledger.take(result(1, 1, Verdict::failed));
  EXPECT_EQ(ledger.state({1, 1}), RunState::failed);
  EXPECT_EQ(ledger.failed(), 1u);
  EXPECT_EQ(ledger.next(), (PlannedRun{1, 2}));
}

TEST(Ledger, WhatWasStoppedOrCutOffIsMadeAgainAndIsNoFailure) {
  Ledger ledger(small());
  for (int i = 0; i < 5; i++) ledger.take(result(1, 1, i % 2 == 0 ? Verdict::stopped : Verdict::cut_off));
  EXPECT_EQ(ledger.next(), (PlannedRun{1, 1}));
  EXPECT_EQ(ledger.failed(), 0u);
}

TEST(Ledger, PassesOverResultsOfOthers) {
  Ledger ledger(small());
  ledger.take(result(7, 1));
  record::RunRecord without = result(1, 1);
  without.campaign.reset();
  ledger.take(without);
  EXPECT_EQ(ledger.done(), 0u);
}

TEST(Ledger, ARunBeyondALimitOfThePlanCountsAndIsNotMadeAgain) {
  Campaign campaign = small();
  campaign.stop.failure = true;
  Ledger ledger(campaign);
  ledger.take(result(1, 1, Verdict::exceeded));
  EXPECT_EQ(ledger.done(), 1u);
  EXPECT_EQ(ledger.state({1, 1}), RunState::done);
  EXPECT_FALSE(ledger.stopped_by());
}

TEST(Ledger, StopsAtTheFirstFailureWhereTold) {
  Campaign campaign = small();
  campaign.stop.failure = true;
  Ledger ledger(campaign);
  ledger.take(result(1, 1, Verdict::failed));
  EXPECT_TRUE(ledger.next());
  ledger.take(result(1, 1, Verdict::failed));
  EXPECT_EQ(ledger.next(), std::nullopt);
  EXPECT_THAT(*ledger.stopped_by(), HasSubstr("the first failure: point 1: as it was told"));
  EXPECT_FALSE(ledger.complete());
}

TEST(Ledger, StopsAtTheFirstOverloadWhereTold) {
  Campaign campaign = small();
  campaign.stop.overload = true;
  Ledger slow_senders(campaign), losses(campaign);
  record::RunRecord late = result(1, 1);
  late.rate_reached = false;
  slow_senders.take(late);
  EXPECT_THAT(*slow_senders.stopped_by(), HasSubstr("the senders did not reach their rate"));
  record::RunRecord lossy = result(1, 1, Verdict::exceeded);
  losses.take(lossy);
  EXPECT_FALSE(losses.stopped_by());
  lossy.campaign->repeat = 2;
  lossy.totals.lost = 1;
  losses.take(lossy);
  EXPECT_THAT(*losses.stopped_by(), HasSubstr("messages were lost"));
}

TEST(Ledger, StopsWhereTheLimitIsMet) {
  Campaign campaign = small();
  campaign.stop.limit = "trimmed > 1ms";
  Ledger ledger(campaign);
  ledger.take(result(1, 1, Verdict::passed, 900'000));
  EXPECT_FALSE(ledger.stopped_by());
  ledger.take(result(1, 2, Verdict::passed, 1'100'000));
  EXPECT_EQ(*ledger.stopped_by(), "stopped as the limit is met: point 1: trimmed > 1ms");
}

}  // namespace
}  // namespace n2nq::campaign
