// A thousand senders and a thousand receivers on one machine, with nothing lost.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

TEST(Scale, AThousandSendersAndAThousandReceiversLoseNothing) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer", "--expect-senders", "1000", "--expect-receivers", "1000"});
  stage.start(receivers(1000));
  stage.start(senders(1000, {"--messages", "20", "--delay", "500ms"}));
  EXPECT_THAT(check_complete_run(stage.finish(120s), {.load_balancer = true, .messages = 20}), testing::IsEmpty());
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
