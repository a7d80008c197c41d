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

}  // namespace
}  // namespace n2nq::test
