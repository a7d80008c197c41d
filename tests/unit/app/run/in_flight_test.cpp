#include "app/run/in_flight.h"

#include <gtest/gtest.h>

namespace n2nq::run {
namespace {

std::vector<int64_t> sent(std::initializer_list<int64_t> counts) {
  return counts;
}

plan::RunPlan two_by_three() {
  plan::RunPlan plan;
  plan.senders.fleet.count = 2;
  plan.receivers.fleet.count = 3;
  return plan;
}

TEST(InFlight, OfABroadcastIsWhatEveryReceiverHasNotGotYet) {
  const InFlight due(two_by_three());
  EXPECT_EQ(due.deliveries(sent({10, 5}), {{.count = 40}}), 5u);
  EXPECT_EQ(due.deliveries(sent({10, 5}), {{.count = 40, .lost = 2}}), 3u);
  EXPECT_EQ(due.deliveries(sent({10, 5}), {{.count = 46}}), 0u) << "never below none";
}

TEST(InFlight, OfALoadBalancerIsOneForEachMessage) {
  plan::RunPlan plan = two_by_three();
  plan.queue.mode = plan::Mode::load_balancer;
  EXPECT_EQ(InFlight(plan).deliveries(sent({10, 5}), {{.count = 12}}), 3u);
}

TEST(InFlight, CannotBeToldWithFiltersBySizeAndAfterARequest) {
  plan::RunPlan plan = two_by_three();
  plan.queue.requests = {.on = true, .filters = {{.filter = "size=10B..20B"}}};
  EXPECT_EQ(InFlight(plan).deliveries(sent({10, 5}), {}), std::nullopt);
  InFlight due(two_by_three());
  due.forget();
  EXPECT_EQ(due.deliveries(sent({10, 5}), {}), std::nullopt);
}

}  // namespace
}  // namespace n2nq::run
