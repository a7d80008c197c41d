// The broker decides when a run begins and ends, and everybody can see from its frames what it should have had.
#include <filesystem>
#include <fstream>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

bool begins(ForeignClient& client, Deadline deadline) {
  while (auto frame = client.next(deadline)) {
    if (frame->type() == kBegin) return true;
  }
  return false;
}

class Begin : public testing::Test {
 protected:
  void start(Options options = {}) {
    options.insert(options.end(), {"--mode", "broadcaster"});
    stage.start_broker(options);
  }
  ForeignClient join(const Hello& hello) { return ForeignClient::join(stage.port(), hello); }
  Stage stage;
};

TEST_F(Begin, WaitsForASenderAndAReceiver) {
  start();
  ForeignClient receiver = join({.role = 2});
  EXPECT_FALSE(begins(receiver, Deadline::window(kLook)));
  ForeignClient sender = join({.role = 1});
  Frame begin = sender.await(kBegin);
  EXPECT_EQ(begin.u32(24), 1U);
  EXPECT_EQ(begin.u32(28), 1U);
  Frame other = receiver.await(kBegin);
  EXPECT_EQ(begin.bytes, other.bytes);
}

TEST_F(Begin, WaitsForTheWholeFleet) {
  start();
  ForeignClient receiver = join({.role = 2});
  ForeignClient first = join({.role = 1, .number = 1, .fleet_size = 2, .fleet = 7});
  EXPECT_FALSE(begins(receiver, Deadline::window(kLook)));
  ForeignClient second = join({.role = 1, .number = 2, .fleet_size = 2, .fleet = 7});
  EXPECT_EQ(receiver.await(kBegin).u32(24), 2U);
}

TEST_F(Begin, WaitsForEveryFleetThatIsHere) {
  start();
  ForeignClient receiver = join({.role = 2, .fleet_size = 2, .fleet = 3});
  ForeignClient sender = join({.role = 1});
  EXPECT_FALSE(begins(sender, Deadline::window(kLook)));
  ForeignClient second = join({.role = 2, .number = 2, .fleet_size = 2, .fleet = 3});
  EXPECT_TRUE(begins(sender, 10s));
}

TEST_F(Begin, WaitsForTheReadyOfAFleetOnHold) {
  start();
  ForeignClient receiver = join({.role = 2});
  ForeignClient first = join({.role = 1, .number = 1, .wishes = kHold, .fleet_size = 2, .fleet = 7});
  ForeignClient second = join({.role = 1, .number = 2, .wishes = kHold, .fleet_size = 2, .fleet = 7});
  EXPECT_FALSE(begins(receiver, Deadline::window(kLook)));
  second.send(ready_frame(7));
  EXPECT_TRUE(begins(receiver, 10s));
  EXPECT_TRUE(begins(first, 10s));
}

TEST_F(Begin, WaitsForTheExpectedNumbers) {
  start({"--expect-senders", "2", "--expect-receivers", "1"});
  ForeignClient receiver = join({.role = 2});
  ForeignClient first = join({.role = 1, .number = 1});
  EXPECT_FALSE(begins(receiver, Deadline::window(kLook)));
  ForeignClient second = join({.role = 1, .number = 2});
  EXPECT_EQ(receiver.await(kBegin).u32(24), 2U);
}

TEST_F(Begin, ComesAtOnceForWhoJoinsLater) {
  start();
  ForeignClient receiver = join({.role = 2}), sender = join({.role = 1});
  Frame begin = receiver.await(kBegin);
  ForeignClient late = join({.role = 2, .number = 2});
  EXPECT_EQ(late.welcome().u8(11) & 2, 2);
  EXPECT_EQ(receiver.welcome().u8(11) & 2, 0);
  EXPECT_EQ(late.await(kBegin).i64(8), begin.i64(8));
}

