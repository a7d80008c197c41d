#include "app/plan/run_plan.h"

#include <gtest/gtest.h>

#include "app/plan/plan_fields.h"

namespace n2nq::plan {
namespace {

RunPlan plan_with(std::initializer_list<const char*> assignments) {
  RunPlan plan;
  for (const char* assignment : {"senders.count=4", "receivers.count=3", "senders.messages=10"})
    EXPECT_TRUE(set_field(plan, assignment));
  for (const char* assignment : assignments) {
    const auto set = set_field(plan, assignment);
    EXPECT_TRUE(set) << set.error().text;
  }
  return plan;
}

TEST(RunPlan, CountsMessagesOfAllSenders) {
  EXPECT_EQ(planned_messages(plan_with({})), 40u);
  EXPECT_EQ(planned_messages(plan_with({"senders.duration=1s"})), std::nullopt);
  EXPECT_EQ(planned_messages(plan_with({"senders.attach=h:1"})), std::nullopt);
}

TEST(RunPlan, CountsDeliveriesByModeAndBySendersAskedFor) {
  EXPECT_EQ(planned_deliveries(plan_with({})), 120u);
  EXPECT_EQ(planned_deliveries(plan_with({"queue.mode=load-balancer"})), 40u);
  const char* filters = "queue.filters=1:senders=1..2 / 2:senders=self";
  EXPECT_EQ(planned_deliveries(plan_with({filters})), 120u);  // not without requests
  EXPECT_EQ(planned_deliveries(plan_with({"queue.requests=true", filters})), 10u * (2 + 1 + 4));
  const char* few = "queue.filters=all:senders=1..2";
  EXPECT_EQ(planned_deliveries(plan_with({"queue.requests=true", few, "queue.mode=load-balancer"})), 40u)
      << "each is owed once, also one that nobody asks for";
}

TEST(RunPlan, CountsDeliveriesOfThePresentServicesAlone) {
  const char* filters = "queue.filters=1,9..20:senders=3..9 / 2:senders=8 / 3:senders=none";
  EXPECT_EQ(planned_deliveries(plan_with({"queue.requests=true", filters})), 10u * 2);
}

TEST(RunPlan, CannotTellDeliveriesThatDependOnSizesOrOnOthers) {
  EXPECT_EQ(planned_deliveries(plan_with({"queue.requests=true", "queue.filters=1:size=1B..9B"})), std::nullopt);
  EXPECT_EQ(planned_deliveries(plan_with({"queue.requests=true", "queue.filters=1:index=1..9"})), std::nullopt);
  EXPECT_EQ(planned_deliveries(plan_with({"senders.duration=1s"})), std::nullopt);
  EXPECT_EQ(planned_deliveries(plan_with({"receivers.attach=h:1"})), std::nullopt);
}

TEST(RunPlan, TellsHowLongSendingTakes) {
  EXPECT_EQ(planned_duration_ns(plan_with({"senders.delay=20ms"})), 200'000'000);
  EXPECT_EQ(planned_duration_ns(plan_with({"senders.duration=3s"})), 3'000'000'000);
  EXPECT_EQ(planned_duration_ns(plan_with({"senders.delay=0"})), std::nullopt);
  EXPECT_EQ(planned_duration_ns(plan_with({"senders.attach=h:1"})), std::nullopt);
}

TEST(RunPlan, TellsNoDurationThatIsBeyondAllCounting) {
  EXPECT_EQ(planned_duration_ns(plan_with({"senders.messages=1000000000", "senders.delay=9s"})),
            9'000'000'000'000'000'000);
  EXPECT_EQ(planned_duration_ns(plan_with({"senders.messages=1000000000", "senders.delay=10s"})), std::nullopt);
}

}  // namespace
}  // namespace n2nq::plan
