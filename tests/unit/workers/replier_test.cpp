// What a receiver replies, against a broker that the test plays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workers/receiving.h"

namespace n2nq::receiver {
namespace {

ReceiverOptions replying(uint64_t least, uint64_t most) {
  ReceiverOptions options;
  options.reply_size = SizeRange{.min = least, .max = most};
  return options;
}

wire::ReplyHeader expect_reply(Peer& peer) {
  const auto frame = peer.expect(wire::Type::reply);
  const auto reply = wire::decode_reply(frame);
  if (!reply) return {};
  EXPECT_EQ(wire::crc32c(std::span(frame).subspan(wire::kReplyHeaderBytes)), reply->checksum);
  return *reply;
}

TEST(Replier, RepliesToEachRequestWithContentOfItsOwn) {
  Receiving receiving(replying(10, 90), wire::Mode::request_reply);
  const fleet::MessageSource source(*receiving.replies, 1);
  Peer peer = receiving.begin();
  const int64_t before_ns = measure::now_ns();
  for (const uint64_t index : {1, 2, 3}) peer.send_bytes(data_frame(5, index, "request"));
  for (const uint64_t index : {1, 2, 3}) {
    const wire::ReplyHeader reply = expect_reply(peer);
    EXPECT_EQ(reply.requester, 5u);
    EXPECT_EQ(reply.replier, 1u);
    EXPECT_EQ(reply.index, index);
    EXPECT_EQ(reply.checksum, source.at(index).checksum);
    EXPECT_EQ(reply.payload_size(), source.at(index).payload.size());
    EXPECT_GE(reply.read_ns, before_ns);
    EXPECT_GE(reply.sent_ns, reply.read_ns);
  }
  EXPECT_EQ(receiving.end(peer, 3), 3u);
  EXPECT_EQ(receiving.report().counters.front().replies, 3u);
}

// The order of replies is free, but a refusal has to be of the oldest request that is not answered.
TEST(Replier, RefusesADamagedRequestInItsTurn) {
  ReceiverOptions options = replying(5, 5);
  options.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 20'000'000};
  Receiving receiving(options, wire::Mode::request_reply);
  Peer peer = receiving.begin();
  wire::Bytes frames = data_frame(1, 1, "request");
  for (const wire::Bytes& next : {data_frame(1, 2, "damaged", true), data_frame(1, 3, "request")})
    frames.insert(frames.end(), next.begin(), next.end());
  peer.send_bytes(frames);
  const wire::ReplyHeader first = expect_reply(peer);
  EXPECT_EQ(first.index, 1u);
  EXPECT_GE(first.sent_ns - first.read_ns, options.service_time.mean_ns);
  std::vector<wire::ResponseItem> refused;
  ASSERT_TRUE(wire::decode_response(peer.expect(wire::Type::response), refused));
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].index, 2u);
  EXPECT_EQ(refused[0].verdict, wire::Verdict::refused);
  EXPECT_EQ(expect_reply(peer).index, 3u);
  peer.send(wire::Again{.sender = 1, .attempt = 2, .index = 2});
  peer.send_bytes(data_frame(1, 2, "request"));
  EXPECT_EQ(expect_reply(peer).index, 2u);
  receiving.end(peer, 3);
  const ReceiverCounters counters = receiving.report().counters.front();
  EXPECT_EQ(counters.replies, 3u);
  EXPECT_EQ(counters.corrupt, 1u);
}

TEST(Replier, RepliesToWhatItIsGivenAgain) {
  Receiving receiving(replying(5, 5), wire::Mode::request_reply);
  Peer peer = receiving.begin();
  peer.send_bytes(data_frame(1, 1, "request"));
  expect_reply(peer);
  peer.send(wire::Again{.sender = 1, .attempt = 2, .index = 1});
  peer.send_bytes(data_frame(1, 1, "request"));
  EXPECT_EQ(expect_reply(peer).index, 1u);
  EXPECT_EQ(receiving.end(peer, 1), 1u);
}

