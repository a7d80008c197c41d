// Request-reply, by clients written by hand: who gets a request, who gets its reply, what becomes of both when somebody
// is gone, and what the broker refuses.
#include <deque>
#include <map>
#include <thread>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

struct Requester {
  ForeignSender sender;
  std::vector<Frame> replies{};
  uint64_t skipped = 0;
  bool said_done = false;
  std::optional<Frame> end{};

  Requester(uint16_t port, uint32_t number) : sender(port, {.number = number, .wishes = kReplies}) {}
  ForeignClient& client() { return sender.client(); }
  // Reads until so many more replies came, or END.
  void take(size_t count, Deadline deadline = 10s) {
    for (const size_t before = replies.size(); replies.size() - before < count && !end;) {
      auto frame = client().next(deadline);
      if (!frame) return;
      if (frame->type() == kReply) replies.push_back(*frame);
      if (frame->type() == kSkip) skipped += frame->u64(16);
      if (frame->type() == kEnd) end = *frame;
    }
  }
  void done() {
    if (!std::exchange(said_done, true)) sender.done();
  }
  // Index and replier.
  std::vector<std::pair<uint64_t, uint32_t>> ids() const {
    std::vector<std::pair<uint64_t, uint32_t>> out;
    for (const Frame& reply : replies) out.emplace_back(reply.u64(16), reply.u32(40));
    return out;
  }
};

struct Replier {
  uint32_t number;
  ForeignReceiver receiver;

  Replier(uint16_t port, uint32_t own) : number(own), receiver(port, {.number = own, .wishes = kReplies}) {}
  ForeignClient& client() { return receiver.client(); }
  void reply(MessageId id, const std::string& payload = "") {
    client().send(reply_frame(id.first, id.second, number, payload));
  }
  // The same large reply to all of one requester, whose checksum takes a while to make.
  void reply_to_all(const std::vector<Delivery>& taken, uint32_t requester) {
    std::string frame = reply_frame(requester, 1, number, std::string(1 << 20, 'r'));
    for (const auto& delivery : taken) {
      if (delivery.id.first != requester) continue;
      put(frame, 16, delivery.id.second, 8);
      client().send(frame);
    }
  }
  std::vector<Delivery> reply_to(size_t count) {
    const auto taken = receiver.take(count);
    for (const auto& delivery : taken) reply(delivery.id, "to " + std::to_string(delivery.id.second));
    return taken;
  }
  void finish() {
    receiver.take_all();
    receiver.bye();
  }
};

struct Scene {
  Stage stage;
  std::deque<Requester> requesters{};
  std::deque<Replier> repliers{};

  explicit Scene(Options options, uint32_t asking = 1, uint32_t replying = 1) {
    options.insert(options.begin(), {"--mode", "request-reply", "--expect-senders", std::to_string(asking),
                                     "--expect-receivers", std::to_string(replying)});
    stage.start_broker(options);
    for (uint32_t i = 1; i <= asking; i++) requesters.emplace_back(stage.port(), i);
    for (uint32_t i = 1; i <= replying; i++) repliers.emplace_back(stage.port(), i);
    for (Requester& one : requesters) one.sender.begin();
    for (Replier& one : repliers) one.receiver.begin();
  }
  Requester& requester() { return requesters.front(); }
  Replier& replier() { return repliers.front(); }
  RunEnded end() {
    for (Requester& one : requesters)
      if (!one.client().closed()) one.done();
    for (Requester& one : requesters)
      if (!one.client().closed()) one.take(SIZE_MAX, 20s);
    for (Replier& one : repliers)
      if (!one.client().closed()) one.finish();
    for (Requester& one : requesters) {
      if (one.client().closed()) continue;
      one.client().send(bye_frame(one.sender.sent()));
      one.client().close();
    }
    return stage.finish();
  }
};

