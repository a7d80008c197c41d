// Retention acts: a message that is not collected in time goes, visibly and counted; without a time it stays.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class Retention : public testing::TestWithParam<std::string> {
 protected:
  // A receiver that asks for the first `asked`, and a sender of ten.
  void start(Options options, uint64_t asked) {
    options.insert(options.end(), {"--mode", GetParam()});
    stage.start_broker(options);
    receiver.emplace(stage.port(), Hello{.wishes = kRequests});
    sender.emplace(stage.port(), Hello{});
    receiver->begin();
    sender->begin();
    if (asked) receiver->request(asked);
    sender->send(10);
    sender->done();
    ASSERT_TRUE(sender->wait_accepted(10));
  }
  RunEnded end() {
    sender->finish();
    receiver->bye();
    return stage.finish();
  }
  bool balanced() const { return GetParam() == "load-balancer"; }

  Stage stage;
  std::optional<ForeignReceiver> receiver;
  std::optional<ForeignSender> sender;
};

TEST_P(Retention, DropsWhatNobodyAskedForAndCountsItAsExpired) {
  start({"--retention", "300ms"}, 0);
  EXPECT_THAT(receiver->take_all(), IsEmpty());
  ASSERT_TRUE(receiver->end());
  if (!balanced()) {
    ASSERT_THAT(receiver->skipped(), testing::Not(IsEmpty()));
    uint64_t skipped = 0;
    for (const auto& skip : receiver->skipped()) {
      EXPECT_EQ(skip.sender, 1U);
      EXPECT_EQ(skip.reason, 1);
      skipped += skip.count;
    }
    EXPECT_EQ(skipped, 10U);
    EXPECT_EQ(receiver->skipped().front().lowest, 1U);
    EXPECT_EQ(receiver->skipped().back().highest, 10U);
    EXPECT_EQ(counts(receiver->end()), (EndCounts{.expected = 10, .expired = 10, .why = 0}));
  }
  RunEnded run = end();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 10, .owed = 10, .expired = 10})) << run.story();
  EXPECT_EQ(run.broker.exit, Exit{.code = 1});
}

TEST_P(Retention, TakesOnlyWhatWasNotCollected) {
  start({"--retention", "300ms"}, 4);
  EXPECT_EQ(indices(receiver->take_all()), range(1, 4));
  RunEnded run = end();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 10, .owed = 10, .delivered = 4, .expired = 6})) << run.story();
}

TEST_P(Retention, UntilCollectedKeepsEverythingForALateRequest) {
  start({"--retention", "until-collected"}, 0);
  EXPECT_THAT(receiver->take_in_window(500ms), IsEmpty());
  receiver->request(kAllMessages);
  EXPECT_EQ(indices(receiver->take_all()), range(1, 10));
  EXPECT_THAT(receiver->skipped(), IsEmpty());
  RunEnded run = end();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
}

TEST_P(Retention, UntilCollectedEndsWithTheDrainTimeoutAndCallsTheRestUndeliverable) {
  start({"--retention", "until-collected", "--drain-timeout", "400ms"}, 3);
  EXPECT_EQ(indices(receiver->take_all()), range(1, 3));
  ASSERT_TRUE(receiver->end());
  EXPECT_EQ(counts(receiver->end()).why, 1);
  if (!balanced()) {
    EXPECT_EQ(counts(receiver->end()), (EndCounts{.expected = 10, .delivered = 3, .undeliverable = 7, .why = 1}));
    ASSERT_THAT(receiver->skipped(), SizeIs(1));
    EXPECT_EQ(receiver->skipped()[0].reason, 2);
    EXPECT_EQ(receiver->skipped()[0].count, 7U);
    EXPECT_EQ(receiver->skipped()[0].lowest, 4U);
    EXPECT_EQ(receiver->skipped()[0].highest, 10U);
  }
  RunEnded run = end();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 10, .owed = 10, .delivered = 3, .undeliverable = 7})) << run.story();
  EXPECT_EQ(run.broker.exit, Exit{.code = 1});
}

INSTANTIATE_TEST_SUITE_P(Modes, Retention, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

TEST(RetentionTime, DoesNotDelayTheEndOfARunInWhichNothingIsOwed) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster", "--retention", "1h"});
  stage.start(receivers(2));
  stage.start(senders(2, {"--messages", "10", "--delay", "1ms"}));
  EXPECT_THAT(check_complete_run(stage.finish(), {.messages = 10}), IsEmpty());
}

}  // namespace
}  // namespace n2nq::test