TEST_F(Begin, IsNotMetInTimeAndTheBrokerNamesWhoIsMissing) {
  start({"--assemble-timeout", "500ms", "--expect-senders", "1", "--expect-receivers", "3"});
  stage.start(senders(1, {"--messages", "5"}));
  stage.start(receivers(2));
  RunEnded run = stage.finish(20s);
  EXPECT_TRUE(run.all_ended_with(4)) << run.story();
  EXPECT_THAT(run.broker.err, HasSubstr("receiver"));
  for (const auto& fleet : run.fleets) {
    EXPECT_THAT(fleet.err, HasSubstr("receiver")) << "a worker is told who is missing";
    EXPECT_FALSE(fleet.summary.empty());
  }
  EXPECT_FALSE(run.broker.summary.empty());
}

TEST_F(Begin, IsNotMetBecauseHalfAFleetIsMissing) {
  start({"--assemble-timeout", "500ms"});
  ForeignClient receiver = join({.role = 2});
  ForeignClient sender = join({.role = 1, .number = 1, .fleet_size = 2, .fleet = 7});
  std::optional<Frame> error;
  while (auto frame = sender.next(10s)) error = frame->type() == kError ? frame : error;
  ASSERT_TRUE(error);
  EXPECT_EQ(error->u16(8), 15) << error->text();
  EXPECT_EQ(stage.finish(20s).broker.exit, Exit{.code = 4});
}

TEST_F(Begin, IsNotWaitedForBeforeTheFirstJoin) {
  start({"--assemble-timeout", "100ms"});
  EXPECT_EQ(stage.broker().wait_exit(Deadline::window(400ms)), std::nullopt);
}

// A little more than 2^32 ms.
const std::string kFiftyDays = "4294967.297s";

TEST_F(Begin, IsWaitedForAsLongAsTheTimeoutSaysHoweverLongThatIs) {
  start({"--assemble-timeout", kFiftyDays});
  ForeignReceiver receiver(stage.port(), {});
  EXPECT_EQ(stage.broker().wait_exit(Deadline::window(400ms)), std::nullopt);
  ForeignSender sender(stage.port(), {});
  receiver.begin();
  sender.begin();
  EXPECT_TRUE(sender.finish());
  receiver.take_all();
  receiver.bye();
  EXPECT_EQ(stage.finish().broker.exit, Exit{.code = 0});
}

class LateJoiner : public testing::TestWithParam<std::string> {};

TEST_P(LateJoiner, StartsAtTheEndOfTheQueueAsItIs) {
  bool balanced = GetParam() == "load-balancer";
  Stage stage;
  stage.start_broker({"--mode", GetParam(), "--policy", "round-robin"});
  ForeignReceiver early(stage.port(), {.number = 1});
  ForeignSender sender(stage.port(), {});
  early.begin();
  sender.begin();
  sender.send(5);
  EXPECT_THAT(early.take(5), SizeIs(5));
  ForeignReceiver late(stage.port(), {.number = 2});
  ForeignSender second(stage.port(), {.number = 2});
  sender.send(4);
  second.send(4);
  EXPECT_TRUE(sender.finish());
  EXPECT_TRUE(second.finish());
  early.take_all();
  late.take_all();
  for (const auto& delivery : late.deliveries()) EXPECT_TRUE(delivery.id.first == 2 || delivery.id.second > 5);
  EXPECT_EQ(late.deliveries().size(), balanced ? 4U : 8U);
  EXPECT_EQ(counts(late.end()).expected, balanced ? 4U : 8U);
  EXPECT_EQ(counts(early.end()).expected, balanced ? 9U : 13U);
  early.bye();
  late.bye();
  RunEnded run = stage.finish();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  int64_t owed = balanced ? 13 : 21;
  EXPECT_EQ(books(run.broker), (Books{.accepted = 13, .owed = owed, .delivered = owed}));
}

INSTANTIATE_TEST_SUITE_P(Modes, LateJoiner, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

class End : public testing::TestWithParam<std::string> {
 protected:
  void start(Options options, Hello hello = {}) {
    options.insert(options.end(), {"--mode", GetParam()});
    stage.start_broker(options);
    receiver.emplace(stage.port(), hello);
    sender.emplace(stage.port(), Hello{});
    receiver->begin();
    sender->begin();
  }
  bool balanced() const { return GetParam() == "load-balancer"; }
  Stage stage;
  std::optional<ForeignReceiver> receiver;
  std::optional<ForeignSender> sender;
};

TEST_P(End, ComesWhenASenderVanishedAndWhatItSentIsDelivered) {
  start({});
  sender->send(5);
  sender->client().close();
  EXPECT_EQ(indices(receiver->take_all()), range(1, 5));
  EXPECT_EQ(counts(receiver->end()), (EndCounts{.expected = 5, .delivered = 5, .why = 0}));
  receiver->bye();
  RunEnded run = stage.finish();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 5, .owed = 5, .delivered = 5})) << run.story();
}

