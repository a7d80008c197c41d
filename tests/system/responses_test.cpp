// Responses act: a refused or unanswered message comes again, flagged; tries are bounded; the accounts show each.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Pair {
  Stage stage;
  std::optional<ForeignReceiver> receiver{};
  std::optional<ForeignSender> sender{};

  explicit Pair(Options options, Hello hello = {.wishes = kResponses}) {
    stage.start_broker(options);
    receiver.emplace(stage.port(), hello);
    sender.emplace(stage.port(), Hello{});
    receiver->begin();
    sender->begin();
  }
  RunEnded end() {
    sender->finish();
    receiver->take_all();
    receiver->bye();
    return stage.finish();
  }
};

class Responses : public testing::TestWithParam<std::string> {};

TEST_P(Responses, RefusedOnceBringTheMessageAgainFlagged) {
  Pair pair({"--mode", GetParam()});
  pair.receiver->verdict = [](const Delivery& delivery) { return delivery.id.second == 3 && !delivery.again ? 1 : 0; };
  pair.sender->send(5);
  auto all = pair.receiver->take(6);
  ASSERT_THAT(all, SizeIs(6));
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const auto& one) { return one.again == 2 && one.id.second == 3; }),
            1);
  EXPECT_EQ(pair.receiver->distinct().size(), 5U);
  RunEnded run = pair.end();
  EXPECT_EQ(counts(pair.receiver->end()), (EndCounts{.expected = 5, .delivered = 5, .redelivered = 1, .why = 0}));
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(run.broker.total("redelivered"), 1);
  EXPECT_EQ(run.broker.total("confirmed"), 5);
  EXPECT_EQ(books(run.broker), (Books{.accepted = 5, .owed = 5, .delivered = 5}));
}

TEST_P(Responses, RefusedThreeTimesEndAsUndeliverable) {
  Pair pair({"--mode", GetParam()});
  pair.receiver->verdict = [](const Delivery& delivery) { return delivery.id.second == 2 ? 1 : 0; };
  pair.sender->send(3);
  RunEnded run = pair.end();
  std::vector<uint32_t> tries;
  for (const auto& delivery : pair.receiver->deliveries()) {
    if (delivery.id.second == 2) tries.push_back(delivery.again);
  }
  EXPECT_THAT(tries, ElementsAre(0, 2, 3));
  if (GetParam() == "broadcaster") {
    ASSERT_THAT(pair.receiver->skipped(), SizeIs(1));
    EXPECT_EQ(pair.receiver->skipped()[0].reason, 2);
    EXPECT_EQ(pair.receiver->skipped()[0].lowest, 2U);
    EXPECT_EQ(counts(pair.receiver->end()),
              (EndCounts{.expected = 3, .delivered = 2, .undeliverable = 1, .redelivered = 2, .why = 0}));
  }
  EXPECT_EQ(books(run.broker), (Books{.accepted = 3, .owed = 3, .delivered = 2, .undeliverable = 1})) << run.story();
  EXPECT_EQ(run.broker.exit, Exit{.code = 1});
}

TEST_P(Responses, AreTriedAsOftenAsTheOptionSays) {
  Pair pair({"--mode", GetParam(), "--tries", "5"});
  pair.receiver->verdict = [](const Delivery&) { return 1; };
  pair.sender->send(1);
  pair.end();
  EXPECT_THAT(pair.receiver->deliveries(), SizeIs(5));
}

TEST_P(Responses, LeaveNoMoreUnansweredThanTheWindow) {
  Pair pair({"--mode", GetParam()});
  size_t window = pair.receiver->client().welcome().u32(40);
  ASSERT_GT(window, 0U);
  ASSERT_LT(window, 1U << 20);
  pair.sender->send(window + 20, 1);
  pair.sender->done();
  auto first = pair.receiver->take(window);
  EXPECT_THAT(first, SizeIs(window));
  EXPECT_THAT(pair.receiver->take_in_window(kLook), IsEmpty());
  for (const auto& delivery : first) pair.receiver->answer(delivery);
  auto rest = pair.receiver->take(20);
  EXPECT_THAT(rest, SizeIs(20));
  pair.receiver->answer_all(rest);
  RunEnded run = pair.end();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
}

