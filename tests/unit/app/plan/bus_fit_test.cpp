#include "app/plan/bus_fit.h"

#include <gmock/gmock.h>

#include "app/plan/plan_fields.h"

namespace n2nq::plan {
namespace {

using testing::IsEmpty;

RunPlan plan_of(std::initializer_list<const char*> assignments) {
  RunPlan plan;
  for (const char* assignment : assignments) {
    const auto set = set_field(plan, assignment);
    EXPECT_TRUE(set) << set.error().text;
  }
  return plan;
}

std::string value(const RunPlan& plan, const char* key) {
  return text_of(*find_field(key), plan);
}

TEST(BusChoice, LeavesAPlanThatCanBeRun) {
  for (const bus::BusTraits& from : bus::all_buses())
    for (const bus::BusTraits& to : bus::all_buses()) {
      const RunPlan plans[] = {plan_of({"queue.retention=30s", "queue.requests=true", "queue.filters=1:senders=1",
                                        "queue.responses=true", "queue.tries=9", "look.path=true"}),
                               plan_of({"queue.mode=request-reply"}),
                               plan_of({"queue.mode=request-reply", "queue.reply_from=all"})};
      for (RunPlan plan : plans) {
        const std::string mode = value(plan, "queue.mode");
        BusChoice choice;
        choice.choose(plan, std::string(from.kind));
        choice.choose(plan, std::string(to.kind));
        EXPECT_THAT(problems_of(plan), IsEmpty()) << mode << ": " << from.kind << " to " << to.kind;
      }
    }
}

TEST(BusChoice, GivesBackWhatTheOtherBusHadNoPlaceFor) {
  RunPlan before = plan_of({"queue.retention=30s", "queue.requests=true", "queue.at_a_time=3",
                            "queue.policy=round-robin", "queue.max_memory=1GiB", "look.bandwidth=true"});
  RunPlan plan = before;
  BusChoice choice;
  choice.choose(plan, "http");
  EXPECT_EQ(value(plan, "queue.mode"), "load-balancer") << "HTTP has no broadcaster";
  EXPECT_EQ(value(plan, "queue.retention"), "5s");
  ASSERT_TRUE(set_field(plan, "bus.connection=fresh"));
  ASSERT_TRUE(set_field(plan, "bus.tls=true"));
  choice.choose(plan, "websocket");
  EXPECT_EQ(value(plan, "bus.connection"), "keep-alive") << "WebSocket has none";
  EXPECT_EQ(value(plan, "bus.tls"), "true") << "which both have";
  choice.choose(plan, "http");
  EXPECT_EQ(value(plan, "bus.connection"), "fresh");
  choice.choose(plan, "n2nq");
  ASSERT_TRUE(set_field(before, "bus.tls=true")) << "which it has as well";
  EXPECT_EQ(plan, before);
}

TEST(BusChoice, GivesBackAProfileAndWhatWasSetBesideIt) {
  RunPlan plan = plan_of({"bus.kind=redis-streams", "bus.profile=throughput", "bus.fetch=5"});
  const RunPlan before = plan;
  BusChoice choice;
  choice.choose(plan, "n2nq");
  EXPECT_EQ(plan, RunPlan());
  choice.choose(plan, "redis-pubsub");
  EXPECT_EQ(value(plan, "bus.window"), "10000") << "which is left to the profile, as before";
  ASSERT_TRUE(set_field(plan, "bus.profile=latency"));
  EXPECT_EQ(value(plan, "bus.window"), "100");
  choice.choose(plan, "redis-streams");
  EXPECT_EQ(value(plan, "bus.fetch"), "5");
  ASSERT_TRUE(set_field(plan, "bus.profile=throughput"));
  EXPECT_EQ(plan, before);
}

TEST(BusFit, TakesASettingOfAnotherBusAtItsDefault) {
  for (const char* kind : {"bus.kind=n2nq", "bus.kind=http"}) {
    RunPlan plan = plan_of({"bus.window=1000", kind, "queue.mode=load-balancer"});
    EXPECT_THAT(problems_of(plan), IsEmpty()) << kind;
    ASSERT_TRUE(set_field(plan, "bus.window=100"));
    EXPECT_THAT(problems_of(plan), testing::SizeIs(1)) << kind << ": it is what the profile latency has, no default";
  }
}

TEST(BusChoice, LeavesASettingThatIsAtItsDefaultWhereItIs) {
  RunPlan plan = plan_of({"bus.kind=redis-streams", "bus.profile=throughput", "bus.window=1000"});
  const RunPlan before = plan;
  BusChoice choice;
  choice.choose(plan, "n2nq");
  EXPECT_THAT(problems_of(plan), IsEmpty());
  choice.choose(plan, "redis-streams");
  EXPECT_EQ(plan, before);
}

TEST(BusChoice, KeepsWhatWasChosenMeanwhile) {
  RunPlan plan;
  BusChoice choice;
  choice.choose(plan, "http");
  ASSERT_TRUE(set_field(plan, "queue.mode=request-reply"));
  choice.choose(plan, "n2nq");
  EXPECT_EQ(value(plan, "queue.mode"), "request-reply") << "the broadcaster was given up";
}

TEST(BusChoice, GivesNothingOfOnePlanToAnother) {
  RunPlan plan = plan_of({"queue.retention=30s"});
  BusChoice choice;
  choice.choose(plan, "websocket");
  choice.forget();
  choice.choose(plan, "n2nq");
  EXPECT_EQ(value(plan, "queue.retention"), "5s");
}

}  // namespace
}  // namespace n2nq::plan