TEST_P(End, ComesAfterTheDrainTimeoutWithoutARequest) {
  start({"--drain-timeout", "300ms", "--retention", "1h"}, {.wishes = kRequests});
  sender->send(5);
  ASSERT_TRUE(sender->finish());
  EXPECT_THAT(receiver->take_all(), IsEmpty());
  EXPECT_EQ(counts(receiver->end()).why, 1);
  receiver->bye();
  RunEnded run = stage.finish();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 5, .owed = 5, .undeliverable = 5})) << run.story();
  EXPECT_EQ(run.broker.exit, Exit{.code = 1});
}

TEST_P(End, IsWaitedForAsLongAsTheTimeoutsSayHoweverLongThatIs) {
  start({"--drain-timeout", kFiftyDays, "--stall-timeout", kFiftyDays, "--retention", "1h"},
        {.wishes = kRequests | kResponses});
  receiver->request(1);
  sender->send(5);
  EXPECT_THAT(receiver->take(1), SizeIs(1));
  sender->client().send(done_frame(5).substr(0, 10));  // half a frame
  EXPECT_THAT(receiver->take_in_window(400ms), IsEmpty());
  EXPECT_FALSE(receiver->error()) << "an answer is waited for";
  sender->client().send(done_frame(5).substr(10));
  ASSERT_TRUE(sender->wait_accepted(5)) << "the rest of a frame is waited for";
  EXPECT_THAT(receiver->take_in_window(400ms), IsEmpty());
  EXPECT_FALSE(receiver->end()) << "a request is waited for";
  receiver->verdict = [](const Delivery&) { return 0; };
  receiver->answer(receiver->deliveries()[0]);
  receiver->request(kAllMessages);
  EXPECT_EQ(indices(receiver->take_all()), range(2, 5));
  EXPECT_EQ(counts(receiver->end()), (EndCounts{.expected = 5, .delivered = 5, .why = 0}));
  receiver->bye();
  sender->client().send(bye_frame(5));
  sender->client().close();
  EXPECT_EQ(stage.finish().broker.exit, Exit{.code = 0});
}

TEST_P(End, IsPutOffByARequest) {
  start({"--drain-timeout", "1s", "--retention", "1h"}, {.wishes = kRequests});
  sender->send(5);
  ASSERT_TRUE(sender->finish());
  for (uint64_t index : range(1, 5)) {
    EXPECT_THAT(receiver->take_in_window(400ms), IsEmpty());  // five of these are longer than the timeout
    receiver->request(1);
    EXPECT_THAT(indices(receiver->take(1)), testing::ElementsAre(index));
  }
  receiver->take_all();
  EXPECT_EQ(counts(receiver->end()), (EndCounts{.expected = 5, .delivered = 5, .why = 0}));
}

TEST_P(End, ComesAtOnceWhenTheLastReceiverLeftAndTheSendersAreDone) {
  start({"--drain-timeout", "100s", "--retention", "1h"}, {.wishes = kRequests});
  sender->send(5);
  ASSERT_TRUE(sender->finish());
  receiver->request(2);
  EXPECT_THAT(receiver->take(2), SizeIs(2));
  receiver->client().close();
  RunEnded run = stage.finish(20s);
  EXPECT_EQ(run.broker.exit, Exit{.code = 1}) << run.story();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 5, .owed = 5, .delivered = 2, .undeliverable = 3}));
}

TEST_P(End, ComesToTheSendersWhenNoReceiverIsLeft) {
  start({"--drain-timeout", "300ms"});
  sender->send(2);
  EXPECT_THAT(receiver->take(2), SizeIs(2));
  receiver->bye();
  Frame end = sender->client().await(kEnd);
  EXPECT_EQ(end.u64(8), 2U);
  EXPECT_EQ(end.u8(48), 3);
  sender->client().send(bye_frame(2));
  sender->client().close();
  RunEnded run = stage.finish(20s);
  EXPECT_EQ(run.broker.total("accepted"), 2) << run.story();
}

