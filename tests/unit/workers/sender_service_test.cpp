// What a sender sends, against a broker that the test plays.
#include <gtest/gtest.h>

#include "tests/unit/workers/sending.h"

namespace n2nq::sender {
namespace {

// The end of a Redis server that one sender is connected to; it answers when the test says so.
class RedisEnd {
 public:
  explicit RedisEnd(Peer peer) : peer_(std::move(peer)) {}
  // So many of the command in all.
  void expect(const std::string& command, size_t count) {
    const Deadline deadline(10s);
    while (count_of("\r\n" + command + "\r\n") < count) {
      pollfd ready{.fd = peer_.fd(), .events = POLLIN, .revents = 0};
      ASSERT_EQ(::poll(&ready, 1, deadline.poll_ms()), 1) << read_;
      char bytes[4096];
      const ssize_t n = ::recv(peer_.fd(), bytes, sizeof bytes, 0);
      ASSERT_GT(n, 0) << read_;
      read_.append(bytes, static_cast<size_t>(n));
    }
  }
  void say(std::string_view text) { peer_.send_bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()}); }

 private:
  size_t count_of(const std::string& text) const {
    size_t count = 0;
    for (size_t at = read_.find(text); at != std::string::npos; at = read_.find(text, at + 1)) count++;
    return count;
  }

  Peer peer_;
  std::string read_;
};

// Three messages, which the server has, and has not answered.
struct Publishing {
  explicit Publishing(int64_t warmup_ns = 0) : sending(options(warmup_ns)), peer(sending.broker.accept()) {
    peer.expect(wire::Type::hello);
    peer.send(welcome_to(wire::Mode::broadcaster));
    redis.emplace(server.accept());
    redis->expect("PING", 1);
    redis->say("+PONG\r\n");
    redis->expect("INFO", 1);
    redis->say("-NOPERM\r\n");
    peer.send(begin_now());
    redis->expect("PUBLISH", 3);
  }
  SenderOptions options(int64_t warmup_ns) const {
    SenderOptions given = saturating(3, 50);
    given.warmup_ns = warmup_ns;
    given.bus.kind = "redis-pubsub";
    given.bus.servers = {{.address = server.endpoint().text(), .endpoint = server.endpoint()}};
    return given;
  }
  bool wait_timed(uint64_t count) {
    const Deadline deadline(10s);
    while (sending.publish().count < count)
      if (deadline.passed()) return false;
    return true;
  }
  // The run ends for the sender.
  void finish() {
    peer.expect(wire::Type::done);
    peer.send(wire::Accepted{.count = 3});
    peer.expect(wire::Type::bye);
    peer.close();
    EXPECT_TRUE(sending.fleet.wait_ended());
  }

  FakeBroker server;
  Sending sending;
  Peer peer;
  std::optional<RedisEnd> redis;
};

TEST(Sender, TimesEachAnswerOfAnotherBusFromTheActualSend) {
  const int64_t start_ns = measure::now_ns();
  Publishing run;
  const int64_t out_ns = measure::now_ns();
  run.redis->say(":1\r\n:1\r\n");
  ASSERT_TRUE(run.wait_timed(2));
  EXPECT_EQ(run.sending.publish().count, 2u);
  EXPECT_LE(run.sending.publish().max_ns, measure::now_ns() - start_ns);
  ::poll(nullptr, 0, Deadline::window(30ms).poll_ms());
  const int64_t before_ns = measure::now_ns();
  run.redis->say(":1\r\n");
  ASSERT_TRUE(run.wait_timed(3));
  EXPECT_GE(run.sending.publish().max_ns, before_ns - out_ns);
  EXPECT_LE(run.sending.publish().max_ns, measure::now_ns() - start_ns);
  run.finish();
}

TEST(Sender, LeavesAnswersToMessagesOfTheWarmUpOut) {
  Publishing run(3'600'000'000'000);
  run.redis->say(":1\r\n:1\r\n:1\r\n");
  run.finish();
  EXPECT_EQ(run.sending.publish().count, 0u);
}

TEST(Sender, TimesNoAnswersOfOurOwnQueue) {
  Sending sending(saturating(2, 50));
  Peer peer = sending.begin();
  for (int i = 0; i < 2; i++) peer.expect(wire::Type::data);
  peer.expect(wire::Type::done);
  peer.send(wire::Accepted{.count = 2});
  peer.expect(wire::Type::bye);
  peer.close();
  EXPECT_TRUE(sending.fleet.wait_ended());
  EXPECT_EQ(sending.publish().count, 0u);
}

