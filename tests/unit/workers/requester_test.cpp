// What a sender does with replies, against a broker that the test plays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/allocations/allocations.h"
#include "tests/unit/workers/sending.h"

namespace n2nq::sender {
namespace {

using testing::HasSubstr;

SenderOptions asking(uint64_t requests, uint32_t outstanding, wire::ReplyFrom from = wire::ReplyFrom::one) {
  SenderOptions options = saturating(requests, 50);
  options.reply_from = from;
  options.outstanding = outstanding;
  options.timeout_ns = 60'000'000'000;
  return options;
}

wire::Welcome welcome_requester(wire::ReplyFrom from = wire::ReplyFrom::one) {
  wire::Welcome welcome = welcome_to(wire::Mode::request_reply);
  welcome.reply_from = from;
  return welcome;
}

uint64_t index_of(const std::vector<uint8_t>& frame) {
  return frame.empty() ? 0 : wire::read_data_header(frame.data()).index;
}

TEST(Requester, InClosedLoopSendsTheNextAsSoonAsOneIsAnswered) {
  Sending sending(asking(5, 2));
  Peer peer = sending.begin(welcome_requester());
  EXPECT_EQ(index_of(peer.expect(wire::Type::data)), 1u);
  EXPECT_EQ(index_of(peer.expect(wire::Type::data)), 2u);
  peer.send(wire::Accepted{.count = 2});
  EXPECT_FALSE(peer.has_bytes());
  peer.send_bytes(reply_frame(1, 2, 1, "reply"));
  EXPECT_EQ(index_of(peer.expect(wire::Type::data)), 3u);
  EXPECT_FALSE(peer.has_bytes());
  wire::Bytes both = reply_frame(1, 3, 1, "");
  const wire::Bytes other = reply_frame(1, 1, 1, "");
  both.insert(both.end(), other.begin(), other.end());
  peer.send_bytes(both);
  EXPECT_EQ(index_of(peer.expect(wire::Type::data)), 4u);
  EXPECT_EQ(index_of(peer.expect(wire::Type::data)), 5u);
  EXPECT_EQ(wire::decode_done(peer.expect(wire::Type::done))->count, 5u);
  EXPECT_EQ(sending.counters().outstanding, 2u);
}

// It stays for late replies, and for those of requests that it still waits for.
TEST(Requester, StaysUntilTheEndAndGivesUpWhatWasNotAnsweredByThen) {
  Sending sending(asking(3, 0));
  Peer peer = sending.begin(welcome_requester());
  for (int i = 0; i < 3; i++) peer.expect(wire::Type::data);
  peer.expect(wire::Type::done);
  peer.send(wire::Accepted{.count = 3});
  peer.send_bytes(reply_frame(1, 1, 1, "reply"));
  EXPECT_FALSE(peer.has_bytes());
  peer.send(wire::End{.expected = 3});
  EXPECT_EQ(wire::decode_bye(peer.expect(wire::Type::bye))->count, 3u);
  peer.close();
  EXPECT_TRUE(sending.fleet.wait_ended());
  const ReplyCounters replied = sending.counters();
  EXPECT_EQ(replied.replies, 1u);
  EXPECT_EQ(replied.timeouts, 2u);
  EXPECT_EQ(replied.outstanding, 0u);
}

TEST(Requester, CountsEachReplyAsWhatItIs) {
  SenderOptions options = asking(4, 0);
  options.timeout_ns = 300'000'000;
  Sending sending(options);
  Peer peer = sending.begin(welcome_requester());
  for (int i = 0; i < 4; i++) peer.expect(wire::Type::data);
  const Deadline deadline(10s);
  peer.send_bytes(reply_frame(1, 1, 1, "reply"));
  peer.send_bytes(reply_frame(1, 1, 2, "the same again"));
  peer.send_bytes(reply_frame(1, 2, 1, "damaged", true));
  while (sending.counters().timeouts < 3 && !deadline.passed()) continue;
  peer.send_bytes(reply_frame(1, 3, 1, "too late"));
  peer.send(wire::End{.expected = 4});
  peer.expect(wire::Type::done);
  peer.expect(wire::Type::bye);
  const ReplyCounters replied = sending.counters();
  EXPECT_EQ(replied.replies, 1u);
  EXPECT_EQ(replied.double_replies, 1u);
  EXPECT_EQ(replied.corrupt, 1u);
  EXPECT_EQ(replied.timeouts, 3u);
  EXPECT_EQ(replied.late_replies, 1u);
}

TEST(Requester, RefusesAReplyToWhatItHasNotAsked) {
  for (const wire::Bytes& wrong : {reply_frame(1, 2, 1, "x"), reply_frame(2, 1, 1, "x")}) {
    Sending sending(asking(2, 1));
    Peer peer = sending.begin(welcome_requester());
    peer.expect(wire::Type::data);
    peer.send_bytes(wrong);
    ASSERT_TRUE(sending.fleet.wait_ended());
    ASSERT_EQ(sending.fleet.losses().size(), 1u);
    EXPECT_THAT(sending.fleet.losses()[0].text, HasSubstr("a reply to request"));
  }
}

// With the largest payload the frame of a reply is longer than that of a message.
TEST(Requester, TakesRepliesOfTheLargestSize) {
  Sending sending(asking(1, 0));
  wire::Welcome welcome = welcome_requester();
  welcome.max_payload = 200'000;
  Peer peer = sending.begin(welcome);
  peer.expect(wire::Type::data);
  peer.send_bytes(reply_frame(1, 1, 1, std::string(welcome.max_payload, 'r')));
  const Deadline deadline(10s);
  while (sending.counters().replies == 0 && sending.fleet.losses().empty() && !deadline.passed()) continue;
  EXPECT_EQ(sending.counters().replies, 1u);
}

TEST(Requester, MeasuresTheWayBackByTheRepliersClock) {
  constexpr int64_t kAhead = 1'000'000'000'000;
  Sending sending(asking(1, 0));
  Peer peer = sending.begin(welcome_requester());
  peer.expect(wire::Type::data);
  const int64_t now_ns = measure::now_ns();
  peer.send(wire::Clock{.first = 7, .last = 7, .offset_ns = -kAhead, .bound_ns = 5, .from_ns = now_ns + kAhead - 1});
  peer.send_bytes(reply_frame(1, 1, 7, "reply", false, now_ns + kAhead));
  const Deadline deadline(10s);
  while (sending.counters().replies == 0 && !deadline.passed()) continue;
  const auto way_back =
      sending.ask([&] { return sending.loop->measured().latencies[Latency::reply_latency].moments(); });
  EXPECT_LT(way_back.max_ns, 10'000'000'000);
  EXPECT_GE(sending.ask([&] { return sending.loop->report().bound_ns; }), 5);
}

TEST(Requester, HandlesRepliesWithoutAllocating) {
  const SenderOptions options = asking(1, 0);
  const fleet::MessagePool pool(options.size, options.seed);
  StubFleet fleet;
  FakeBroker broker;
  const fleet::FleetContext context = context_for(wire::Role::sender, broker.endpoint());
  SenderLoop loop(context, fleet, options, pool, 0, 1, nullptr);
  Requester requester(loop, 0, 1, 1, 0);
  uint64_t index = 0;
  const auto ask_and_answer = [&](wire::Bytes& frame) {
    requester.sent({.sent_ns = 1'000'000});
    wire::put<uint64_t>(frame.data() + 16, ++index);
    ASSERT_TRUE(requester.take(frame, 2'000'000));
  };
  wire::Bytes frame = reply_frame(1, 1, 1, "reply");
  for (int i = 0; i < 100; i++) ask_and_answer(frame);
  const uint64_t before = test::allocations();
  for (int i = 0; i < 10'000; i++) ask_and_answer(frame);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(requester.counters().replies, 10'100u);
}

// Its log is full: it reads no further replies, and holds that against nobody.
TEST(Requester, WhoseLogHangsLosesNoLineOfAReply) {
  log::LogQueue log(4096);
  Sending sending(asking(300, 1), &log);
  Peer peer = sending.begin(welcome_requester());
  std::vector<std::pair<uint64_t, uint32_t>> logged;
  const auto drain = [&] {
    log.drain(SIZE_MAX, [&](const log::LogRecord& record, const log::LogPayload&) {
      logged.emplace_back(record.index, record.flags);
    });
  };
  const Deadline deadline(20s);
  for (uint64_t i = 1; i <= 300; i++) {
    while (!peer.has_bytes() && !deadline.passed()) drain();
    peer.expect(wire::Type::data);
    peer.send_bytes(reply_frame(1, i, 1, "reply"));
  }
  while (!peer.has_bytes() && !deadline.passed()) drain();
  peer.expect(wire::Type::done);
  peer.send(wire::End{.expected = 300});
  while (!peer.has_bytes() && !deadline.passed()) drain();
  peer.expect(wire::Type::bye);
  drain();
  ASSERT_EQ(logged.size(), 600u);
  for (uint64_t i = 0; i < 300; i++) {
    EXPECT_EQ(logged[2 * i], std::pair(i + 1, uint32_t{0}));
    EXPECT_EQ(logged[2 * i + 1], std::pair(i + 1, uint32_t{log::kLogReply}));
  }
  EXPECT_TRUE(sending.fleet.losses().empty());
}

}  // namespace
}  // namespace n2nq::sender
