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

RunPlan shaped(const char* shape, uint32_t senders = 10) {
  RunPlan plan;
  plan.senders.shape = *measure::parse_shape(shape);
  plan.senders.fleet.count = senders;
  return plan;
}

TEST(RunPlan, OfALoadShapeHasAsManyMessagesAsItsIntegralForWhateverNumberOfSenders) {
  for (const uint32_t senders : {1u, 7u, 10u, 64u}) {
    const RunPlan plan = shaped("ramp 100/s..5000/s over 30s", senders);
    EXPECT_EQ(planned_messages(plan), 76'500u) << senders;
    EXPECT_EQ(planned_deliveries(plan), 765'000u) << "ten receivers";
    EXPECT_EQ(planned_duration_ns(plan), 30'000'000'000);
    EXPECT_EQ(asked_rate(plan), 2'550);
  }
  RunPlan poisson = shaped("ramp 100/s..5000/s over 30s");
  poisson.senders.pacing = Pacing::poisson;
  EXPECT_EQ(planned_messages(poisson), std::nullopt) << "chance tells";
}

TEST(RunPlan, OfALoadShapeWaitsAsLongAsNothingIsDueInIt) {
  EXPECT_EQ(longest_gap_ns(shaped("burst 0/s..1000/s every 10s for 100ms over 60s")), 9'901'000'000);
  EXPECT_EQ(longest_gap_ns(RunPlan()), 20'000'000);
}

// Within the time that is asked for no run hangs, however its senders are staggered.
TEST(RunPlan, OfALoadShapeWaitsForAWholeRoundOfSendersThatAreNotStaggeredEvenly) {
  RunPlan plan = shaped("ramp 10/s..20/s over 10min", 1000);
  EXPECT_EQ(longest_gap_ns(plan), 99'991'668) << "10 t + t^2 / 120 = 1";
  plan.senders.phase = Phase::together;
  const int64_t round_ns = longest_gap_ns(plan);
  EXPECT_EQ(round_ns / 100'000'000, 928) << "10 t + t^2 / 120 = 1000";
  plan.senders.phase = Phase::random;
  EXPECT_EQ(longest_gap_ns(plan), round_ns);
}

TEST(RunPlan, OfAPoissonLoadWaitsForAsLongAsChanceMayTake) {
  RunPlan plan = shaped("ramp 0.1/s..0.2/s over 10min", 1000);
  plan.senders.pacing = Pacing::poisson;
  EXPECT_EQ(longest_gap_ns(plan) / 1'000'000'000, 174) << "20 messages: 0.1 t + t^2 / 12000 = 20";
  RunPlan steady;
  steady.senders.fleet.count = 1;
  steady.senders.delay_ns = 5'000'000'000;
  steady.senders.pacing = Pacing::poisson;
  EXPECT_EQ(longest_gap_ns(steady), 100'000'000'000);
  steady.senders.fleet.count = 100;
  EXPECT_EQ(longest_gap_ns(steady), 100'000'000'000) << "the last that is not done is alone";
  steady.senders.duration_ns = 60'000'000'000;
  EXPECT_EQ(longest_gap_ns(steady), 1'000'000'000) << "of so many one is due more often";
}

TEST(RunPlan, WithAShapeIsNotJudgedByWhatItDoesNotUse) {
  RunPlan plan = shaped("ramp 10/s..20/s over 10s");
  plan.senders.messages = 0;
  plan.senders.delay_ns = -1;
  EXPECT_TRUE(problems_of(plan).empty()) << problems_of(plan).front().text;
  plan.senders.shape = {};
  EXPECT_EQ(problems_of(plan).size(), 2u);
}

TEST(RunPlan, WithoutAShapeIsAskedAsItsDelaySays) {
  RunPlan plan;
  const auto load = asked_load(plan);
  ASSERT_TRUE(load);
  EXPECT_EQ(load->length_ns(), 10'000'000'000);
  EXPECT_EQ(load->messages(), 5'000);
  plan.senders.delay_ns = 0;
  EXPECT_FALSE(asked_load(plan));
}

TEST(RunPlan, WithAShapeThatCannotBeSaysWhichPartAndHasNothingDue) {
  const auto text = [](const char* shape) {
    const auto problems = problems_of(shaped(shape));
    return problems.empty() ? "" : problems.front().key + ": " + problems.front().text;
  };
  EXPECT_EQ(text("ramp 100/s..5000/s over 30s"), "");
  EXPECT_EQ(text("spike 1/s..2/s at 9s for 2s over 10s"),
            "senders.shape: over: 10s ends before the spike does; expected at least 11s");
  EXPECT_NE(text("ramp 0/s..0.01/s over 1s").find("not one message is due"), std::string::npos);
  EXPECT_NE(text("ramp 0/s..1000000000/s over 100h").find("lower its rates"), std::string::npos);
  RunPlan odd = shaped("ramp");
  odd.senders.shape.every_ns = 1;
  ASSERT_FALSE(problems_of(odd).empty());
  EXPECT_NE(problems_of(odd).front().text.find("a part is set"), std::string::npos);
  EXPECT_EQ(planned_messages(shaped("burst 1/s..2/s every 0s for 0s over 1s")), 0u) << "and ends";
}

// As the load balancer where one replies, as the broadcaster where all get the request.
TEST(RunPlan, OwesRequestsToOneReplierOrToAll) {
  for (const auto& [from, deliveries] :
       {std::pair("queue.reply_from=one", 20u), std::pair("queue.reply_from=first", 60u),
        std::pair("queue.reply_from=all", 60u)})
    EXPECT_EQ(planned_deliveries(plan_with(
                  {"queue.mode=request-reply", "senders.count=2", "senders.messages=10", "receivers.count=3", from})),
              deliveries)
        << from;
}

TEST(RunPlan, HasNoRateInAClosedLoop) {
  const RunPlan loop = plan_with({"queue.mode=request-reply", "senders.outstanding=2"});
  EXPECT_EQ(closed_loop(loop), 2u);
  EXPECT_FALSE(asked_rate(loop));
  EXPECT_FALSE(asked_load(loop));
  EXPECT_FALSE(planned_duration_ns(loop));
  EXPECT_TRUE(planned_messages(loop)) << "their number ends it";
  const RunPlan other = plan_with({"senders.outstanding=2"});
  EXPECT_EQ(closed_loop(other), 0u);
  EXPECT_TRUE(asked_rate(other));
}

// Which settings it is made of.
TEST(GivenUp, SaysAfterHowLong) {
  const auto given = [](const char* kind, std::map<std::string, std::string> settings, Mode mode) {
    RunPlan plan;
    plan.bus = {.kind = kind, .settings = std::move(settings)};
    plan.queue.mode = mode;
    return given_up_after(plan);
  };
  constexpr auto kToAll = Mode::broadcaster, kToOne = Mode::load_balancer;
  EXPECT_EQ(given("n2nq", {}, kToAll), "");
  EXPECT_EQ(given("kafka", {}, kToAll), "5s (bus.quiet)") << "as its clients wait before they ask again";
  EXPECT_EQ(given("kafka", {{"quiet", "2s"}}, kToAll), "2s (bus.quiet)");
  EXPECT_EQ(given("kafka", {{"servers", "3"}}, kToAll), "15s (as bus.servers are several)");
  EXPECT_EQ(given("kafka", {{"transactions", "100ms"}, {"idempotence", "true"}, {"delivery_timeout", "20s"}}, kToAll),
            "35.1s (as a transaction may stay open)");
  EXPECT_EQ(given("kafka", {}, kToOne), "51s (bus.quiet and bus.session_timeout)");
  EXPECT_EQ(given("jetstream", {}, kToOne), "12s (bus.quiet and bus.take_over)");
  EXPECT_EQ(given("relay", {}, kToOne), "1s (bus.quiet)");
  RunPlan late;
  late.bus = {.kind = "rabbitmq", .settings = {{"acknowledge_after", "service"}, {"prefetch", "3"}}};
  late.queue.mode = kToOne;
  EXPECT_EQ(given_up_after(late), "1s (bus.quiet)");
  late.receivers.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 2'000'000'000};
  EXPECT_EQ(given_up_after(late), "7s (bus.quiet and receivers.service_time)");
}

}  // namespace
}  // namespace n2nq::plan
