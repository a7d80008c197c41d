// Nonsense on the wire ends the connection it came on, with its code and one clear line, and disturbs nobody else.
#include <sys/resource.h>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string changed(std::string frame, size_t offset, uint64_t value, size_t width) {
  put(frame, offset, value, width);
  return frame;
}

struct Nonsense {
  std::string name, bytes;
  int code;
  int or_code = code;  // where the page lets two codes fit
};

void PrintTo(const Nonsense& nonsense, std::ostream* out) {
  *out << nonsense.name;
}

// Reads to the close; the ERROR that came before it, if any.
std::optional<Frame> last_error(ForeignClient& client, Deadline deadline = 10s) {
  std::optional<Frame> error;
  while (auto frame = client.next(deadline)) {
    if (frame->type() == kError) error = frame;
  }
  EXPECT_TRUE(client.closed()) << "the broker keeps the connection";
  client.close();
  return error;
}

void expect_error(const std::optional<Frame>& error, int code, std::optional<int> or_code = std::nullopt) {
  ASSERT_TRUE(error) << "closed without ERROR";
  EXPECT_THAT(error->u16(8), AnyOf(Eq(code), Eq(or_code.value_or(code)))) << error->text();
  EXPECT_EQ(error->u16(10), error->bytes.size() - 12);
  EXPECT_THAT(error->text(), Not(IsEmpty()));
  EXPECT_THAT(error->text(), Not(HasSubstr("\n")));
}

std::string filtered_hello(const ForeignFilter& filter, uint8_t wishes = kRequests) {
  return hello_frame({.role = 2, .number = 900, .wishes = wishes, .filter = filter});
}

const Nonsense kFirstFrames[] = {
    {"http", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 1},
    {"tls", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + std::string(60, 'x'), 1},
    {"ssh", "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", 1},
    {"wrong_magic", hello_frame({.number = 900, .magic = "N2NX"}), 1},
    {"data_first", data_frame(900, 1, "abc"), 1},
    {"version_0", hello_frame({.number = 900, .version = 0}), 2},
    {"version_2", hello_frame({.number = 900, .version = 2}), 2},
    {"number_0", hello_frame({.number = 0}), 5},
    {"role_0", hello_frame({.role = 0, .number = 900}), 5},
    {"role_4", hello_frame({.role = 4, .number = 900}), 5},
    {"unknown_wish", hello_frame({.role = 2, .number = 900, .wishes = 32}), 5},
    {"sender_with_responses", hello_frame({.role = 1, .number = 900, .wishes = kResponses}), 5},
    {"sender_with_requests", hello_frame({.role = 1, .number = 900, .wishes = kRequests}), 5},
    {"fleet_of_0", hello_frame({.number = 900, .fleet_size = 0}), 5},
    {"fleet_id_0", changed(hello_frame({.number = 900}), 24, 0, 8), 5},
    {"reserved_in_header", changed(hello_frame({.number = 900}), 6, 1, 2), 5},
    {"flags_in_header", changed(hello_frame({.number = 900}), 5, 1, 1), 5},
    {"reserved_in_body", changed(hello_frame({.number = 900}), 44, 1, 4), 5},
    {"token_longer_than_frame", changed(hello_frame({.number = 900}), 40, 60, 2), 5},
    {"token_of_65", hello_frame({.number = 900, .token = std::string(65, 't')}), 5},
    {"frame_longer_than_its_parts", changed(hello_frame({.number = 900}) + "abcd", 0, 52, 4), 5},
    {"filter_without_requests", filtered_hello({.size = {{1, 2}}}, 0), 5},
    {"filter_size_reversed", filtered_hello({.size = {{9, 2}}}), 5},
    {"filter_index_reversed", filtered_hello({.index = {{9, 2}}}), 5},
    {"filter_ranges_overlap", filtered_hello({.senders = {{{1, 5}, {5, 9}}}}), 5},
    {"filter_ranges_descend", filtered_hello({.senders = {{{7, 9}, {1, 2}}}}), 5},
    {"filter_range_reversed", filtered_hello({.senders = {{{7, 2}}}}), 5},
    {"filter_unknown_bit", changed(filtered_hello({.size = {{1, 2}}}), 48, 10, 1), 5},
    {"length_below_header", changed(hello_frame({.number = 900}), 0, 7, 4), 5, 1},
    {"length_zero", changed(hello_frame({.number = 900}), 0, 0, 4), 5, 1},
    {"hello_too_short", changed(hello_frame({.number = 900}), 0, 40, 4).substr(0, 40), 5, 1},
    {"oversize", changed(hello_frame({.number = 900}), 0, 65537, 4) + std::string(1000, '\0'), 7, 1},
    {"oversize_huge", changed(hello_frame({.number = 900}), 0, 0xFFFFFFFF, 4), 7, 1},
};

