#include "app/run/expected_deliveries.h"

#include <gtest/gtest.h>

#include "app/plan/plan_fields.h"

namespace n2nq::run {
namespace {

// Two senders of 100 messages, three receivers, requests on.
plan::RunPlan plan_with(const std::string& filters, const std::string& other = "warmup=0") {
  plan::RunPlan plan;
  for (const std::string& assignment :
       {std::string("senders.count=2"), std::string("receivers.count=3"), std::string("senders.messages=100"),
        std::string("queue.requests=true"), "queue.filters=" + filters, other}) {
    const auto set = plan::set_field(plan, assignment);
    EXPECT_TRUE(set) << set.error().text;
  }
  return plan;
}

std::vector<live::ServiceFigures> sent(int64_t first, int64_t second) {
  return {{{.count = first}, Role::sender, 1}, {{.count = second}, Role::sender, 2}};
}

TEST(ExpectedDeliveries, AreThoseOfThePlanAsLongAsNothingIsChanged) {
  EXPECT_EQ(ExpectedDeliveries(plan_with("")).value(), (Deliveries{.count = 600, .exact = true}));
  EXPECT_EQ(ExpectedDeliveries(plan_with("1:senders=1")).value(), (Deliveries{.count = 500, .exact = true}));
}

TEST(ExpectedDeliveries, CountWithEachRequestForAsLongAsItHeld) {
  ExpectedDeliveries expected(plan_with(""));
  expected.change(plan_with("all:senders=1"), sent(40, 30));
  EXPECT_EQ(expected.value(), (Deliveries{.count = 3 * (40 + 30) + 3 * 60, .exact = false}));
  EXPECT_EQ(expected.due_of(sent(45, 80)), 3 * (40 + 30) + 3 * 5);
  expected.change(plan_with("all:senders=none"), sent(50, 40));
  EXPECT_EQ(expected.value(), (Deliveries{.count = 3 * (40 + 30) + 3 * 10, .exact = false}));
  expected.change(plan_with(""), sent(100, 90));
  EXPECT_EQ(expected.value(), (Deliveries{.count = 3 * (40 + 30) + 3 * 10 + 3 * 10, .exact = false}));
}

TEST(ExpectedDeliveries, TakeIntoAccountWhatIsSentUntilTheFiguresCome) {
  ExpectedDeliveries expected(plan_with(""));
  std::vector<live::ServiceFigures> senders = sent(40, 95);
  senders[0].rate_per_s = senders[1].rate_per_s = 50;
  expected.change(plan_with("all:senders=none"), senders, 200'000'000);
  EXPECT_EQ(expected.value()->count, 3u * (50 + 100)) << "but no more than there are";
  EXPECT_EQ(expected.due_of(senders), 3 * (40 + 95)) << "what the figures have of it";
}

TEST(ExpectedDeliveries, AreOneForEachMessageOfALoadBalancerWhoeverAsks) {
  ExpectedDeliveries expected(plan_with("all:senders=1", "queue.mode=load-balancer"));
  EXPECT_EQ(expected.value(), (Deliveries{.count = 200, .exact = true}));
  expected.change(plan_with("all:size=1B..9B", "queue.mode=load-balancer"), sent(40, 30));
  EXPECT_EQ(expected.value(), (Deliveries{.count = 200, .exact = true}));
}

TEST(ExpectedDeliveries, AreNotKnownOnceARequestGoesByMoreThanSenders) {
  ExpectedDeliveries expected(plan_with(""));
  expected.change(plan_with("1:size=1B..9B"), sent(40, 30));
  EXPECT_EQ(expected.value(), std::nullopt);
  expected.change(plan_with(""), sent(60, 30));
  EXPECT_EQ(expected.value(), std::nullopt) << "what came in between stays unknown";
}

TEST(ExpectedDeliveries, AreNotKnownOfSendersThatGoByTime) {
  ExpectedDeliveries expected(plan_with("", "senders.duration=1s"));
  expected.change(plan_with("1:senders=1", "senders.duration=1s"), sent(40, 30));
  EXPECT_EQ(expected.value(), std::nullopt);
}

}  // namespace
}  // namespace n2nq::run