TEST_P(End, SaysThatNoReceiverIsLeftWhereTheOnlyOneWasDropped) {
  start({"--stall-timeout", "500ms", "--retention", "1h"}, {.wishes = kResponses});
  sender->send(5);
  sender->done();
  ASSERT_TRUE(sender->wait_accepted(5));
  receiver->take_all();
  ASSERT_TRUE(receiver->error());
  EXPECT_EQ(receiver->error()->u16(8), 14) << receiver->error()->text();
  EXPECT_EQ(sender->client().await(kEnd).u8(48), 3);
  sender->client().send(bye_frame(5));
  sender->client().close();
  RunEnded run = stage.finish(20s);
  EXPECT_EQ(run.broker.exit, Exit{.code = 1}) << run.story();
  EXPECT_EQ(run.broker.summary["reason"], "no receiver left");
  EXPECT_EQ(run.broker.summary["end"], "no_receiver");
}

TEST_P(End, IsNoLessOrderlyForASenderThatClosesAfterDoneWithoutBye) {
  start({});
  sender->send(5);
  sender->done();
  ASSERT_TRUE(sender->wait_accepted(5));
  sender->client().close();
  EXPECT_EQ(indices(receiver->take_all()), range(1, 5));
  EXPECT_EQ(counts(receiver->end()).why, 0);
  receiver->bye();
  RunEnded run = stage.finish(20s);
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(run.broker.total("senders_vanished"), 0);
}

TEST_P(End, ComesToAReceiverThatLeaves) {
  start({});
  ForeignReceiver staying(stage.port(), {.number = 2});
  staying.begin();
  sender->send(6);
  size_t mine = 0;
  if (balanced()) {
    Deadline deadline(10s);
    while (receiver->deliveries().size() + staying.deliveries().size() < 6 && !deadline.passed()) {
      receiver->take_in_window(1ms);
      staying.take_in_window(1ms);
    }
    mine = receiver->deliveries().size();
  } else {
    mine = receiver->take(6).size();
  }
  receiver->client().send(leave_frame());
  receiver->take_all();
  EXPECT_EQ(counts(receiver->end()), (EndCounts{.expected = mine, .delivered = mine, .why = 4}));
  receiver->bye();
  sender->send(4);
  EXPECT_TRUE(sender->finish());
  staying.take_all();
  EXPECT_EQ(counts(staying.end()).expected, balanced() ? 10 - mine : 10U);
  staying.bye();
  RunEnded run = stage.finish();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(run.broker.total("in_doubt"), 0);
  EXPECT_EQ(run.broker.total("owed"), balanced() ? 10 : 16);
}

TEST_P(End, LeavesTheClockConnectionUntilTheLastServiceIsGone) {
  start({});
  ForeignClient clock = ForeignClient::join(stage.port(), {.role = 3, .number = 0});
  clock.send(probe_frame(12345));
  Frame echo = clock.await(kEcho);
  EXPECT_EQ(echo.i64(8), 12345);
  EXPECT_LE(echo.i64(16), echo.i64(24));
  sender->send(1);
  EXPECT_TRUE(sender->finish());
  receiver->take_all();
  receiver->bye();
  EXPECT_TRUE(clock.wait_closed(10s));
  EXPECT_EQ(stage.finish().broker.exit, Exit{.code = 0});
}

