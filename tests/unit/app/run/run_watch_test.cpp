#include "app/run/run_watch.h"

#include <gtest/gtest.h>

#include "broker/base/clock.h"

namespace n2nq::run {
namespace {

TEST(RunWatch, AnotherBusMayKeepARunStillForAsLongAsReceiversWaitOrPause) {
  plan::RunPlan plan;
  plan.receivers.pauses = {{.from_ns = kSecond, .to_ns = 91 * kSecond}};
  EXPECT_EQ(still_ns(plan), plan.queue.drain_timeout_ns + plan.queue.stall_timeout_ns);
  plan.bus.kind = "websocket";
  const int64_t waits_ns = 90 * kSecond + plan.queue.stall_timeout_ns;
  EXPECT_EQ(still_ns(plan), waits_ns + 2 * kSecond) << "bus.quiet is 1 s, for the queue process and for receivers";
  plan.bus.settings["quiet"] = "10min";
  EXPECT_EQ(still_ns(plan), waits_ns + 1200 * kSecond);
}

// A run in which nothing has moved since its begin at 0.
std::optional<std::string> what_hangs(const plan::RunPlan& plan, int64_t now_ns) {
  const SessionOptions options;
  const RunStage stage(options);
  const live::LiveFigures live(plan.senders.fleet.count, plan.receivers.fleet.count);
  const RunWatch watch(plan, options, stage, live, TakeNote([](auto&&...) {}));
  const auto failure = watch.hanging(0, /*sending=*/true, now_ns);
  return failure ? std::optional(failure->text) : std::nullopt;
}

TEST(RunWatch, WhereNothingMovesForLongerThanItMaySaysWhatHangs) {
  constexpr int64_t kLong = 1000 * kSecond;
  plan::RunPlan plan;
  EXPECT_EQ(what_hangs(plan, still_ns(plan)), std::nullopt) << "a healthy queue may be still for as long";
  EXPECT_EQ(what_hangs(plan, kLong), "no progress for 16.7 min: the queue hangs");
  plan.bus.kind = "http";
  EXPECT_EQ(what_hangs(plan, still_ns(plan)), std::nullopt);
  EXPECT_EQ(what_hangs(plan, kLong), "no progress for 16.7 min: the run hangs") << "there is no queue to blame";
}

TEST(RunWatch, SendersThatWereStartedElsewhereMayPauseAsLongAsTheyLike) {
  plan::RunPlan plan;
  plan.senders.fleet.attach = "127.0.0.1:7500";
  EXPECT_EQ(what_hangs(plan, 1000 * kSecond), std::nullopt);
}

}  // namespace
}  // namespace n2nq::run