TEST(Replies, ComeToTheRequesterThatAskedUnchanged) {
  Scene scene({"--policy", "round-robin"}, 2, 2);
  EXPECT_EQ(scene.requester().client().welcome().u8(10), 3);
  EXPECT_EQ(scene.requester().client().welcome().u8(44), 1);
  scene.requesters[0].sender.send(4);
  scene.requesters[1].sender.send(2);
  std::map<MessageId, std::string> sent;
  for (Replier& replier : scene.repliers) {
    for (const auto& delivery : replier.receiver.take(3)) {
      const std::string frame = reply_frame(delivery.id.first, delivery.id.second, replier.number,
                                            std::string(static_cast<size_t>(delivery.id.second), 'r'));
      sent[delivery.id] = frame;
      replier.client().send(frame);
    }
  }
  scene.requesters[0].take(4);
  scene.requesters[1].take(2);
  for (Requester& requester : scene.requesters)
    for (const Frame& reply : requester.replies) EXPECT_EQ(reply.bytes, (sent[{reply.u32(8), reply.u64(16)}]));
  RunEnded run = scene.end();
  EXPECT_THAT(scene.requesters[0].replies, SizeIs(4));
  EXPECT_THAT(scene.requesters[1].replies, SizeIs(2));
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 6, .owed = 6, .delivered = 6}));
  EXPECT_EQ(run.broker.total("confirmed"), 6);
  EXPECT_EQ(run.broker.total("replies"), 6);
  EXPECT_EQ(run.broker.total("replies_delivered"), 6);
  EXPECT_EQ(run.broker.total("replies_surplus"), 0);
  ASSERT_TRUE(scene.requester().end);
  EXPECT_EQ(scene.requester().end->u64(8), 4U);
  EXPECT_EQ(scene.requester().end->u8(48), 0);
}

TEST(Replies, OfAllRepliersComeWhereAllAreAsked) {
  for (const char* from : {"first", "all"}) {
    Scene scene({"--reply-from", from}, 1, 3);
    EXPECT_EQ(scene.requester().client().welcome().u8(44), from == std::string("first") ? 2 : 3);
    scene.requester().sender.send(2);
    for (Replier& replier : scene.repliers) EXPECT_EQ(indices(replier.reply_to(2)), range(1, 2));
    scene.requester().take(6);
    RunEnded run = scene.end();
    using Id = std::pair<uint64_t, uint32_t>;
    EXPECT_THAT(scene.requester().ids(),
                UnorderedElementsAre(Id{1, 1}, Id{1, 2}, Id{1, 3}, Id{2, 1}, Id{2, 2}, Id{2, 3}));
    EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
    EXPECT_EQ(books(run.broker), (Books{.accepted = 2, .owed = 6, .delivered = 6}));
    EXPECT_EQ(run.broker.total("replies_delivered"), 6);
  }
}

// The run does not end while a requester waits for its reply after DONE.
TEST(Replies, ComeAfterDoneUntilTheEnd) {
  Scene scene({});
  scene.requester().sender.send(3);
  scene.requester().done();
  const auto taken = scene.replier().receiver.take(3);
  EXPECT_THAT(taken, SizeIs(3));
  scene.requester().take(1, Deadline::window(kLook));
  EXPECT_FALSE(scene.requester().end);
  for (auto one = taken.rbegin(); one != taken.rend(); ++one) scene.replier().reply(one->id);  // in any order
  RunEnded run = scene.end();
  EXPECT_THAT(scene.requester().replies, SizeIs(3));
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(run.broker.total("confirmed"), 3);
}

TEST(Replies, BeyondTheFirstArePassedOnAndCounted) {
  Scene scene({});
  scene.requester().sender.send(1);
  scene.replier().reply_to(1);
  scene.replier().reply({1, 1});
  scene.replier().reply({1, 1});
  scene.requester().take(3);
  RunEnded run = scene.end();
  EXPECT_THAT(scene.requester().replies, SizeIs(3));
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(run.broker.total("confirmed"), 1);
  EXPECT_EQ(run.broker.total("replies_delivered"), 3);
  EXPECT_EQ(run.broker.total("replies_surplus"), 2);
}