// Whoever wants to know how much goes through fills a clock connection, and learns by an ECHO that all of it was taken.
TEST(Fill, IsTakenOnAClockConnectionUntilTheRunBegins) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  ForeignClient clock = ForeignClient::join(stage.port(), {.role = 3, .number = 0});
  for (int i = 0; i < 100; i++) clock.send(fill_frame(65'536));
  clock.send(fill_frame(8));
  clock.send(probe_frame(77));
  EXPECT_EQ(clock.await(kEcho).i64(8), 77);
  ForeignClient receiver = ForeignClient::join(stage.port(), {.role = 2});
  ForeignClient sender = ForeignClient::join(stage.port(), {.role = 1, .number = 1});
  receiver.await(kBegin);
  clock.send(fill_frame(100));
  EXPECT_TRUE(clock.wait_closed(10s)) << "never in a run";
}

INSTANTIATE_TEST_SUITE_P(Modes, End, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

// The id of this host's clock as the page says that it is made.
uint64_t clock_id_by_the_page() {
  const auto mix = [](uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  };
  const auto add = [&](uint64_t h, const std::string& text) {
    for (const char c : text) h = mix(h ^ static_cast<uint8_t>(c));
    return mix(h + text.size());
  };
  std::string boot_id, line, offsets, space = "none";
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot_id);
  std::ifstream lines("/proc/self/timens_offsets");
  while (std::getline(lines, line))
    if (line.starts_with("monotonic")) offsets = line;
  std::error_code none;
  if (const auto link = std::filesystem::read_symlink("/proc/self/ns/time", none); !none) space = link.string();
  const uint64_t id = add(add(add(0, boot_id), space), offsets);
  return id == 0 ? 1 : id;
}

TEST(Clock, IsTheSameForWhoMakesItsIdAsThePageSays) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  ForeignClient sender = ForeignClient::join(stage.port(), {.clock_id = clock_id_by_the_page()});
  EXPECT_EQ(sender.welcome().u8(11) & 1, 1);
  EXPECT_EQ(sender.welcome().u64(24), clock_id_by_the_page());
}

// Of a clock that is known to be another, messages say nothing before a CLOCK has come. One speaks for its whole fleet.
TEST(Clock, OfAnotherHostComesBeforeTheMessages) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  ForeignReceiver receiver(stage.port(), {});
  const auto hello = [](uint32_t number) {
    return Hello{.number = number, .fleet_size = 2, .fleet = 7, .clock_id = 12345};
  };
  ForeignClient first = ForeignClient::join(stage.port(), hello(4));
  ASSERT_NE(first.welcome().u64(24), 0U) << "the broker knows its own clock";
  EXPECT_EQ(first.welcome().u8(11) & 1, 0);
  ForeignClient second = ForeignClient::join(stage.port(), hello(5));
  ForeignClient hasty = ForeignClient::join(stage.port(), {.number = 6, .clock_id = 12345});
  receiver.begin();
  hasty.send(data_frame(6, 1, "x"));
  Frame error = hasty.await(kError);
  EXPECT_EQ(error.u16(8), 6) << error.text();
  EXPECT_THAT(error.text(), HasSubstr("CLOCK"));
  first.send(clock_frame(4, 5, 1000, 2000, 0) + data_frame(4, 1, "x") + done_frame(1));
  EXPECT_THAT(receiver.take(1), SizeIs(1));
  second.send(data_frame(5, 1, "y") + done_frame(1));
  EXPECT_THAT(receiver.take(1), SizeIs(1));
  for (ForeignClient* client : {&first, &second}) client->send(bye_frame(1));
  receiver.take_all();
  receiver.bye();
  RunEnded run = stage.finish(20s);
  EXPECT_EQ(books(run.broker), (Books{.accepted = 2, .owed = 2, .delivered = 2})) << run.story();
  EXPECT_EQ(run.broker.total("senders_vanished"), 1);
  EXPECT_EQ(run.broker.summary["verdict"], "incomplete");
  EXPECT_EQ(run.broker.summary["end"], "complete");
  EXPECT_EQ(run.broker.summary["reason"], "");
}

TEST(Clock, OfASenderIsPassedOnToEachReceiverFleetOnce) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  ForeignClient receiver = ForeignClient::join(stage.port(), {.role = 2});
  ForeignClient sender = ForeignClient::join(stage.port(), {.role = 1, .number = 4});
  receiver.await(kBegin);
  std::string said = clock_frame(4, 4, -123456789, 2000, 99);
  sender.send(said + data_frame(4, 1, "x"));
  EXPECT_EQ(receiver.await(kClock).bytes, said);
  EXPECT_EQ(receiver.await(kData).u32(8), 4U);
  ForeignClient late = ForeignClient::join(stage.port(), {.role = 2, .number = 2});
  EXPECT_EQ(late.await(kClock).bytes, said);
}

}  // namespace
}  // namespace n2nq::test