TEST_P(Responses, WithRequestsWaitForBoth) {
  Pair pair({"--mode", GetParam(), "--retention", "until-collected"}, {.wishes = kResponses | kRequests});
  pair.receiver->verdict = [](const Delivery& delivery) { return delivery.again ? 0 : 1; };
  pair.sender->send(4);
  pair.receiver->request(2);
  // Each comes twice, and the second coming uses up nothing of what was asked for.
  EXPECT_THAT(pair.receiver->take(4), SizeIs(4));
  EXPECT_THAT(pair.receiver->take_in_window(kLook), IsEmpty());
  EXPECT_EQ(pair.receiver->distinct(), (std::set<MessageId>{{1, 1}, {1, 2}}));
  pair.receiver->request(kAllMessages);
  EXPECT_THAT(pair.receiver->take(4), SizeIs(4));
  RunEnded run = pair.end();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(run.broker.total("redelivered"), 4);
}

TEST_P(Responses, OfTheWorkerRefuseASpoiledMessageAndGetItAgain) {
  Stage stage;
  stage.start_broker({"--mode", GetParam()});
  Process bus({N2NQ_BROKEN_BUS, std::to_string(stage.port()), "corrupt", "7"});
  Fleet listening = receivers(1, {"--responses"});
  listening.port = await_json(bus, "ready")["port"].get<uint16_t>();
  stage.start(listening);
  stage.start(senders(1, {"--messages", "20", "--delay", "1ms"}));
  RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_EQ(run.broker.total("redelivered"), 1);
  EXPECT_EQ(run.sum("receiver", "redelivered"), 1);
  EXPECT_EQ(run.sum("receiver", "corrupt"), 1);
  EXPECT_EQ(run.sum("receiver", "received"), 20);
  EXPECT_EQ(run.sum("receiver", "responses"), 21);
  EXPECT_EQ(run.sum("receiver", "duplicates"), 0);
  ASSERT_EQ(run.receiver_logs.size(), 1U);
  const auto& rows = run.receiver_logs.begin()->second.rows;
  ASSERT_THAT(rows, SizeIs(21));
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.flagged("corrupt"); }), 1);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.flagged("again"); }), 1);
}

INSTANTIATE_TEST_SUITE_P(Modes, Responses, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

TEST(ResponsesOfALoadBalancer, UnansweredByAReceiverThatVanishedGoToAnotherFlagged) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer", "--policy", "round-robin"});
  ForeignReceiver first(stage.port(), {.number = 1, .wishes = kResponses});
  ForeignReceiver second(stage.port(), {.number = 2, .wishes = kResponses});
  ForeignSender sender(stage.port(), {});
  first.begin();
  second.begin();
  sender.begin();
  second.verdict = [](const Delivery&) { return 0; };
  sender.send(10);
  auto unanswered = first.take(5);
  ASSERT_THAT(unanswered, SizeIs(5));
  EXPECT_THAT(second.take(5), SizeIs(5));
  first.answer(unanswered[0]);
  first.client().close();
  auto moved = second.take(4);
  ASSERT_THAT(moved, SizeIs(4));
  for (const auto& delivery : moved) EXPECT_EQ(delivery.again, 2U);
  EXPECT_EQ(ids(moved), ids({unanswered.begin() + 1, unanswered.end()}));
  EXPECT_TRUE(sender.finish());
  second.take_all();
  EXPECT_EQ(counts(second.end()), (EndCounts{.expected = 9, .delivered = 9, .redelivered = 4, .why = 0}));
  second.bye();
  RunEnded run = stage.finish();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 10, .owed = 10, .delivered = 10})) << run.story();
  EXPECT_EQ(run.broker.total("confirmed"), 10);
  EXPECT_EQ(run.broker.total("redelivered"), 4);
}

