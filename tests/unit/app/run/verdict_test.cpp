#include "app/run/verdict.h"

#include <gmock/gmock.h>

#include "app/run/run_outcome.h"

namespace n2nq::run {
namespace {

using record::Verdict;
using testing::AllOf;
using testing::HasSubstr;

RunFacts complete() {
  return {.began = true,
          .totals = {.planned = 100, .sent = 100, .accepted = 100, .expected = 1000, .received = 1000, .lost = 0}};
}

TEST(Verdict, PassesWhatArrivedAsOwed) {
  const Judgement judgement = judge(complete());
  EXPECT_EQ(judgement.verdict, Verdict::passed);
  EXPECT_THAT(judgement.reason, HasSubstr("1,000 deliveries received"));
}

TEST(Verdict, WhatExpiredIsLostAsThePlanAllows) {
  RunFacts facts = complete();
  facts.totals.received = 990;
  facts.totals.lost = 10;
  facts.totals.expired = 10;
  EXPECT_EQ(judge(facts).verdict, Verdict::lost_allowed);
  EXPECT_THAT(judge(facts).reason, HasSubstr("10 expired"));
}

// Nobody can say of a queue with a limit of its length why a message is missing.
TEST(Verdict, WhatIsMissingIsLostAsThePlanAllowsWhereTheServerMayDropIt) {
  RunFacts facts = complete();
  facts.totals.lost = 10;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  facts.may_drop = true;
  EXPECT_EQ(judge(facts).verdict, Verdict::lost_allowed);
  EXPECT_THAT(judge(facts).reason, AllOf(HasSubstr("10 deliveries lost"), HasSubstr("bus.max_length")));
}

TEST(Verdict, AnyOtherLossFails) {
  RunFacts facts = complete();
  facts.totals.lost = 10;
  facts.totals.expired = 9;
  facts.totals.undeliverable = 1;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_THAT(judge(facts).reason, HasSubstr("1 undeliverable"));
}

// Over another bus what came too late is not told from what was dropped, unless one of its servers was gone.
TEST(Verdict, SaysHowLongALossWasWaitedFor) {
  RunFacts facts = complete();
  facts.totals.lost = 10;
  facts.given_up = "1s (bus.quiet)";
  EXPECT_EQ(judge(facts).reason,
            "10 deliveries lost: nothing more had come for 1s (bus.quiet) when they were given up");
  facts.servers_gone = 1;
  EXPECT_EQ(judge(facts).reason, "10 deliveries lost");
}

TEST(Verdict, WhatTheBusDidNotAcceptIsToldBehindWhatWentWrong) {
  RunFacts facts = complete();
  facts.totals.refused = 1;
  facts.totals.unanswered = 1200;
  facts.totals.refused_received = 0;
  facts.totals.unanswered_received = 1;
  facts.totals.lost = 30;
  facts.failures = {{.text = "sender-1: the server is gone"}};
  EXPECT_EQ(judge(facts).reason,
            "sender-1: the server is gone; 30 deliveries lost; 1 message refused (0 deliveries of them received); "
            "1,200 messages unanswered (1 delivery of them received)");
  facts.totals.unanswered_received = std::nullopt;
  facts.totals.lost = std::nullopt;
  facts.totals.refused = 0;
  EXPECT_EQ(judge(facts).reason, "sender-1: the server is gone; 1,200 messages unanswered");
}

// As they are of a cluster one of whose servers was killed.
TEST(Verdict, OfARunThatPassesTellsThemToo) {
  RunFacts facts = complete();
  facts.totals.unanswered = 3;
  facts.why_double = "for a reason";
  EXPECT_EQ(judge(facts).verdict, Verdict::passed);
  const std::string delivered = "; 100 messages sent, 1,000 deliveries received";
  EXPECT_EQ(judge(facts).reason, "3 messages unanswered" + delivered);
  facts.totals.duplicates = 2;
  EXPECT_EQ(judge(facts).reason, "3 messages unanswered; 2 deliveries came again: for a reason" + delivered);
  facts.why_double.clear();
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
}

TEST(Verdict, MessagesThatNobodySentFail) {
  RunFacts facts = complete();
  facts.totals.unsent = 2;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  const auto told = HasSubstr("2 deliveries of messages that no sender of this run sent");
  EXPECT_THAT(judge(facts).reason, told);
  facts.stopped = true;
  EXPECT_THAT(judge(facts).reason, told);
  facts.stopped = false;
  facts.failures = {{.text = "sender-1: gone"}};
  EXPECT_THAT(judge(facts).reason, told);
}

TEST(Verdict, RequestsWithoutAReplyFail) {
  RunFacts facts = complete();
  facts.totals.replies = 100;
  facts.totals.timeouts = 0;
  EXPECT_EQ(judge(facts).verdict, Verdict::passed);
  EXPECT_EQ(judge(facts).reason, "100 requests sent, 100 replies received");
  facts.totals.replies = 97;
  facts.totals.timeouts = 3;
  facts.totals.lost = 3;
  facts.totals.expired = 3;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed) << "whatever became of their deliveries";
  EXPECT_EQ(judge(facts).reason, "3 of 100 requests got no reply in time");
}

TEST(Verdict, LossesThatNobodyCountedFail) {
  RunFacts facts = complete();
  facts.totals.lost = std::nullopt;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
}

TEST(Verdict, DamagedAndDoubledMessagesFail) {
  RunFacts facts = complete();
  facts.totals.corrupt = 1;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  facts = complete();
  facts.totals.duplicates = 1;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
}

TEST(Verdict, NamesAllThatFailed) {
  RunFacts facts = complete();
  facts.totals.lost = 3;
  facts.totals.undeliverable = 2;
  facts.totals.expired = 1;
  facts.totals.corrupt = 1;
  facts.totals.duplicates = 4;
  facts.totals.unsent = 5;
  facts.totals.accepted = 99;
  facts.totals.refused = 1;
  const std::string all =
      "3 deliveries lost (1 expired, 2 undeliverable); 5 deliveries of messages that no sender of this run sent: "
      "somebody else sends to the same place of the bus; 1 message arrived corrupt; 4 messages arrived in duplicate";
  EXPECT_EQ(judge(facts).reason, all + "; only 99 of 100 messages reached the queue; 1 message refused");
  facts.failures = {{.text = "sender-1: gone"}};
  EXPECT_EQ(judge(facts).reason, "sender-1: gone; 3 deliveries lost (1 expired, 2 undeliverable); 1 message refused" +
                                     all.substr(all.find("; 5 ")));
}

TEST(Verdict, SaysWhatCameAgainToAnotherProcess) {
  RunFacts facts = complete();
  facts.surplus = 200;
  EXPECT_EQ(judge(facts).reason, "100 messages sent, 1,000 deliveries received (200 of them again)");
}

RunFacts beyond_a_limit() {
  RunFacts facts = complete();
  facts.exceeded = "p99 <= 5 ms: it was 6.20 ms, as of 3.00 s";
  return facts;
}

TEST(Verdict, ALimitThatIsExceededDecides) {
  EXPECT_EQ(judge(beyond_a_limit()).verdict, Verdict::exceeded);
  EXPECT_EQ(judge(beyond_a_limit()).reason, "p99 <= 5 ms: it was 6.20 ms, as of 3.00 s");
}

TEST(Verdict, ALimitThatIsExceededIsWorseThanLossesThatThePlanAllows) {
  RunFacts facts = beyond_a_limit();
  facts.totals.lost = facts.totals.expired = 10;
  EXPECT_EQ(judge(facts).verdict, Verdict::exceeded);
  EXPECT_EQ(judge(facts).reason,
            "p99 <= 5 ms: it was 6.20 ms, as of 3.00 s; 10 deliveries lost (10 expired, 0 undeliverable)");
}

TEST(Verdict, WhatIsWorseThanALimitSaysTheLimitToo) {
  const std::string limit = "; limit exceeded: p99 <= 5 ms: it was 6.20 ms, as of 3.00 s";
  RunFacts facts = beyond_a_limit();
  facts.totals.lost = 10;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_EQ(judge(facts).reason, "10 deliveries lost" + limit);
  facts = beyond_a_limit();
  facts.failures = {{.text = "queue: killed by signal 9"}};
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_EQ(judge(facts).reason, "queue: killed by signal 9" + limit);
  facts = beyond_a_limit();
  facts.stopped = true;
  EXPECT_EQ(judge(facts).verdict, Verdict::stopped) << "it is not whole";
  EXPECT_EQ(judge(facts).reason, "stopped by the user: 100 messages sent, 1,000 deliveries received" + limit);
  facts.failures = {{.text = "receivers: killed by signal 9"}};
  facts.failed_before_stop = true;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_EQ(judge(facts).reason, "receivers: killed by signal 9; then stopped by the user" + limit);
}

TEST(Verdict, ALimitThatEndedTheRunIsItsVerdict) {
  RunFacts facts = beyond_a_limit();
  facts.ended_by_limit = true;
  facts.totals.sent = facts.totals.accepted = 50;
  EXPECT_EQ(judge(facts).verdict, Verdict::limit);
  EXPECT_EQ(judge(facts).reason,
            "p99 <= 5 ms: it was 6.20 ms, as of 3.00 s; the run was stopped: 50 messages sent, 1,000 deliveries "
            "received");
  facts.stopped = facts.killed = true;
  EXPECT_EQ(judge(facts).verdict, Verdict::stopped) << "what came then cannot be judged";
  EXPECT_THAT(judge(facts).reason, testing::StartsWith("killed by the user"));
  EXPECT_THAT(judge(facts).reason, testing::EndsWith("; limit exceeded: " + facts.exceeded));
}

TEST(Verdict, ALimitThatEndedTheRunDoesNotHideAFailureOfBefore) {
  RunFacts facts = beyond_a_limit();
  facts.ended_by_limit = facts.failed_before_stop = true;
  facts.failures = {{.text = "receivers: killed by signal 9"}};
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_EQ(judge(facts).reason, "receivers: killed by signal 9; limit exceeded: " + facts.exceeded);
  facts.failures.clear();
  EXPECT_EQ(judge(facts).verdict, Verdict::limit) << "its process ended as planned, as was found later";
}

TEST(Verdict, MessagesThatWereNeverSentFail) {
  RunFacts facts = complete();
  facts.totals.accepted = 99;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_THAT(judge(facts).reason, HasSubstr("99 of 100"));
}

TEST(Verdict, TheFirstFailureHasTheWord) {
  RunFacts facts = complete();
  facts.failures = {{.text = "queue: killed by signal 9"}, {.text = "senders: ended with exit code 5"}};
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_THAT(judge(facts).reason, HasSubstr("queue: killed by signal 9 (and 1 more"));
}

TEST(Verdict, AKilledQueueHasTheWordWhoeverNoticedFirst) {
  RunOutcome outcome;
  outcome.begin();
  outcome.add_failure({.text = "receivers: the queue is gone"});
  outcome.add_cause({.text = "queue: killed by signal 9"});
  record::RunRecord record;
  outcome.judge(record, {});
  EXPECT_EQ(record.verdict, Verdict::failed);
  EXPECT_THAT(record.reason, HasSubstr("queue: killed by signal 9 (and 1 more)"));
}

TEST(Verdict, WhatTheUserStoppedIsStoppedWhateverFollowed) {
  RunFacts facts = complete();
  facts.stopped = true;
  facts.failures = {{.text = "receivers: killed by signal 9"}};
  facts.had_to_end = {"receivers"};
  EXPECT_EQ(judge(facts).verdict, Verdict::stopped);
  EXPECT_THAT(judge(facts).reason, HasSubstr("did not end when asked: receivers"));
  facts.killed = true;
  EXPECT_THAT(judge(facts).reason, HasSubstr("killed by the user"));
}

TEST(Verdict, AStoppedRunSaysThatItsLossesCannotBeCounted) {
  RunFacts facts = complete();
  facts.stopped = true;
  EXPECT_EQ(judge(facts).reason, "stopped by the user: 100 messages sent, 1,000 deliveries received");
  facts.totals.lost = std::nullopt;
  EXPECT_EQ(judge(facts).verdict, Verdict::stopped);
  EXPECT_THAT(judge(facts).reason, testing::EndsWith("received; losses cannot be counted"));
}

TEST(Verdict, AStoppedRunNamesNoCountsThatMayStillRise) {
  RunFacts facts = complete();
  facts.stopped = facts.uncertain = true;
  EXPECT_EQ(judge(facts).reason, "stopped by the user");
  facts.totals.corrupt = 2;
  EXPECT_EQ(judge(facts).reason, "stopped by the user, at least 2 corrupt");
}

TEST(Verdict, AStoppedRunSaysWhatFailedAfterTheStop) {
  RunFacts facts = complete();
  facts.stopped = true;
  facts.failures = {{.text = "queue: killed by signal 9"}, {.text = "senders: ended with exit code 5"}};
  EXPECT_EQ(judge(facts).verdict, Verdict::stopped);
  EXPECT_THAT(judge(facts).reason, testing::EndsWith("received; then queue: killed by signal 9"));
}

TEST(Verdict, AStopBeforeTheBeginSaysNothingOfProcessesThatThenNeverJoined) {
  RunFacts facts{.stopped = true, .failures = {{.text = "senders: ended with exit code 4"}}};
  EXPECT_EQ(judge(facts).reason, "stopped by the user, before the run began");
}

TEST(Verdict, AStopAfterAFailureDoesNotHideIt) {
  RunFacts facts = complete();
  facts.failures = {{.text = "receivers: killed by signal 9"}};
  facts.failed_before_stop = true;
  facts.stopped = true;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_THAT(judge(facts).reason, HasSubstr("receivers: killed by signal 9; then stopped by the user"));
}

TEST(Verdict, AStopAfterSomethingHadToBeEndedDoesNotHideIt) {
  RunFacts facts = complete();
  facts.had_to_end = {"senders"};
  facts.failed_before_stop = true;
  facts.stopped = true;
  facts.killed = true;
  EXPECT_EQ(judge(facts).verdict, Verdict::failed);
  EXPECT_EQ(judge(facts).reason, "did not end when asked: senders; then killed by the user");
}

TEST(Verdict, ARunThatNeverBeganFailed) {
  EXPECT_EQ(judge(RunFacts{}).verdict, Verdict::failed);
}

}  // namespace
}  // namespace n2nq::run