class FirstFrame : public testing::TestWithParam<Nonsense> {};

TEST_P(FirstFrame, OfNonsenseIsRefusedAndTheRunIsComplete) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(2));
  ForeignClient culprit(stage.port());
  culprit.send(GetParam().bytes);
  expect_error(last_error(culprit), GetParam().code, GetParam().or_code);
  stage.start(senders(1, {"--messages", "10", "--delay", "1ms"}));
  RunEnded run = stage.finish();
  EXPECT_EQ(run.broker.total("refused_connections"), 1);
  run.broker.summary["refused_connections"] = 0;
  EXPECT_THAT(check_complete_run(run, {.messages = 10}), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, FirstFrame, testing::ValuesIn(kFirstFrames),
                         [](const auto& one) { return one.param.name; });

// Beside two honest receivers and an honest sender, once the run has begun.
class DuringTheRun : public testing::Test {
 protected:
  void start(Options options = {}) {
    options.insert(options.end(), {"--mode", "broadcaster", "--expect-senders", "1", "--expect-receivers", "2"});
    stage.start_broker(options);
    stage.start(receivers(2));
    honest.emplace(stage.port(), Hello{.number = 1});
    honest->begin();
  }
  ForeignClient culprit(const Hello& hello) {
    ForeignClient client = ForeignClient::join(stage.port(), hello);
    client.await(kBegin);
    return client;
  }
  void expect_undisturbed(int64_t from_others = 0) {
    honest->send(20);
    EXPECT_TRUE(honest->finish());
    RunEnded run = stage.finish();
    EXPECT_EQ(run.sum("receiver", "received"), 2 * (20 + from_others)) << run.story();
    EXPECT_EQ(run.sum("receiver", "lost"), 0);
    for (const auto& fleet : run.fleets) EXPECT_EQ(fleet.exit, Exit{.code = 0}) << run.story();
    EXPECT_TRUE(run.broker.exit && run.broker.exit->code >= 0) << run.story();
  }
  Stage stage;
  std::optional<ForeignSender> honest;
};

const Hello kSender{.role = 1, .number = 900};
const Hello kReceiver{.role = 2, .number = 900};
const Hello kAnswering{.role = 2, .number = 900, .wishes = kResponses};

struct LaterNonsense {
  Hello of;
  Nonsense nonsense;
};

void PrintTo(const LaterNonsense& later, std::ostream* out) {
  PrintTo(later.nonsense, out);
}

const LaterNonsense kLaterFrames[] = {
    {kSender, {"sender_that_names_another", data_frame(1, 1, "abc"), 8}},
    {kSender, {"index_out_of_turn", data_frame(900, 2, "abc"), 9}},
    {kSender, {"index_of_zero", data_frame(900, 0, "abc"), 9}},
    {kSender, {"done_of_more_than_was_sent", done_frame(3), 9}},
    {kSender, {"clock_of_another", clock_frame(1, 1, 0, 5, 0), 8}},
    {kSender, {"second_hello", hello_frame(kSender), 6}},
    {kSender, {"request_of_a_sender", request_frame(1), 6}},
    {kSender, {"data_after_done", done_frame(0) + data_frame(900, 1, "a"), 6}},
    {kSender, {"frame_of_the_brokers", blank_frame(kAccepted, 16), 6}},
    {kSender, {"unknown_type", blank_frame(99, 16), 5, 6}},
    {kSender, {"reserved_bytes_of_data", changed(data_frame(900, 1, "abc"), 6, 7, 2), 5}},
    {kSender, {"data_shorter_than_its_header", blank_frame(kData, 39), 5}},
    {kReceiver, {"data_of_a_receiver", data_frame(900, 1, "abc"), 6}},
    {kAnswering, {"response_without_a_delivery", response_frame({{1, 1, 0}}), 13}},
    {kAnswering, {"response_of_nothing", response_frame({}), 5}},
    {kReceiver, {"unknown_flag_of_a_request", changed(request_frame(1), 5, 2, 1), 5}},
    {kReceiver, {"unknown_meaning_of_a_request", changed(request_frame(1), 16, 2, 1), 5}},
    {kReceiver, {"too_long_control_frame", changed(blank_frame(kRequest, 24), 0, 70000, 4), 7}},
};

class LaterFrame : public DuringTheRun, public testing::WithParamInterface<LaterNonsense> {};

TEST_P(LaterFrame, OfNonsenseIsRefusedAndDisturbsNobody) {
  const auto& [of, nonsense] = GetParam();
  start();
  ForeignClient client = culprit(of);
  client.send(nonsense.bytes);
  expect_error(last_error(client), nonsense.code, nonsense.or_code);
  expect_undisturbed();
}