// The broker reads replies to where they stay; what comes with them in one read shifts them.
TEST(Replies, ComeBehindAnotherFrameOfTheSameRead) {
  Scene scene({"--policy", "round-robin"}, 1, 2);
  scene.requester().sender.send(4);
  std::string frames = leave_frame();
  for (const auto& delivery : scene.replier().receiver.take(2))
    frames += reply_frame(1, delivery.id.second, 1, "content");
  scene.replier().client().send(frames);
  EXPECT_THAT(scene.repliers[1].reply_to(2), SizeIs(2));
  scene.requester().take(4);
  RunEnded run = scene.end();
  EXPECT_THAT(scene.requester().replies, SizeIs(4));
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
}

TEST(Replies, AreOwedByAnotherReplierOnceTheFirstIsGone) {
  Scene scene({"--policy", "round-robin"}, 1, 2);
  scene.requester().sender.send(4);
  EXPECT_THAT(scene.repliers[1].receiver.take(2), SizeIs(2));
  scene.repliers[0].reply_to(1);
  EXPECT_THAT(scene.repliers[0].receiver.take(1), SizeIs(1));
  scene.requester().take(1);
  scene.repliers[0].client().reset();
  const auto again = scene.repliers[1].receiver.take(1);
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].again, 2U);
  for (const auto& delivery : scene.repliers[1].receiver.deliveries()) scene.repliers[1].reply(delivery.id);
  scene.requester().take(3);
  RunEnded run = scene.end();
  EXPECT_THAT(scene.requester().replies, SizeIs(4));
  EXPECT_EQ(books(run.broker), (Books{.accepted = 4, .owed = 4, .delivered = 4})) << run.story();
  EXPECT_EQ(run.broker.total("redelivered"), 1);
  EXPECT_EQ(run.broker.total("in_doubt"), 1);
  EXPECT_EQ(run.broker.total("replies_delivered"), 4);
  EXPECT_EQ(run.broker.total("receivers_vanished"), 1);
}

TEST(Replies, ToARequesterThatIsGoneAreCountedAndHoldUpNobody) {
  for (const bool orderly : {false, true}) {
    Scene scene({}, 2, 1);
    for (Requester& requester : scene.requesters) requester.sender.send(2);
    const auto taken = scene.replier().receiver.take(4);
    ASSERT_THAT(taken, SizeIs(4));
    if (orderly) scene.requesters[0].client().send(bye_frame(2));
    orderly ? scene.requesters[0].client().close() : scene.requesters[0].client().reset();
    // The broker knows of it once it has answered a replier's word that came later: none is lost on the way.
    scene.requesters[1].sender.send(1);
    EXPECT_THAT(scene.replier().receiver.take(1), SizeIs(1));
    for (const auto& delivery : scene.replier().receiver.deliveries()) scene.replier().reply(delivery.id);
    scene.requesters[1].take(3);
    RunEnded run = scene.end();
    EXPECT_THAT(scene.requesters[1].replies, SizeIs(3));
    EXPECT_EQ(run.broker.total("replies"), 5);
    EXPECT_EQ(run.broker.total("replies_delivered"), 3) << run.story();
    EXPECT_EQ(run.broker.total("replies_undeliverable"), 2);
    EXPECT_EQ(run.broker.total("replies_unclaimed"), orderly ? 2 : 0);
    EXPECT_EQ(run.broker.exit, Exit{.code = orderly ? 0 : 1});
  }
}

// Replies wait for a requester that does not read, in bounded memory, and hold up no other.
TEST(Replies, WaitForASlowRequesterWithinTheBound) {
  Scene scene({"--max-memory", "8MiB", "--telemetry", "10ms"}, 2, 1);
  constexpr size_t kReplyCount = 40;
  scene.requesters[0].sender.send(kReplyCount, 0);
  scene.requesters[1].sender.send(1, 0);
  const auto taken = scene.replier().receiver.take(kReplyCount + 1);
  ASSERT_THAT(taken, SizeIs(kReplyCount + 1));
  scene.replier().reply({2, 1});
  std::thread replying([&] { scene.replier().reply_to_all(taken, 1); });
  scene.requesters[1].take(1);
  EXPECT_THAT(scene.requesters[1].replies, SizeIs(1));
  int64_t most = 0;
  for (int line = 0; line < 20; line++)
    most = std::max(most, await_json(scene.stage.broker(), "telemetry")["kept_bytes"].get<int64_t>());
  EXPECT_LE(most, 2 * (8 << 20)) << "requests and replies each";
  scene.requesters[0].take(kReplyCount, 20s);
  replying.join();
  EXPECT_THAT(scene.requesters[0].replies, SizeIs(kReplyCount));
  for (size_t i = 0; i < scene.requesters[0].replies.size(); i++)
    EXPECT_EQ(scene.requesters[0].replies[i].u64(16), i + 1);
  RunEnded run = scene.end();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
}