// Nobody reads its replies: it takes no more requests than it has in hand, and loses none of them.
TEST(Replier, TakesNoRequestsWhileItsRepliesAreNotTaken) {
  constexpr uint64_t kRequests = 500;
  constexpr uint64_t kRequest = 100'000;
  Receiving receiving(replying(kRequest, kRequest), wire::Mode::request_reply);
  Peer peer = receiving.begin();
  const std::string content(kRequest, 'q');
  const auto replies = [&] { return receiving.ask([&] { return receiving.loop->report().counters.front().replies; }); };
  uint64_t asked = 0;
  wire::Bytes frame;
  size_t sent = 0;
  const auto ask_while_taken = [&](Deadline deadline) {
    for (pollfd ready{.fd = peer.fd(), .events = POLLOUT, .revents = 0};;) {
      if (sent == frame.size()) {
        if (asked == kRequests) return;
        frame = data_frame(1, ++asked, content);
        sent = 0;
      }
      if (::poll(&ready, 1, deadline.poll_ms()) != 1) return;
      const ssize_t n = ::send(peer.fd(), frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) sent += static_cast<size_t>(n);
    }
  };
  ask_while_taken(Deadline::window(100ms));
  EXPECT_LT(asked, kRequests) << "it read all requests though nobody takes its replies";
  EXPECT_LT(replies(), asked);
  for (uint64_t index = 1; index <= kRequests && !testing::Test::HasFailure(); index++) {
    EXPECT_EQ(expect_reply(peer).index, index);
    ask_while_taken(Deadline::window(0ms));
  }
  EXPECT_EQ(receiving.end(peer, kRequests), kRequests);
  EXPECT_EQ(receiving.report().counters.front().replies, kRequests);
}

TEST(Replier, SaysHowItsClockStandsBeforeItsFirstReply) {
  Receiving receiving(replying(5, 5), wire::Mode::request_reply);
  wire::Welcome welcome = welcome_to(wire::Mode::request_reply);
  welcome.same_clock = false;
  Peer peer = receiving.broker.accept_and_begin(welcome, begin_now());
  peer.send_bytes(data_frame(1, 1, "request"));
  EXPECT_FALSE(peer.has_bytes());
  receiving.loop->post(
      [&] { receiving.loop->set_clock({.same = false, .estimate = {.offset_ns = 5}, .good_for_ns = 1'000'000'000}); });
  const auto clock = wire::decode_clock(peer.expect(wire::Type::clock));
  ASSERT_TRUE(clock);
  EXPECT_EQ(clock->first, 1u);
  auto next = peer.receive();
  while (!next.empty() && wire::read_header(next.data()).type == wire::Type::clock) next = peer.receive();
  ASSERT_FALSE(next.empty());
  EXPECT_EQ(wire::read_header(next.data()).type, wire::Type::reply);
}

TEST(Replier, ToldToLeaveRepliesToWhatItHasAndSaysNoMoreOfItsClock) {
  ReceiverOptions options = replying(5, 5);
  options.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 3'600'000'000'000};
  Receiving receiving(options, wire::Mode::request_reply);
  Peer peer = receiving.begin();
  peer.send_bytes(data_frame(1, 1, "request"));
  peer.send_bytes(data_frame(1, 2, "request"));
  const Deadline deadline(10s);
  while (receiving.ask([&] { return receiving.loop->report().counters.front().received(); }) < 2 && !deadline.passed())
    continue;
  receiving.loop->post([&] { receiving.loop->stop(); });
  peer.expect(wire::Type::leave);
  EXPECT_EQ(expect_reply(peer).index, 1u);
  EXPECT_EQ(expect_reply(peer).index, 2u);
  receiving.loop->post(
      [&] { receiving.loop->set_clock({.same = false, .estimate = {.offset_ns = 5}, .good_for_ns = 1'000'000'000}); });
  EXPECT_EQ(receiving.end(peer, 2), 2u);
}

}  // namespace
}  // namespace n2nq::receiver
