// Requests act: nothing goes to a receiver unasked, and what it asks for is what it gets.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Requests : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { stage.start_broker({"--mode", GetParam(), "--retention", "until-collected"}); }
  Stage stage;
};

TEST_P(Requests, BringExactlyWhatWasAskedForThenNothingThenMore) {
  ForeignReceiver receiver(stage.port(), {.wishes = kRequests});
  ForeignSender sender(stage.port(), {});
  receiver.begin();
  sender.begin();
  sender.send(10);
  sender.done();
  ASSERT_TRUE(sender.wait_accepted(10));
  EXPECT_THAT(receiver.take_in_window(kLook), IsEmpty());
  receiver.request(3);
  EXPECT_THAT(indices(receiver.take(3)), ElementsAre(1, 2, 3));
  EXPECT_THAT(receiver.take_in_window(kLook), IsEmpty());
  receiver.request(2);
  receiver.request(1);
  EXPECT_THAT(indices(receiver.take(3)), ElementsAre(4, 5, 6));
  EXPECT_THAT(receiver.take_in_window(kLook), IsEmpty());
  receiver.request(kAllMessages);
  EXPECT_THAT(indices(receiver.take_all()), ElementsAre(7, 8, 9, 10));
  EXPECT_EQ(counts(receiver.end()), (EndCounts{.expected = 10, .delivered = 10, .why = 0}));
  receiver.bye();
  EXPECT_TRUE(sender.finish());
  RunEnded run = stage.finish();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 10, .owed = 10, .delivered = 10}));
  EXPECT_EQ(run.broker.total("requests"), 4);
}

TEST_P(Requests, CanBeReplaced) {
  ForeignReceiver receiver(stage.port(), {.wishes = kRequests});
  ForeignSender sender(stage.port(), {});
  receiver.begin();
  sender.begin();
  receiver.client().send(request_frame(100) + request_frame(2, true));
  sender.send(10);
  sender.done();
  EXPECT_THAT(indices(receiver.take(2)), ElementsAre(1, 2));
  ASSERT_TRUE(sender.wait_accepted(10));
  EXPECT_THAT(receiver.take_in_window(kLook), IsEmpty());
  receiver.request(kAllMessages, true);
  EXPECT_EQ(indices(receiver.take_all()), range(3, 10));
  receiver.bye();
  EXPECT_TRUE(sender.finish());
  EXPECT_EQ(stage.finish().broker.exit, Exit{.code = 0});
}

TEST_P(Requests, CanBeTakenUpAndDroppedByAReceiverThatJoinedWithoutThem) {
  ForeignReceiver receiver(stage.port(), {});
  ForeignSender sender(stage.port(), {});
  receiver.begin();
  sender.begin();
  sender.send(4);
  EXPECT_EQ(indices(receiver.take(4)), range(1, 4));
  receiver.request(2, true);
  sender.send(4);
  sender.done();
  EXPECT_THAT(indices(receiver.take(2)), ElementsAre(5, 6));
  ASSERT_TRUE(sender.wait_accepted(8));
  EXPECT_THAT(receiver.take_in_window(kLook), IsEmpty());
  receiver.request(kAllMessages, true);
  EXPECT_THAT(indices(receiver.take_all()), ElementsAre(7, 8));
  receiver.bye();
  EXPECT_TRUE(sender.finish());
  EXPECT_EQ(stage.finish().broker.exit, Exit{.code = 0});
}

TEST_P(Requests, MadeBeforeTheBeginAreServedAfterIt) {
  ForeignReceiver receiver(stage.port(), {.wishes = kRequests});
  receiver.request(kAllMessages);
  ForeignSender sender(stage.port(), {});
  sender.begin();
  sender.send(5);
  EXPECT_TRUE(sender.finish());
  EXPECT_EQ(indices(receiver.take_all()), range(1, 5));
  receiver.bye();
  EXPECT_EQ(stage.finish().broker.exit, Exit{.code = 0});
}

TEST_P(Requests, OfTheWorkerNameTheNextNOnceNHaveCome) {
  stage.start(receivers(2, {"--requests", "5"}));
  stage.start(senders(1, {"--messages", "20", "--delay", "1ms"}));
  RunEnded run = stage.finish();
  bool balanced = GetParam() == "load-balancer";
  EXPECT_THAT(check_complete_run(run, {.load_balancer = balanced, .requests = true, .messages = 20}), IsEmpty());
  // A receiver of n messages has asked once at the begin and after each five; after the last five only if END had not
  // come.
  int64_t most = 0;
  int64_t least = 0;
  for (const auto& [number, log] : run.receiver_logs) {
    const auto rows = static_cast<int64_t>(log.rows.size());
    most += 1 + rows / 5;
    least += 1 + (rows - 1) / 5;
  }
  EXPECT_LE(run.sum("receiver", "requests"), most);
  EXPECT_GE(run.sum("receiver", "requests"), least);
}

INSTANTIATE_TEST_SUITE_P(Modes, Requests, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

TEST(RequestsOfALoadBalancer, BringEachReceiverWhatItAskedForAndNothingTwice) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer"});
  ForeignReceiver first(stage.port(), {.number = 1, .wishes = kRequests});
  ForeignReceiver second(stage.port(), {.number = 2, .wishes = kRequests});
  ForeignSender sender(stage.port(), {});
  first.begin();
  second.begin();
  sender.begin();
  sender.send(10);
  sender.done();
  ASSERT_TRUE(sender.wait_accepted(10));
  first.request(3);
  EXPECT_THAT(first.take(3), testing::SizeIs(3));
  second.request(4);
  EXPECT_THAT(second.take(4), testing::SizeIs(4));
  EXPECT_THAT(first.take_in_window(kLook), IsEmpty());
  EXPECT_THAT(second.take_in_window(kLook), IsEmpty());
  first.request(kAllMessages);
  EXPECT_THAT(first.take_all(), testing::SizeIs(3));
  second.take_all();
  EXPECT_EQ(counts(first.end()), (EndCounts{.expected = 6, .delivered = 6, .why = 0}));
  EXPECT_EQ(counts(second.end()), (EndCounts{.expected = 4, .delivered = 4, .why = 0}));
  auto all = first.distinct();
  for (const auto& id : second.distinct()) EXPECT_TRUE(all.insert(id).second);
  EXPECT_EQ(all.size(), 10U);
}

}  // namespace
}  // namespace n2nq::test
