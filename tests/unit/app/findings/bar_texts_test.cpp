// What the bar says of a campaign, from values alone.
#include "ui/campaigns/bar_texts.h"

#include <gtest/gtest.h>

#include "app/campaign/campaign_file.h"
#include "app/findings/shipped_case.h"

namespace n2nq::ui {
namespace {

using theme::Status;

constexpr int64_t kMinute = 60'000'000'000;

campaign::Check check_of(uint64_t runs) {
  campaign::Check check;
  check.estimate.runs = runs;
  return check;
}

TEST(BarTexts, ADraftStartsUnlessSomethingBlocksIt) {
  const campaign::Check check = check_of(4);
  const BarState free = draft_bar({.check = &check});
  EXPECT_EQ(free.start, "Start");
  EXPECT_EQ(free.blocked, "");
  EXPECT_EQ(free.message, "");
  const BarState locked = draft_bar({.check = &check, .blocked = "A run is in progress."});
  EXPECT_EQ(locked.blocked, "A run is in progress.");
  EXPECT_EQ(locked.message, "A run is in progress.");
  EXPECT_EQ(locked.status, Status::info);
}

TEST(BarTexts, AProblemOfADraftIsGraveUnlessSomethingIsOnlyLeftToBeTyped) {
  campaign::Check check = check_of(4);
  check.problem = "axis 1 has no values";
  const BarState grave = draft_bar({.check = &check, .prospect = {"No finding can be judged", Status::warning}});
  EXPECT_EQ(grave.message, "Cannot start: axis 1 has no values");
  EXPECT_EQ(grave.blocked, "axis 1 has no values");
  EXPECT_EQ(grave.status, Status::bad);
  EXPECT_EQ(draft_bar({.check = &check, .only_waits = true}).status, Status::info);
}

TEST(BarTexts, FindingsThatCannotBeJudgedStandBeforeWhatElseIsSaid) {
  const campaign::Check check = check_of(4);
  const BarState bar =
      draft_bar({.check = &check, .prospect = {"No finding can be judged", Status::warning}, .blocked = "Busy"});
  EXPECT_EQ(bar.message, "No finding can be judged. Busy");
  EXPECT_EQ(bar.status, Status::warning);
}

TEST(BarTexts, AMissingServerStandsBeforeWhatFindingsNeed) {
  const campaign::Check check = check_of(4);
  const BarState bar =
      draft_bar({.check = &check,
                 .prospect = {"At most 4 can be judged", Status::info},
                 .missing = "Redis Streams needs redis-server, which is not installed here: a command"});
  EXPECT_EQ(bar.message, "Redis Streams needs redis-server, which is not installed here: a command");
  EXPECT_EQ(bar.status, Status::warning);
  EXPECT_EQ(bar.blocked, "") << "it may be installed until its run begins";
}

// Quick variants have fewer points: what they cannot decide is said before they start.
TEST(BarTexts, OfACaseThatDecidesSomeFindingsTheBarSaysHowMany) {
  const findings::ShippedCase* found = findings::find_case("thesis 1");
  campaign::Campaign campaign = *campaign::parse_campaign(found->quick);
  campaign.external.senders = {"vm2"};
  EXPECT_EQ(
      prospect_of(campaign).text.toStdString(),
      "Of the thesis' 4 findings in this case, at most 2 can be judged; 2 need points that this campaign does not "
      "have");
  EXPECT_EQ(prospect_of(campaign).status, Status::info);
  campaign.repeats = 1;
  EXPECT_EQ(prospect_of(campaign).status, Status::warning);
  campaign::Campaign all = *campaign::parse_campaign(found->full);
  all.external.senders = {"vm2"};
  EXPECT_EQ(prospect_of(all).text, "Of the thesis' 4 findings in this case, at most 4 can be judged");
}

TEST(BarTexts, ARunningOneSaysTheGravestFirst) {
  RunFacts facts{.runs = {.done = 2, .all = 8}, .failed = 2, .left_ns = 3 * kMinute, .warning = "slow"};
  EXPECT_EQ(run_bar(facts).progress, 0.5);
  EXPECT_EQ(run_bar(facts).runs, "2 of 8 runs");
  EXPECT_EQ(run_bar(facts).left, "about 3 min");
  EXPECT_EQ(run_bar(facts).message, "slow");
  facts.doubtful = "2 of 3 completed runs are doubtful: see Points";
  EXPECT_EQ(run_bar(facts).message, "slow") << "of the run that goes on";
  facts.warning.clear();
  EXPECT_EQ(run_bar(facts).message, facts.doubtful);
  EXPECT_EQ(run_bar(facts).status, Status::warning);
  facts.stopped = true;
  EXPECT_TRUE(run_bar(facts).kills);
  EXPECT_EQ(run_bar(facts).message, "The campaign stops after this run; you can resume it later.");
  facts.failed_points = "failed on every try: a";
  EXPECT_EQ(run_bar(facts).message, "failed on every try: a");
  EXPECT_EQ(run_bar(facts).status, Status::bad);
}

TEST(BarTexts, TheTimeLeftIsNeverLessThanNone) {
  EXPECT_EQ(time_left(-kMinute), time_left(0));
}

TEST(BarTexts, OneThatIsNotRunningIsResumedWhereRunsAreLeft) {
  KeptFacts facts{.runs = CompletedRuns{.done = 1, .all = 4}, .end = "stopped by the user"};
  EXPECT_EQ(kept_bar(facts).start, "Resume");
  EXPECT_EQ(kept_bar(facts).state, "not finished: can be resumed");
  facts.over = true;
  EXPECT_EQ(kept_bar(facts).start, "");
  EXPECT_EQ(kept_bar(facts).state, "finished");
  EXPECT_EQ(kept_bar(facts).message, "stopped by the user");
  facts.leaves_runs = true;
  EXPECT_EQ(kept_bar(facts).start, "Resume");
  EXPECT_EQ(kept_bar(facts).state, "finished, but results are missing: can be resumed");
  EXPECT_EQ(kept_bar(facts).message, "Had finished (stopped by the user); results were removed since.");
}

TEST(BarTexts, DoubtfulRunsAreNamedBesideHowItEnded) {
  KeptFacts facts{
      .over = true, .end = "all 12 runs completed", .status = Status::good, .doubtful = doubtful_text(3, 12)};
  EXPECT_EQ(kept_bar(facts).message, "all 12 runs completed; 3 of 12 completed runs are doubtful: see Points");
  EXPECT_EQ(kept_bar(facts).status, Status::warning);
  facts.failed_points = "failed on every try: a";
  EXPECT_EQ(kept_bar(facts).status, Status::bad);
  facts = {.over = true, .doubtful = doubtful_text(3, 3)};
  EXPECT_EQ(kept_bar(facts).message, "all 3 completed runs are doubtful: see Points")
      << "of a search, whose end is in its tile";
  EXPECT_EQ(doubtful_text(1, 3), "1 of 3 completed runs is doubtful: see Points");
  EXPECT_EQ(doubtful_text(1, 1), "the completed run is doubtful: see Points");
  EXPECT_EQ(doubtful_text(0, 3), "");
}

TEST(BarTexts, OneThatIsAComparisonSaysItsVerdictOnceItHasFinished) {
  KeptFacts facts{.over = true,
                  .end = "all 12 runs completed",
                  .status = Status::good,
                  .doubtful = doubtful_text(12, 12),
                  .verdict = "Against NATS: Redis is 18 % faster at p99, but all 12 runs are doubtful: other programs.",
                  .verdict_is_doubtful = true,
                  .blocked = "A run is in progress."};
  EXPECT_EQ(kept_bar(facts).message, facts.verdict) << "doubts are in it, and a tile has how many are completed";
  EXPECT_EQ(kept_bar(facts).status, Status::warning);
  facts.verdict_is_doubtful = false;
  EXPECT_EQ(kept_bar(facts).status, Status::good);
  facts.end = "a run failed";
  facts.status = Status::info;
  facts.failed_points = "failed on every try: Redis (the queue died)";
  EXPECT_EQ(kept_bar(facts).message, "a run failed; failed on every try: Redis (the queue died). " + facts.verdict);
  EXPECT_EQ(kept_bar(facts).status, Status::bad);
  facts.leaves_runs = true;
  EXPECT_FALSE(kept_bar(facts).message.contains("Against")) << "the rest may change it";
}

TEST(BarTexts, HowManyRunsASearchTakesTurnsOut) {
  EXPECT_EQ(in_bar({.done = 1, .so_far = true}), "1 run so far");
  EXPECT_EQ(in_bar({.done = 7, .so_far = true, .most = 14}), "7 of about 14 runs");
  EXPECT_EQ(in_list({.done = 7, .so_far = true, .most = 14}), "7 so far");
  EXPECT_EQ(in_list({.done = 1'200}), "1,200");
  EXPECT_EQ(share_of({.done = 1'200}), std::nullopt);
  EXPECT_EQ(share_of({.done = 1, .all = 4}), 0.25);
}

}  // namespace
}  // namespace n2nq::ui