TEST(ResponsesOfALoadBalancer, ThatAReceiverOwesForTooLongAreDueFromAnotherAndCountForBothAsHad) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer", "--policy", "round-robin", "--take-over", "200ms"});
  ForeignReceiver slow(stage.port(), {.number = 1, .wishes = kResponses});
  ForeignReceiver other(stage.port(), {.number = 2, .wishes = kResponses});
  ForeignSender sender(stage.port(), {});
  slow.begin();
  other.begin();
  sender.begin();
  other.verdict = [](const Delivery&) { return 0; };
  sender.send(10);
  const auto unanswered = slow.take(5);
  ASSERT_THAT(unanswered, SizeIs(5));
  slow.answer(unanswered[0]);
  const auto moved = other.take(9);
  ASSERT_THAT(moved, SizeIs(9));
  EXPECT_EQ(ids({moved.begin() + 5, moved.end()}), ids({unanswered.begin() + 1, unanswered.end()}));
  for (size_t i = 5; i < moved.size(); i++) EXPECT_EQ(moved[i].again, 2U);
  EXPECT_TRUE(sender.finish());
  EXPECT_THAT(other.take_in_window(kLook), IsEmpty());
  EXPECT_FALSE(other.end()) << "the end waits for what the slow one still owes";
  slow.answer_all({unanswered.begin() + 1, unanswered.end()});
  slow.take_all();
  other.take_all();
  EXPECT_EQ(counts(slow.end()), (EndCounts{.expected = 5, .delivered = 1, .why = 0}));
  EXPECT_EQ(counts(other.end()), (EndCounts{.expected = 9, .delivered = 9, .redelivered = 4, .why = 0}));
  slow.bye();
  other.bye();
  RunEnded run = stage.finish();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 10, .owed = 10, .delivered = 10})) << run.story();
  EXPECT_EQ(run.broker.total("late"), 4);
  EXPECT_EQ(run.broker.exit, Exit{.code = 0});
}

TEST(InDoubt, IsAllThatWasDeliveredToAReceiverThatVanishedWithoutResponses) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  ForeignReceiver vanishing(stage.port(), {.number = 1}), staying(stage.port(), {.number = 2});
  ForeignSender sender(stage.port(), {});
  vanishing.begin();
  staying.begin();
  sender.begin();
  sender.send(10);
  EXPECT_THAT(vanishing.take(10), SizeIs(10));
  vanishing.client().close();
  EXPECT_TRUE(sender.finish());
  EXPECT_THAT(staying.take_all(), SizeIs(10));
  staying.bye();
  RunEnded run = stage.finish();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 10, .owed = 20, .delivered = 20})) << run.story();
  EXPECT_EQ(run.broker.total("in_doubt"), 10);
}

TEST(InDoubt, IsWhatWasNotConfirmedWithResponses) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  ForeignReceiver vanishing(stage.port(), {.number = 1, .wishes = kResponses}), staying(stage.port(), {.number = 2});
  ForeignSender sender(stage.port(), {});
  vanishing.begin();
  staying.begin();
  sender.begin();
  sender.send(10);
  auto had = vanishing.take(10);
  ASSERT_THAT(had, SizeIs(10));
  vanishing.answer_all({had.begin(), had.begin() + 6});
  vanishing.client().close();
  EXPECT_TRUE(sender.finish());
  EXPECT_THAT(staying.take_all(), SizeIs(10));
  staying.bye();
  RunEnded run = stage.finish();
  EXPECT_EQ(run.broker.total("in_doubt"), 4) << run.story();
  EXPECT_EQ(run.broker.total("confirmed"), 6);
  EXPECT_EQ(run.broker.total("owed"), run.broker.total("delivered") + run.broker.total("undeliverable"));
}

TEST(Accepted, IsCumulativeAndEndsWithTheCountOfDone) {
  Pair pair({"--mode", "broadcaster"}, {});
  for (int i = 0; i < 20; ++i) {
    pair.sender->send(10);
    pair.receiver->take(10);
  }
  pair.sender->done();
  ASSERT_TRUE(pair.sender->wait_accepted(200));
  const auto& all = pair.sender->accepted();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(all.back(), 200U);
  pair.end();
}

}  // namespace
}  // namespace n2nq::test