// The run may begin before the clock is measured, where others make up the number of senders that it waits for.
TEST(Sender, SaysHowItsClockStandsBeforeItsFirstMessageOnEachConnection) {
  SenderOptions two = saturating(1, 50);
  two.count = 2;
  Sending sending(two, nullptr, two.count);
  wire::Welcome welcome = welcome_to(wire::Mode::broadcaster);
  welcome.same_clock = false;
  std::vector<Peer> peers;
  for (int i = 0; i < 2; i++) peers.push_back(sending.broker.accept_and_begin(welcome, begin_now()));
  for (Peer& peer : peers) EXPECT_FALSE(peer.has_bytes()) << "a message before the clock is known";
  sending.loop->post(
      [&] { sending.loop->set_clock({.same = false, .estimate = {.offset_ns = 5}, .good_for_ns = 1'000'000'000}); });
  for (Peer& peer : peers) {
    const auto clock = wire::decode_clock(peer.expect(wire::Type::clock));
    ASSERT_TRUE(clock);
    auto next = peer.receive();
    while (!next.empty() && wire::read_header(next.data()).type == wire::Type::clock) next = peer.receive();
    ASSERT_FALSE(next.empty());
    const uint32_t number = wire::read_data_header(next.data()).sender;
    EXPECT_LE(clock->first, number);
    EXPECT_GE(clock->last, number);
    peer.expect(wire::Type::done);
    peer.send(wire::Accepted{.count = 1});
    peer.expect(wire::Type::bye);
    peer.close();
  }
  EXPECT_TRUE(sending.fleet.wait_ended());
}

TEST(Sender, SendsItsMessagesInOrderAndEndsWhenTheBrokerHasThemAll) {
  Sending sending(saturating(1000, 50));
  Peer peer = sending.begin();
  const fleet::MessageSource source(sending.pool, 1);
  for (uint64_t i = 1; i <= 1000; i++) {
    const auto frame = peer.expect(wire::Type::data);
    const auto header = wire::read_data_header(frame.data());
    ASSERT_EQ(header.index, i);
    ASSERT_EQ(header.checksum, source.at(i).checksum);
    ASSERT_EQ(header.intended_ns, wire::kNoSchedule);
  }
  EXPECT_EQ(wire::decode_done(peer.expect(wire::Type::done))->count, 1000u);
  peer.send(wire::Accepted{.count = 999});
  peer.send(wire::Accepted{.count = 1000});
  EXPECT_EQ(wire::decode_bye(peer.expect(wire::Type::bye))->count, 1000u);
  EXPECT_TRUE(peer.receive().empty());
  peer.close();
  EXPECT_TRUE(sending.fleet.wait_ended());
  EXPECT_TRUE(sending.counters().finished);
}

// While the socket is full the sender has stamped nothing but what the socket began to take: all that follows is
// stamped later. The window only lets the socket fill; the claim holds whenever the count is taken.
TEST(Sender, StampsNothingBeforeTheSocketCanTakeIt) {
  constexpr uint64_t kMessages = 40'000;
  Sending sending(saturating(kMessages, 1000));
  Peer peer = sending.begin();
  ASSERT_TRUE(sending.fleet.wait_begun());
  ::poll(nullptr, 0, Deadline::window(100ms).poll_ms());
  const int64_t before_ns = measure::now_ns();
  const uint64_t taken = sending.counters().sent();
  EXPECT_GT(taken, 0u);
  EXPECT_LT(taken, kMessages);
  int64_t last_ns = 0;
  for (uint64_t i = 1; i <= kMessages; i++) {
    const auto frame = peer.expect(wire::Type::data);
    const auto header = wire::read_data_header(frame.data());
    ASSERT_EQ(header.index, i);
    ASSERT_EQ(wire::crc32c(std::span(frame).subspan(wire::kDataHeaderBytes)), header.checksum);
    ASSERT_GE(header.sent_ns, last_ns);
    ASSERT_GE(header.sent_ns, i > taken ? before_ns : 0) << i;
    last_ns = header.sent_ns;
  }
  peer.expect(wire::Type::done);
}

// From when a message was due that the full socket did not take, until the test begins to read.
TEST(Sender, TellsHowLongTheQueueMadeItWait) {
  SenderOptions options = saturating(40'000, 1000);
  options.delay_ns = 1000;
  Sending sending(options);
  Peer peer = sending.begin();
  ASSERT_TRUE(sending.fleet.wait_begun());
  ASSERT_TRUE(sending.wait_full());
  const int64_t full_ns = measure::now_ns();
  ::poll(nullptr, 0, Deadline::window(20ms).poll_ms());
  const int64_t read_ns = measure::now_ns();
  for (uint64_t i = 1; i <= options.messages; i++) peer.expect(wire::Type::data);
  peer.expect(wire::Type::done);
  EXPECT_GE(sending.held().max_ns, read_ns - full_ns);
}

// Each wait that it caught up with is a value by itself: they do not add up to an excuse.
TEST(Sender, TellsEachWaitByItselfOnceItCaughtUp) {
  SenderOptions options = saturating(10'000, 300'000);
  options.delay_ns = 100'000'000;
  Sending sending(options);
  const int small = 64 * 1024;
  ASSERT_EQ(::setsockopt(sending.broker.fd(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
  Peer peer = sending.begin();
  uint64_t taken = 0;
  for (uint64_t waits = 1; waits <= 2; waits++) {
    ASSERT_TRUE(sending.wait_full());
    EXPECT_EQ(sending.held().count, waits - 1) << "it is not over yet";
    while (sending.held().count < waits && !testing::Test::HasFailure()) {
      peer.expect(wire::Type::data);
      peer.send(wire::Accepted{.count = ++taken});  // or it would give up a busy computer's broker
    }
    EXPECT_EQ(static_cast<uint64_t>(sending.counters().held), waits) << "its own, beside the fleet's histogram";
  }
}

TEST(Sender, IsNotHeldWhereTheQueueTakesEverything) {
  SenderOptions options;
  options.messages = 20;
  options.delay_ns = 1'000'000;
  Sending sending(options);
  Peer peer = sending.begin();
  for (int i = 0; i < 20; i++) peer.expect(wire::Type::data);
  peer.expect(wire::Type::done);
  EXPECT_EQ(sending.held().count, 0u);
}

// Wherever in its schedule the pause finds it.
TEST(Sender, KeepsToItsScheduleAndMovesItByAPause) {
  SenderOptions options;
  options.messages = 10'000;
  options.delay_ns = 20'000'000;
  Sending sending(options);
  Peer peer = sending.begin();
  std::vector<wire::DataHeader> headers;
  const auto take = [&](size_t until) {
    while (headers.size() < until && !testing::Test::HasFailure())
      headers.push_back(wire::read_data_header(peer.expect(wire::Type::data).data()));
  };
  take(2);
  const size_t sent = sending.ask([&] {
    sending.loop->pause({});
    return sending.loop->report().counters.front().sent();
  });
  const int64_t paused_ns = measure::now_ns();
  take(sent);
  pollfd quiet{.fd = peer.fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&quiet, 1, Deadline::window(60ms).poll_ms()), 0);
  const int64_t pause_ns = measure::now_ns() - paused_ns;
  sending.ask([&] { return sending.loop->resume({}), true; });
  take(sent + 2);
  for (size_t i = 1; i < headers.size(); i++) {
    const int64_t delay_ns = headers[i].intended_ns - headers[i - 1].intended_ns;
    if (i == sent)
      EXPECT_GE(delay_ns, options.delay_ns + pause_ns);
    else
      EXPECT_EQ(delay_ns, options.delay_ns);
  }
  for (const auto& header : headers) EXPECT_GE(header.sent_ns, header.intended_ns);
}

TEST(Sender, ToldToStopSaysHowMuchItHasSentAndWaitsForTheBroker) {
  SenderOptions options;
  options.messages = 1000;
  options.delay_ns = 5'000'000;
  Sending sending(options);
  Peer peer = sending.begin();
  peer.expect(wire::Type::data);
  sending.loop->post([&] { sending.loop->stop(); });
  uint64_t sent = 1;
  std::vector<uint8_t> frame = peer.receive();
  for (; !frame.empty() && wire::read_header(frame.data()).type == wire::Type::data; frame = peer.receive()) sent++;
  ASSERT_FALSE(frame.empty());
  EXPECT_EQ(wire::decode_done(frame)->count, sent);
  peer.send(wire::Accepted{.count = sent});
  peer.expect(wire::Type::bye);
  peer.close();
  EXPECT_TRUE(sending.fleet.wait_ended());
  EXPECT_FALSE(sending.counters().finished);
}

TEST(Sender, SendsNoMoreAfterEnd) {
  SenderOptions options;
  options.messages = 1000;
  options.delay_ns = 1'000'000'000;
  Sending sending(options);
  Peer peer = sending.begin();
  peer.expect(wire::Type::data);
  peer.send(wire::End{.expected = 1, .reason = wire::EndReason::stopped});
  EXPECT_EQ(wire::decode_bye(peer.expect(wire::Type::bye))->count, 1u);
}

TEST(Sender, WaitsForItsLogAndLosesNoLine) {
  log::LogQueue log(4096);
  Sending sending(saturating(500, 50), &log);
  Peer peer = sending.begin();
  uint64_t logged = 0;
  const auto drain = [&] {
    log.drain(SIZE_MAX,
              [&](const log::LogRecord& record, const log::LogPayload&) { EXPECT_EQ(record.index, ++logged); });
  };
  const auto expect = [&](wire::Type type) {
    const Deadline deadline(10s);
    while (!peer.has_bytes() && !deadline.passed()) drain();
    peer.expect(type);
  };
  for (int i = 0; i < 500; i++) expect(wire::Type::data);
  expect(wire::Type::done);
  peer.send(wire::Accepted{.count = 500});
  expect(wire::Type::bye);
  drain();
  EXPECT_EQ(logged, 500u);
  EXPECT_GT(sending.counters().log_stalls, 0u);
}

void expect_only_the_log_blamed(bool ended) {
  log::LogQueue log(4096);
  Sending sending(saturating(500, 50), &log);
  Peer peer = sending.begin();
  const auto much_later = [&] { return measure::now_ns() + 60'000'000'000; };
  const auto check = [&] {
    sending.ask([&] {
      sending.loop->check(much_later());
      return 0;
    });
  };
  const Deadline deadline(10s);
  while (sending.counters().log_stalls == 0 && !deadline.passed()) continue;
  sending.ask([&] {
    sending.loop->stop();
    return 0;
  });
  const uint64_t sent = sending.counters().sent();
  for (uint64_t i = 0; i < sent; i++) peer.expect(wire::Type::data);
  peer.expect(wire::Type::done);
  if (ended) {
    peer.send(wire::End{.expected = sent - 1, .reason = wire::EndReason::stopped});
    ASSERT_TRUE(sending.fleet.wait_told_end());
  } else {
    peer.send(wire::Accepted{.count = sent});
    while (static_cast<uint64_t>(sending.counters().accepted) < sent && !deadline.passed()) continue;
  }
  check();
  check();
  EXPECT_TRUE(sending.fleet.losses().empty());
  ASSERT_EQ(sending.fleet.told().size(), 1u);
  EXPECT_NE(sending.fleet.told()[0].find("log"), std::string::npos);
  while (!peer.has_bytes() && !deadline.passed()) log.drain(SIZE_MAX, [](const auto&, const auto&) {});
  EXPECT_EQ(wire::decode_bye(peer.expect(wire::Type::bye))->count, sent);
}

TEST(Sender, WhoseLogHangsSaysSoAndHoldsNothingAgainstTheBroker) {
  expect_only_the_log_blamed(false);
}

TEST(Sender, WhoseLogHangsHoldsNothingAgainstABrokerThatEndedWithoutTakingAll) {
  expect_only_the_log_blamed(true);
}

TEST(Sender, SaysThatABrokerIsGoneThatAcceptsNothingForLong) {
  Sending sending(saturating(3, 50));
  Peer peer = sending.begin();
  for (int i = 0; i < 3; i++) peer.expect(wire::Type::data);
  sending.ask([&] {
    sending.loop->check(measure::now_ns() + 60'000'000'000);
    return 0;
  });
  ASSERT_TRUE(sending.fleet.wait_ended());
  ASSERT_EQ(sending.fleet.losses().size(), 1u);
  EXPECT_NE(sending.fleet.losses()[0].text.find("nothing heard"), std::string::npos);
}

TEST(Sender, RefusesABrokerThatTakesNoMessageOfItsSize) {
  Sending sending(saturating(1, 4096));
  Peer peer = sending.broker.accept();
  peer.expect(wire::Type::hello);
  auto welcome = welcome_to(wire::Mode::broadcaster);
  welcome.max_payload = 4095;
  peer.send(welcome);
  peer.expect(wire::Type::bye);
  peer.close();
  EXPECT_TRUE(sending.fleet.wait_ended());
  ASSERT_EQ(sending.fleet.losses().size(), 1u);
  EXPECT_NE(sending.fleet.losses()[0].text.find("--size"), std::string::npos);
}

}  // namespace
}  // namespace n2nq::sender
