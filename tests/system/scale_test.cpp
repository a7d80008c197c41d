// A thousand senders and a thousand receivers on one machine, with nothing lost.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

TEST(Scale, AThousandSendersAndAThousandReceiversLoseNothing) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer", "--expect-senders", "1000", "--expect-receivers", "1000"});
  stage.start(receivers(1000));
  stage.start(senders(1000, {"--messages", "20", "--delay", "500ms"}));
  const RunEnded ended = stage.finish(120s);
  EXPECT_THAT(check_complete_run(ended, {.load_balancer = true, .messages = 20}), testing::IsEmpty());
  EXPECT_THAT(processes_left(), testing::IsEmpty());
  // A message waits for a few writes of what is none, not for one to each sender.
  EXPECT_LE(ended.broker.total("most_frame_writes"), 32);
  EXPECT_GT(ended.broker.total("most_frame_writes"), 0);
}

TEST(Scale, ASecondFleetOfEachJoinsARunOfAThousandAndNothingIsLost) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer", "--expect-senders", "1000", "--expect-receivers", "1000"});
  const Options telling{"--telemetry", "200ms"};
  Process& first = stage.start(receivers(1000, telling));
  Options sending{"--messages", "20", "--delay", "1s"};
  stage.start(senders(1000, sending));
  const auto begin = [](Process& process) { return await_json(process, "begin", 60s)["run_id"]; };
  const Json run = begin(first);
  sending.insert(sending.end(), telling.begin(), telling.end());
  Process& more_receivers = stage.start(receivers(100, telling, 1001));
  Process& more_senders = stage.start(senders(100, sending, 1001));
  EXPECT_EQ(begin(more_receivers), run);
  EXPECT_EQ(begin(more_senders), run);
  const RunEnded ended = stage.finish(120s);
  EXPECT_THAT(check_complete_run(ended, {.load_balancer = true, .messages = 20}), testing::IsEmpty());
  EXPECT_EQ(ended.sender_logs.size(), 1100U);
  EXPECT_EQ(ended.broker.total("senders"), 1100);
  EXPECT_EQ(ended.broker.total("receivers"), 1100);
  // The new receivers have their share, and of both fleets' messages.
  std::set<bool> had_of_new;
  for (const auto& [number, log] : ended.receiver_logs)
    for (const LogRow& row : log.rows)
      if (number > 1000) had_of_new.insert(row.sender > 1000);
  EXPECT_EQ(had_of_new.size(), 2U);
  EXPECT_THAT(processes_left(), testing::IsEmpty());
}

TEST(Scale, AHundredByAHundredBroadcastLosesNothing) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster", "--expect-senders", "100", "--expect-receivers", "100"});
  stage.start(receivers(50));
  stage.start(senders(60, {"--messages", "20", "--delay", "100ms"}));
  stage.start(receivers(50, {}, 51));
  stage.start(senders(40, {"--messages", "20", "--delay", "100ms"}, 61));
  EXPECT_THAT(check_complete_run(stage.finish(120s), {.messages = 20}), testing::IsEmpty());
}

// More than the broker may keep, and for longer than a dead peer is waited for.
TEST(Scale, SendersWaitForAsLongAsNobodyAsks) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer", "--max-memory", "8MiB"});
  ForeignReceiver receiver(stage.port(), Hello{.wishes = kRequests});
  Process& waiting =
      stage.start(senders(1, {"--messages", "300000", "--size", "200B", "--delay", "0", "--log", "off"}));
  receiver.begin();
  EXPECT_FALSE(waiting.wait_exit(Deadline::window(13s)));
  receiver.request(~uint64_t{0});
  EXPECT_EQ(receiver.take_all(60s).size(), 300000u);
  receiver.bye();
  const RunEnded ended = stage.finish();
  EXPECT_TRUE(ended.all_ended_with(0)) << ended.story();
  EXPECT_EQ(ended.broker.total("delivered"), 300000);
}

TEST(Scale, MessagesOfEverySizeArriveWhole) {
  for (const char* mode : {"broadcaster", "load-balancer"}) {
    Stage stage;
    stage.start_broker({"--mode", mode});
    stage.start(receivers(2, {"--log", "off"}));
    stage.start(senders(2, {"--messages", "60", "--size", "0B..1MiB", "--delay", "0", "--log", "off"}));
    const RunEnded ended = stage.finish();
    EXPECT_TRUE(ended.all_ended_with(0)) << ended.story();
    EXPECT_EQ(ended.sum("receiver", "corrupt"), 0);
    EXPECT_EQ(ended.sum("receiver", "received"), ended.broker.total("owed"));
  }
}

}  // namespace
}  // namespace n2nq::test
