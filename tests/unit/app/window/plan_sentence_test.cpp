#include "ui/run/plan_sentence.h"

#include <gtest/gtest.h>

#include "ui/run/run_words.h"

namespace n2nq::ui {
namespace {

std::string said(Role role, const plan::RunPlan& plan) {
  return sentence_of(role, plan).toStdString();
}

TEST(PlanSentence, OfTheUsualPlanSaysWhatCounts) {
  const plan::RunPlan plan;
  EXPECT_EQ(said(Role::sender, plan), "10 senders · 500 × 50 B · every 20 ms · even");
  EXPECT_EQ(said(Role::broker, plan), "broadcaster · kept 5 s");
  EXPECT_EQ(said(Role::receiver, plan), "10 receivers · every message logged · no service time");
}

TEST(PlanSentence, NamesOneUnitOfARangeAndHowLongWhereItGoesByTime) {
  plan::RunPlan plan;
  plan.senders.fleet.count = 1;
  plan.senders.size_bytes = {.min = 50, .max = 400};
  plan.senders.duration_ns = 10'000'000'000;
  plan.senders.pacing = plan::Pacing::poisson;
  EXPECT_EQ(said(Role::sender, plan), "1 sender · 50–400 B for 10 s · every 20 ms · Poisson");
  plan.senders.size_bytes.max = 1024;
  plan.senders.delay_ns = 0;
  EXPECT_EQ(said(Role::sender, plan), "1 sender · 50 B–1 KiB for 10 s · without delay");
}

TEST(PlanSentence, NamesHostsAndWhatIsNotUsual) {
  plan::RunPlan plan;
  plan.senders.fleet.hosts = {"vm2", "vm3"};
  plan.queue.host = "vm1";
  plan.queue.mode = plan::Mode::load_balancer;
  plan.queue.policy = plan::Policy::round_robin;
  plan.queue.retention_ns.reset();
  plan.queue.responses = true;
  plan.queue.requests.on = true;
  plan.receivers.fleet.attach = "vm4:7500";
  plan.log = plan::LogLevel::off;
  EXPECT_EQ(said(Role::sender, plan), "10 senders · on vm2, vm3 · 500 × 50 B · every 20 ms · even");
  EXPECT_EQ(said(Role::broker, plan),
            "load balancer, round robin · on vm1 · kept until collected · responses · receivers ask for 8 at a time");
  EXPECT_EQ(said(Role::receiver, plan), "10 receivers · attached at vm4:7500 · no logs · no service time");
}

TEST(PlanSentence, OfAnotherBusNamesItWithWhatIsNotUsual) {
  plan::RunPlan plan;
  plan.bus.kind = "http";
  plan.queue.mode = plan::Mode::load_balancer;
  EXPECT_EQ(said(Role::broker, plan), "HTTP/1.1 · load balancer");
  plan.queue.mode = plan::Mode::request_reply;
  plan.queue.host = "vm1";
  plan.bus.settings = {{"connection", "fresh"}, {"quiet", "2s"}, {"tls", "true"}};
  EXPECT_EQ(said(Role::broker, plan),
            "HTTP/1.1 · request-reply · queue on vm1 · Connection fresh · Quiet time 2 s · TLS");
}

TEST(RunTime, IsOfTheSecondsAPersonWouldName) {
  EXPECT_EQ(time_of(12'900'000'000, std::nullopt), "00:12");
  EXPECT_EQ(time_of(12'900'000'000, 17'080'000'000), "00:12 of 00:30");
  EXPECT_EQ(time_of(12'900'000'000, 17'120'000'000), "00:12 of 00:30");
}

TEST(PlanSentence, OfALoadHasItInPlaceOfCountAndDelay) {
  plan::RunPlan plan;
  plan.senders.shape = *measure::parse_shape("ramp 100/s..5000/s over 30s");
  EXPECT_EQ(said(Role::sender, plan), "10 senders · 50 B · ramp 100/s..5000/s over 30 s");
  plan.senders.pacing = plan::Pacing::poisson;
  EXPECT_EQ(said(Role::sender, plan), "10 senders · 50 B · ramp 100/s..5000/s over 30 s · Poisson");
}

}  // namespace
}  // namespace n2nq::ui