TEST(Replies, ExpireWithTheRetentionTimeAndTheRequesterHearsOfIt) {
  Scene scene({"--retention", "100ms", "--telemetry", "10ms"});
  scene.requester().sender.send(30, 0);
  const auto taken = scene.replier().receiver.take(30);
  ASSERT_THAT(taken, SizeIs(30));
  scene.replier().reply_to_all(taken, 1);
  int64_t expired = 0;
  for (Deadline deadline(20s); expired == 0 && !deadline.passed();)
    expired = await_json(scene.stage.broker(), "telemetry")["replies_expired"].get<int64_t>();
  EXPECT_GT(expired, 0);
  RunEnded run = scene.end();
  EXPECT_EQ(run.broker.total("replies"), 30) << run.story();
  EXPECT_EQ(run.broker.total("replies_delivered"), static_cast<int64_t>(scene.requester().replies.size()));
  EXPECT_EQ(run.broker.total("replies_expired"), 30 - run.broker.total("replies_delivered"));
  EXPECT_EQ(run.broker.total("replies_expired"), static_cast<int64_t>(scene.requester().skipped));
  EXPECT_EQ(run.broker.exit, Exit{.code = 1});
}

// A request that nobody takes waits in the queue for whoever comes.
TEST(Replies, OfARequestThatComesWhileOneIsAwayComeFromTheOther) {
  Scene scene({"--policy", "round-robin"}, 1, 2);
  Replier &one = scene.repliers[0], &other = scene.repliers[1];
  scene.requester().sender.send(2);
  EXPECT_THAT(other.reply_to(1), SizeIs(1));
  const auto held = one.receiver.take(1);
  ASSERT_THAT(held, SizeIs(1));
  one.receiver.request(0, true);
  one.reply(held.front().id, "of what it had");
  scene.requester().take(2);
  scene.requester().sender.send(6);
  EXPECT_THAT(other.reply_to(5), SizeIs(5));
  const auto sixth = other.receiver.take(1);
  ASSERT_THAT(sixth, SizeIs(1)) << "all of them";
  other.receiver.request(0, true);
  other.reply(sixth.front().id);
  scene.requester().take(6);
  scene.requester().sender.send(3);
  one.receiver.request(UINT64_MAX, true);
  EXPECT_THAT(one.reply_to(3), SizeIs(3)) << "which waited while nobody was there";
  scene.requester().take(3);
  std::vector<uint32_t> repliers;
  for (const auto& [index, replier] : scene.requester().ids()) repliers.push_back(replier);
  RunEnded run = scene.end();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(books(run.broker), (Books{.accepted = 11, .owed = 11, .delivered = 11}));
  EXPECT_EQ(std::ranges::count(repliers, 1u), 4);
  EXPECT_EQ(run.broker.total("replies_delivered"), 11);
}

struct FirstOrAll : testing::TestWithParam<const char*> {};

TEST_P(FirstOrAll, OweAReplierEachRequestSoThatNoneGoesAway) {
  Scene scene({"--reply-from", GetParam()});
  scene.replier().client().send(request_frame(0, true));
  scene.replier().receiver.take(1);
  ASSERT_TRUE(scene.replier().receiver.error());
  EXPECT_EQ(scene.replier().receiver.error()->u16(8), 6);
  EXPECT_THAT(scene.replier().receiver.error()->text(), HasSubstr("only where each request goes to one replier"));
}

INSTANTIATE_TEST_SUITE_P(Replies, FirstOrAll, testing::Values("first", "all"),
                         [](const auto& one) { return one.param; });