INSTANTIATE_TEST_SUITE_P(All, LaterFrame, testing::ValuesIn(kLaterFrames),
                         [](const auto& one) { return one.param.nonsense.name; });

TEST_F(DuringTheRun, AClockOfAnotherIsNotInForce) {
  start();
  ForeignClient client = culprit({.role = 1, .number = 900, .fleet_size = 1000, .fleet = 7});
  client.send(clock_frame(1, 900, 1'000'000'000'000'000, 5, 0));
  expect_error(last_error(client), 8);
  ForeignClient later = culprit({.role = 2, .number = 901});
  while (const auto frame = later.next(Deadline::window(kLook))) EXPECT_NE(frame->type(), kClock);
  later.close();
  expect_undisturbed();
}

TEST_F(DuringTheRun, DataOverTheLimitIsRefused) {
  start({"--max-message", "1KiB"});
  ForeignClient client = culprit(kSender);
  EXPECT_EQ(client.welcome().u32(12), 1024U);
  client.send(data_frame(900, 1, std::string(1024, 'a')) + data_frame(900, 2, std::string(1025, 'b')));
  expect_error(last_error(client), 7);
  expect_undisturbed(1);
}

TEST_F(DuringTheRun, AWrongResponseIsRefused) {
  start();
  ForeignReceiver culprit(stage.port(), {.number = 900, .wishes = kResponses});
  culprit.begin();
  honest->send(3);
  ASSERT_EQ(culprit.take(3).size(), 3U);
  culprit.answer(culprit.deliveries()[1]);  // not the oldest
  expect_error(last_error(culprit.client()), 13);
  honest->send(17);
  EXPECT_TRUE(honest->finish());
  RunEnded run = stage.finish();
  EXPECT_EQ(run.sum("receiver", "received"), 40) << run.story();
}

TEST_F(DuringTheRun, AHelloForATakenNumberIsRefused) {
  start();
  ForeignClient twin(stage.port());
  twin.send(hello_frame({.role = 1, .number = 1}));
  const auto error = last_error(twin);
  expect_error(error, 4);
  EXPECT_THAT(error->text(), Not(HasSubstr("--"))) << "not everybody who speaks this protocol has options";
  expect_undisturbed();
}

TEST_F(DuringTheRun, ANumberStaysTakenAfterItsServiceLeft) {
  start();
  ForeignSender leaver(stage.port(), {.number = 900});
  leaver.begin();
  leaver.send(2);
  EXPECT_TRUE(leaver.finish());
  ForeignClient twin(stage.port());
  twin.send(hello_frame(kSender));
  expect_error(last_error(twin), 4);
  expect_undisturbed(2);
}

TEST_F(DuringTheRun, ATruncatedFrameIsForgottenWithItsConnection) {
  start();
  {
    ForeignClient client = culprit(kSender);
    client.send(data_frame(900, 1, "whole") + data_frame(900, 2, std::string(5000, 'x')).substr(0, 77));
  }
  expect_undisturbed(1);
}

TEST_F(DuringTheRun, AHalfFrameThatMakesNoProgressIsRefused) {
  start({"--stall-timeout", "500ms"});
  ForeignClient client = culprit(kSender);
  client.send(data_frame(900, 1, std::string(500, 'x')).substr(0, 100));
  expect_error(last_error(client), 12);
  expect_undisturbed();
}

TEST_F(DuringTheRun, AHelloThatDoesNotComeIsRefused) {
  start();
  ForeignClient silent(stage.port()), half(stage.port());
  half.send(hello_frame(kSender).substr(0, 20));
  ForeignClient slow(stage.port());
  size_t said = 0;
  while (said < 40 && !slow.readable(Deadline::window(200ms))) slow.send(hello_frame(kSender).substr(said++, 1));
  EXPECT_LT(said, 40u) << "each byte puts it off";
  expect_error(last_error(slow, 15s), 12);
  expect_error(last_error(half, 15s), 12);
  expect_error(last_error(silent, 15s), 12);
  expect_undisturbed();
}

// A reset that is there before the broker's reason can be sent.
TEST_F(DuringTheRun, WhoeverResetsAsItIsRefusedIsGoneOnce) {
  start();
  ForeignClient bad_sender = culprit(kSender);
  ForeignClient stranger(stage.port());
  stage.broker().signal(SIGSTOP);
  for (ForeignClient* one : {&bad_sender, &stranger}) {
    one->send("GET / HTTP/1.0\r\n\r\n");
    one->reset();
  }
  stage.broker().signal(SIGCONT);
  const ForeignClient next = ForeignClient::join(stage.port(), {.role = 3, .number = 0});
  EXPECT_EQ(next.welcome().type(), kWelcome) << "nobody is locked out";
  expect_undisturbed();
}

TEST_F(DuringTheRun, AFloodOfConnectionsIsBounded) {
  constexpr size_t kFlood = 1100;  // the broker admits 1,024 without HELLO
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  start();
  std::vector<std::unique_ptr<ForeignClient>> flood;
  for (size_t i = 0; i < kFlood; ++i) flood.push_back(std::make_unique<ForeignClient>(stage.port()));
  size_t refused = 0;
  for (auto& client : flood) {
    if (!client->readable(Deadline::window(refused ? 0ms : 2000ms))) continue;
    auto frame = client->next(1s);
    refused += !frame || (frame->type() == kError && frame->u16(8) == 11) ? 1 : 0;
    if (refused > 10) break;
  }
  EXPECT_GT(refused, 10U);
  expect_undisturbed();
}

#ifndef N2NQ_SANITIZED  // which needs descriptors itself
TEST_F(DuringTheRun, AFloodThatTakesAllDescriptorsLocksNobodyOut) {
  start();
  const rlimit few{.rlim_cur = 40, .rlim_max = 40};
  ASSERT_EQ(::prlimit(stage.broker().pid(), RLIMIT_NOFILE, &few, nullptr), 0);
  std::vector<std::unique_ptr<ForeignClient>> flood;
  for (int i = 0; i < 100; ++i) flood.push_back(std::make_unique<ForeignClient>(stage.port()));
  ForeignClient late(stage.port());
  late.send(hello_frame({.role = 3, .number = 0}));
  EXPECT_FALSE(late.readable(Deadline::window(kLook))) << "there is no descriptor for it";
  flood.clear();
  const auto welcome = late.next(10s);
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->type(), kWelcome);
  late.close();
  expect_undisturbed();
}
#endif

TEST(ReceiverThatNeverReads, IsDroppedAndTheOthersGetEverything) {
  Stage stage;
  stage.start_broker(
      {"--mode", "broadcaster", "--retention", "until-collected", "--stall-timeout", "1s", "--max-memory", "8MiB"});
  stage.start(receivers(2));
  ForeignClient idle = ForeignClient::join(stage.port(), {.role = 2, .number = 900});
  idle.small_buffers();
  stage.start(senders(2, {"--messages", "300", "--size", "64KiB", "--delay", "0s"}));
  RunEnded run = stage.finish();
  EXPECT_EQ(run.sum("receiver", "received"), 2 * 600) << run.story();
  EXPECT_EQ(run.sum("receiver", "lost"), 0);
  for (const auto& fleet : run.fleets) EXPECT_EQ(fleet.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(run.broker.total("accepted"), 600);
  EXPECT_EQ(run.broker.total("owed"),
            run.broker.total("delivered") + run.broker.total("expired") + run.broker.total("undeliverable"));
  EXPECT_THAT(check_sender_logs(run, 600 / 2), IsEmpty());
}

TEST(ReceiverThatNeverAnswers, IsDroppedAndTheOthersGetEverything) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer", "--policy", "round-robin", "--stall-timeout", "600ms"});
  stage.start(receivers(2, {"--responses"}));
  ForeignReceiver mute(stage.port(), {.number = 900, .wishes = kResponses});
  stage.start(senders(1, {"--messages", "30", "--delay", "1ms"}));
  mute.take_all();
  ASSERT_TRUE(mute.error());
  EXPECT_EQ(mute.error()->u16(8), 14) << mute.error()->text();
  RunEnded run = stage.finish();
  EXPECT_EQ(run.sum("receiver", "received"), 30) << run.story();
  EXPECT_GT(run.broker.total("redelivered"), 0);
  EXPECT_EQ(run.broker.total("delivered"), 30);
}

TEST(ReceiverThatLeft, AndSaysNoByeHoldsNothingUp) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster", "--stall-timeout", "1s", "--drain-timeout", "1s", "--expect-senders",
                      "1", "--expect-receivers", "1"});
  ForeignClient leaving = ForeignClient::join(stage.port(), {.role = 2});
  ForeignSender sender(stage.port(), {.number = 1});
  sender.begin();
  leaving.send(leave_frame());
  EXPECT_EQ(leaving.await(kEnd).type(), kEnd);
  EXPECT_EQ(sender.client().await(kEnd, 20s).type(), kEnd) << "there is no receiver any more";
  sender.client().close();
  EXPECT_TRUE(stage.broker().wait_exit(20s));
  EXPECT_FALSE(leaving.closed());
}

}  // namespace
}  // namespace n2nq::test