struct Refusal {
  const char* name;
  std::string frame;
  int code;
  const char* text;
};

std::vector<Refusal> refusals() {
  std::vector<Refusal> all;
  all.push_back({"AnothersName", reply_frame(1, 1, 9), 8, "in the name of receiver 9"});
  all.push_back({"NoSuchRequester", reply_frame(7, 1, 1), 8, "sender 7, which has not joined"});
  all.push_back({"NoSuchRequest", reply_frame(1, 5, 1), 9, "request 5 of sender 1, which has sent 1"});
  all.push_back({"IndexZero", reply_frame(1, 0, 1), 5, "malformed REPLY"});
  std::string reserved = reply_frame(1, 1, 1);
  put(reserved, 44, 1, 4);
  all.push_back({"ReservedBytes", reserved, 5, "malformed REPLY"});
  all.push_back({"TooShort", blank_frame(kReply, 47), 5, "malformed REPLY"});
  std::string flagged = reply_frame(1, 1, 1);
  flagged[5] = 1;
  all.push_back({"Flags", flagged, 5, "malformed REPLY"});
  std::string huge = reply_frame(1, 1, 1);
  put(huge, 0, (1 << 20) + 49, 4);
  all.push_back({"TooLarge", huge, 7, "--max-message"});
  all.push_back({"GoodResponse", response_frame({{1, 1, 0}}), 13, "only a REPLY"});
  all.push_back({"Request", request_frame(1), 6, "REQUEST"});
  all.push_back({"RequestOfSome", request_frame(5, true), 6, "REQUEST"});
  all.push_back({"RequestThatAdds", request_frame(0, false), 6, "REQUEST"});
  all.push_back({"RequestWithAFilter", request_frame(0, true, ForeignFilter{}), 6, "REQUEST"});
  return all;
}

class RefusedReply : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedReply, EndsTheReplierWithTheReason) {
  Scene scene({});
  scene.requester().sender.send(1);
  EXPECT_THAT(scene.replier().receiver.take(1), SizeIs(1));
  scene.replier().client().send(GetParam().frame);
  scene.replier().receiver.take(1);
  ASSERT_TRUE(scene.replier().receiver.error());
  EXPECT_EQ(scene.replier().receiver.error()->u16(8), GetParam().code);
  EXPECT_THAT(scene.replier().receiver.error()->text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(Replies, RefusedReply, testing::ValuesIn(refusals()),
                         [](const auto& one) { return one.param.name; });

TEST(RequestReply, RefusesClientsThatDoNotKnowItInWords) {
  Stage stage;
  stage.start_broker({"--mode", "request-reply"});
  for (const uint8_t role : {1, 2}) {
    try {
      ForeignClient::join(stage.port(), {.role = role});
      ADD_FAILURE() << "welcomed";
    } catch (const std::exception& refused) {
      EXPECT_THAT(refused.what(), HasSubstr("request-reply, which this client does not know"));
    }
  }
  for (const uint8_t wish : {kResponses, kRequests}) {
    try {
      ForeignClient::join(stage.port(), {.role = 2, .wishes = static_cast<uint8_t>(wish | kReplies)});
      ADD_FAILURE() << "welcomed";
    } catch (const std::exception& refused) {
      EXPECT_THAT(refused.what(), HasSubstr("request-reply"));
    }
  }
}

TEST(RequestReply, IsNothingToTheOtherModes) {
  for (const char* mode : {"broadcaster", "load-balancer"}) {
    Stage stage;
    stage.start_broker({"--mode", mode});
    ForeignReceiver receiver(stage.port(), {.wishes = kReplies});
    ForeignSender sender(stage.port(), {.wishes = kReplies});
    receiver.begin();
    sender.begin();
    sender.send(1);
    EXPECT_THAT(receiver.take(1), SizeIs(1));
    receiver.client().send(reply_frame(1, 1, 1));
    receiver.take(1);
    ASSERT_TRUE(receiver.error()) << mode;
    EXPECT_EQ(receiver.error()->u16(8), 6);
  }
}

}  // namespace
}  // namespace n2nq::test
