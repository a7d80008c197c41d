#include "app/figures/waiting.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/figures/figures.h"

namespace n2nq::figures {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Kind = measure::ServiceTime::Kind;

constexpr double kMs = 1e6;
constexpr int64_t kBatchNs = 1'250'000'000;

// Four receivers of 10 ms a message, 280 messages a second from twenty Poisson senders; the bus takes 0.1 ms.
struct WaitingTest : testing::Test {
  WaitingTest() {
    plan.queue.mode = plan::Mode::load_balancer;
    plan.queue.requests = {.on = true, .at_a_time = 1};
    plan.senders.fleet.count = 20;
    plan.senders.pacing = plan::Pacing::poisson;
    plan.senders.delay_ns = 71'428'571;
    plan.receivers.fleet.count = 4;
    plan.receivers.service_time = {.kind = Kind::exponential, .mean_ns = 10'000'000};
    sums.waiting.mean = 3.8 * kMs;
    sums.service.mean = sums.occupied.mean = 10 * kMs;
    sums.handover.mean = 0.1 * kMs;
    sums.delay.mean = 71'428'571;
    sums.waiting.count = 5600;
    for (int i = 0; i < 16; i++)
      batches.push_back({.start_ns = i * kBatchNs,
                         .width_ns = kBatchNs,
                         .count = 350,
                         .sum_ns = 350 * (i % 2 == 0 ? 3.3 : 4.3) * kMs});
    sums.batches = batches;
  }
  Waiting waiting() const { return *waiting_of(sums); }

  plan::RunPlan plan;
  std::vector<live::WaitingBatch> batches;
  WaitingSums sums{.plan = plan};
};

// Checked against the published example: M/M/4 at 70 % (see queueing_test).
TEST_F(WaitingTest, IsExpectedByThePlanAlone) {
  const auto expected = expected_of(plan);
  ASSERT_TRUE(expected);
  ASSERT_NE(expected->fitting(), nullptr);
  EXPECT_EQ(expected->fitting()->name, "M/M/4");
  const auto theory = analysis::shared_queue({.arrivals_per_s = 280, .services_per_s = 100, .servers = 4});
  EXPECT_NEAR(expected->predicted_ns(*expected->fitting()), theory->waiting_s * 1e9, 10) << "the bus takes no time";
  EXPECT_NEAR(expected->predicted_in_system_ns(*expected->fitting()), theory->in_system_s * 1e9, 10);
  EXPECT_NEAR(expected->predicted_low_ns(*expected->fitting()), theory->waiting_s * 1e9, 10) << "nothing is uncertain";
  EXPECT_THAT(expected->caveats, IsEmpty());
  EXPECT_EQ(expected_text(*expected), "by theory (M/M/4) receivers are 70 % busy and messages wait 3.57 ms");
  EXPECT_EQ(fewest_receivers(plan, theory->waiting_s * 1e9 + 1), 4);
  EXPECT_EQ(fewest_receivers(plan, theory->waiting_s * 1e9 - 100), 5);
  plan.receivers.fleet.count = 2;
  EXPECT_EQ(expected_text(*expected_of(plan)),
            "receivers are offered 140 % of their capacity, so waiting grows as long as the run lasts");
  EXPECT_EQ(fewest_receivers(plan, theory->waiting_s * 1e9 + 1), 4) << "whatever the plan has";
  plan.senders.pacing = plan::Pacing::fixed;
  EXPECT_THAT(expected_of(plan)->caveats, Contains(HasSubstr("arrivals are not Poisson")));
  plan.queue.requests.at_a_time = 8;
  plan.receivers.fleet.count = 4;
  EXPECT_THAT(expected_text(*expected_of(plan)),
              HasSubstr("receivers are 70 % busy; no model of theory is of this plan: "));
  EXPECT_EQ(fewest_receivers(plan, 1e12), std::nullopt);
  plan.queue.mode = plan::Mode::request_reply;
  EXPECT_EQ(expected_of(plan)->fitting()->name, "4 x M/M/1") << "there they are pushed, whatever requests says";
  plan.queue.mode = plan::Mode::load_balancer;
  plan.senders.delay_ns = 0;
  EXPECT_FALSE(expected_of(plan)) << "no rate";
  plan.senders.delay_ns = 71'428'571;
  plan.receivers.service_time = {};
  EXPECT_FALSE(expected_of(plan)) << "no service";
}

TEST_F(WaitingTest, IsPutBesideTheModelOfThePlan) {
  const Waiting found = waiting();
  EXPECT_NEAR(found.arrivals_per_s, 280, 1e-3);
  EXPECT_NEAR(found.services_per_s, 100, 1e-9);
  EXPECT_NEAR(found.utilisation(), 0.7, 1e-6);
  ASSERT_NE(found.fitting(), nullptr);
  EXPECT_EQ(found.fitting()->name, "M/M/4");
  const auto theory = analysis::shared_queue({.arrivals_per_s = 280, .services_per_s = 100, .servers = 4});
  EXPECT_NEAR(found.predicted_ns(*found.fitting()), theory->waiting_s * 1e9 + 0.1 * kMs, 10);
  EXPECT_NEAR(found.number(found.mean_ns), 280 * 0.0038, 1e-6);
  std::vector<std::string> names;
  for (const WaitingModel& model : found.models) names.push_back(model.name);
  EXPECT_EQ(names, (std::vector<std::string>{"M/M/4", "M/D/4", "4 x M/M/1", "4 x M/D/1"}));
  EXPECT_THAT(found.caveats, IsEmpty());
}

TEST_F(WaitingTest, HasTheTimeInTheSystemWithTheServiceAsItWas) {
  sums.in_system.mean = 13.8 * kMs;
  sums.occupied.mean = 10.1 * kMs;  // what a receiver waits for its next message is no service
  const Waiting found = waiting();
  const WaitingModel& model = *found.fitting();
  EXPECT_DOUBLE_EQ(found.in_system_ns, 13.8 * kMs);
  EXPECT_NEAR(found.predicted_in_system_ns(model), found.predicted_ns(model) + 10 * kMs, 1);
  EXPECT_TRUE(model.prediction.empty_probability);
  EXPECT_THAT(waiting_figure(sums, {}).notes, Contains(HasSubstr("measured in the system 13.8 ms, 3.86 messages; by "
                                                                 "M/M/4 in the system")));
  EXPECT_THAT(waiting_figure(sums, {}).notes, Contains(HasSubstr("% of the time")));
}

TEST_F(WaitingTest, AgreesWhereThePredictionLiesInTheInterval) {
  const Waiting found = waiting();
  EXPECT_LT(*found.low_ns, found.mean_ns);
  EXPECT_GT(*found.high_ns, found.mean_ns);
  EXPECT_EQ(found.agrees(), std::optional(true));
  EXPECT_THAT(verdict_text(found), HasSubstr("M/M/4 says 3.67 ms"));
  EXPECT_THAT(verdict_text(found), HasSubstr("3 % more, within what chance explains (95 % confidence)"));
  sums.waiting.mean = 10.2 * kMs;
  EXPECT_EQ(waiting().agrees(), std::optional(false));
  EXPECT_THAT(verdict_text(waiting()), HasSubstr("% more, which is not chance"));
}

TEST_F(WaitingTest, CountsHowFarTheLoadItselfMayBeOff) {
  // 14 % more than theory: beyond the interval of the mean, and within what 400 delays leave of the load.
  sums.waiting.mean = 4.4 * kMs;
  EXPECT_EQ(waiting().agrees(), std::optional(false));
  sums.delay.count = sums.occupied.count = 5600;
  sums.delay.stddev = *sums.delay.mean;
  sums.occupied.stddev = *sums.occupied.mean;
  const Waiting found = waiting();
  const WaitingModel& model = *found.fitting();
  EXPECT_NEAR(*found.load.high, 0.7 * (1 + 1.96 * std::sqrt(2 / 5600.0)), 1e-6);
  EXPECT_LT(found.predicted_low_ns(model), found.predicted_ns(model));
  EXPECT_GT(*found.predicted_high_ns(model), found.predicted_ns(model));
  EXPECT_EQ(found.agrees(), std::optional(true));
  EXPECT_THAT(verdict_text(found), HasSubstr("within what chance explains"));
}

TEST_F(WaitingTest, IsNotJudgedWhereTheQueueRemembersForTooLong) {
  sums.waiting.mean = 30 * kMs;
  sums.delay.mean = 71'428'571 * 0.7 / 0.97;
  EXPECT_TRUE(waiting().too_short());
  EXPECT_FALSE(waiting().agrees());
  EXPECT_THAT(verdict_text(waiting()), HasSubstr("too short to tell whether that is chance"));
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("97 % busy remembers for up to")));
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("; run it for ")));
  sums.delay.count = sums.occupied.count = 400;
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("or an overload")));
}

TEST_F(WaitingTest, ChoosesTheModelByServiceTimeAndByWhoPushes) {
  plan.receivers.service_time.kind = Kind::fixed;
  EXPECT_EQ(waiting().fitting()->name, "M/D/4");
  plan.queue.requests.on = false;
  EXPECT_EQ(waiting().fitting()->name, "4 x M/D/1");
  plan.receivers.service_time.kind = Kind::exponential;
  EXPECT_EQ(waiting().fitting()->name, "4 x M/M/1");
}

TEST_F(WaitingTest, HasTheModelOfQueuesInTurn) {
  plan.queue.requests.on = false;
  plan.queue.policy = plan::Policy::round_robin;
  const Waiting found = waiting();
  ASSERT_NE(found.fitting(), nullptr);
  EXPECT_EQ(found.fitting()->name, "4 x E4/M/1");
  EXPECT_THAT(found.caveats, IsEmpty());
  EXPECT_FALSE(found.fitting()->prediction.empty_probability);
  plan.receivers.service_time.kind = Kind::fixed;
  EXPECT_EQ(waiting().fitting()->name, "4 x E4/D/1");
}

TEST_F(WaitingTest, HasTheModelOfSendersThatArePinned) {
  plan.queue.requests.at_a_time = 8;  // nobody else takes what is a receiver's
  const auto filters = [this](const std::vector<std::string>& of_receivers) {
    plan.queue.requests.filters.clear();
    for (uint32_t i = 0; i < of_receivers.size(); i++)
      plan.queue.requests.filters.push_back(
          {.receivers = *control::parse_services(std::to_string(i + 1)), .filter = of_receivers[i]});
  };
  for (const plan::Mode mode : {plan::Mode::load_balancer, plan::Mode::broadcaster}) {
    plan.queue.mode = mode;
    filters({"senders=1..5", "senders=6..10", "senders=11..15", "senders=16..20"});
    const Waiting even = waiting();
    ASSERT_NE(even.fitting(), nullptr);
    EXPECT_EQ(even.fitting()->name, "4 x M/M/1, by senders");
    EXPECT_NEAR(even.arrivals_per_s, 280, 1e-3);
    EXPECT_NEAR(even.fitting()->prediction.waiting_s, 0.7 / 0.3 * 0.01, 1e-6);
    EXPECT_NEAR(*even.fitting()->prediction.empty_probability, std::pow(0.3, 4), 1e-6);
    EXPECT_THAT(even.caveats, IsEmpty());
    filters({"senders=1..7", "senders=8..14", "senders=15..19", "senders=20"});
    EXPECT_GT(waiting().fitting()->prediction.waiting_s, 0.7 / 0.3 * 0.01);
    filters({"senders=1..8", "senders=9..14", "senders=15..19", "senders=20"});
    EXPECT_EQ(waiting().fitting(), nullptr);
    EXPECT_THAT(waiting().caveats, Contains(HasSubstr("receiver 1 is offered 112 % of its capacity")));
    EXPECT_TRUE(expected_of(plan)->busiest_overloaded());
    EXPECT_THAT(expected_text(*expected_of(plan)), HasSubstr("receiver 1 is offered 112 % of its capacity"));
    for (const char* last : {"senders=1..20", "senders=16..19", "senders=16..20;size=1B..9B"}) {
      filters({"senders=1..5", "senders=6..10", "senders=11..15", last});
      EXPECT_EQ(waiting().fitting(), nullptr) << last;
      EXPECT_THAT(waiting().caveats, Contains(HasSubstr("with filters not every receiver"))) << last;
    }
  }
  EXPECT_EQ(waiting().arrivals_per_s, 0) << "a broadcaster's deliveries follow the filters";
  EXPECT_THAT(expected_text(*expected_of(plan)), testing::StartsWith("no model of theory is of this plan: "));
}

TEST_F(WaitingTest, DrawsTheShortestOfQueuesBesideAPlanThatHasNoModel) {
  plan.queue.requests.on = false;
  plan.queue.policy = plan::Policy::least_outstanding;
  const auto names = [this] {
    std::vector<std::string> all;
    for (const WaitingModel& model : waiting().models) all.push_back(model.name);
    return all;
  };
  EXPECT_THAT(names(), testing::SizeIs(4));
  plan.queue.responses = true;
  EXPECT_THAT(names(), Contains("shortest of 4 x M/M/1"));
  EXPECT_EQ(waiting().fitting(), nullptr);
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("with the fewest")));
  plan.receivers.service_time.kind = Kind::fixed;
  EXPECT_THAT(names(), testing::SizeIs(4)) << "it is of exponential times";
}

TEST_F(WaitingTest, HasNoModelOfReceiversThatComeAndGoOrPause) {
  ASSERT_NE(waiting().fitting(), nullptr);
  plan.receivers.scaling = *plan::parse_scaling("from 1 above 1000 below 10 every 2s");
  EXPECT_EQ(waiting().fitting(), nullptr);
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("come and go")));
  plan.receivers.scaling = {};
  plan.receivers.pauses = *plan::parse_spans("2s..3s");
  EXPECT_EQ(waiting().fitting(), nullptr);
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("receivers pause")));
}

TEST_F(WaitingTest, HasNoModelBehindASharedLimitOrWhereSizesDecide) {
  plan.receivers.shared_limit = *measure::parse_shared_limit("pool:2");
  EXPECT_EQ(waiting().fitting(), nullptr);
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("share a limit")));
  plan.receivers.shared_limit = {};
  plan.receivers.service_time = *measure::parse_service_time("busy-exponential:10ms+1us/1KiB");
  EXPECT_NE(waiting().fitting(), nullptr) << "all are of one size";
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("receivers compute")));
  plan.senders.size_bytes = {.min = 1, .max = 2};
  EXPECT_EQ(waiting().fitting(), nullptr);
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("follow the sizes")));
}

// Each bus has its own way to choose; whoever is to get all has a queue of its own over any.
TEST_F(WaitingTest, HasNoModelWhereTheBusChoosesInItsOwnWay) {
  plan.queue.requests.on = false;
  const auto fitting = [&](std::string_view kind) {
    plan.bus.kind = kind;
    const Waiting found = waiting();
    return found.fitting() == nullptr ? std::string() : found.fitting()->name;
  };
  for (const bus::BusTraits& bus : bus::all_buses()) {
    if (!bus.load_balancer) continue;
    const bool in_turn = bus.kind == "relay";
    const bool known = bus.own_queue || bus.kind == "nats" || in_turn;
    EXPECT_EQ(fitting(bus.kind), in_turn ? "4 x E4/M/1" : known ? "4 x M/M/1" : "") << bus.kind;
    EXPECT_EQ(verdict_text(waiting()) == "no prediction fits this plan", !known);
    if (!known) {
      EXPECT_THAT(waiting().caveats, Contains(HasSubstr("no model here is of this plan")));
      EXPECT_FALSE(waiting().agrees());
    }
  }
  plan.queue.mode = plan::Mode::broadcaster;
  sums.delay.mean = 4 * 71'428'571.0;
  EXPECT_EQ(fitting("rabbitmq"), "4 x M/M/1");
}

// Who is given one message at a time, and the next once that is acknowledged, shares one queue with the others.
TEST_F(WaitingTest, OfABusThatIsToldWhoIsFreeHasTheModelOfASharedQueue) {
  plan.queue.requests.on = false;
  const auto fitting = [&](std::string_view kind, std::map<std::string, std::string> settings) {
    settings["acknowledge_after"] = "service";
    plan.bus = {.kind = std::string(kind), .settings = std::move(settings)};
    const Waiting found = waiting();
    return found.fitting() == nullptr ? std::string() : found.fitting()->name;
  };
  EXPECT_EQ(fitting("redis-streams", {{"fetch", "1"}}), "M/M/4");
  EXPECT_EQ(fitting("jetstream", {{"fetch", "1"}}), "M/M/4");
  EXPECT_EQ(fitting("rabbitmq", {{"prefetch", "1"}}), "M/M/4");
  EXPECT_THAT(waiting().caveats, IsEmpty());
  EXPECT_EQ(fitting("rabbitmq", {{"prefetch", "1"}, {"queues", "2"}}), "");
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("a receiver may have 2 messages that it has not worked on")));
  EXPECT_EQ(fitting("jetstream", {}), "");
  EXPECT_EQ(fitting("jetstream", {{"fetch", "1"}, {"ack_pending", "3"}}), "") << "of all four";
  EXPECT_EQ(fitting("kafka", {}), "");
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("has its own way to choose")));
}

// Partitions are dealt out to receivers; how much of the messages each had is known once they have come.
TEST_F(WaitingTest, OfPartitionsHasTheModelOfWhatEachReceiverHad) {
  plan.queue.requests.on = false;
  plan.bus = {.kind = "kafka", .settings = {{"keys", "uniform"}, {"linger", "0s"}}};
  EXPECT_EQ(waiting().fitting(), nullptr) << "nothing has come yet";
  sums.received = {25, 25, 25, 25};
  ASSERT_NE(waiting().fitting(), nullptr);
  EXPECT_EQ(waiting().fitting()->name, "4 x M/M/1, by partitions");
  EXPECT_NEAR(waiting().fitting()->prediction.waiting_s, 0.7 / 0.3 * 0.01, 1e-6);
  EXPECT_THAT(waiting().caveats, IsEmpty());
  sums.received = {35, 25, 25, 15};
  EXPECT_GT(waiting().fitting()->prediction.waiting_s, 0.7 / 0.3 * 0.01);
  sums.received = {40, 25, 25, 10};
  EXPECT_EQ(waiting().fitting(), nullptr);
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("receiver 1 is offered 112 % of its capacity by its partitions")));
}

TEST_F(WaitingTest, OfABroadcasterHasEveryMessageInEveryQueue) {
  plan.queue.mode = plan::Mode::broadcaster;
  plan.queue.requests.on = false;
  sums.delay.mean = 4 * 71'428'571.0;
  const Waiting found = waiting();
  EXPECT_NEAR(found.arrivals_per_s, 280, 1e-3);
  EXPECT_EQ(found.fitting()->name, "4 x M/M/1");
  EXPECT_EQ(found.models.size(), 2u);
  EXPECT_FALSE(found.fitting()->prediction.empty_probability) << "messages arrive in all queues at once";
}

TEST_F(WaitingTest, SaysWhichAssumptionDoesNotHold) {
  const auto caveats = [&] { return waiting().caveats; };
  plan.senders.pacing = plan::Pacing::fixed;
  EXPECT_THAT(caveats(), Contains(HasSubstr("not Poisson")));
  plan.senders.pacing = plan::Pacing::poisson;
  plan.queue.requests.at_a_time = 8;
  EXPECT_THAT(caveats(), Contains(HasSubstr("8 at a time")));
  EXPECT_EQ(waiting().fitting(), nullptr);
  EXPECT_EQ(verdict_text(waiting()), "no prediction fits this plan");
  plan.queue.requests.on = false;
  plan.queue.policy = plan::Policy::least_outstanding;
  EXPECT_THAT(caveats(), Contains(HasSubstr("without responses the queue does not know")));
  plan.queue.policy = plan::Policy::random;
  sums.expired = 3;
  sums.rate_reached = false;
  EXPECT_THAT(caveats(), testing::SizeIs(2));
  sums.batches = {};
  EXPECT_THAT(caveats(), Contains(HasSubstr("too short")));
  EXPECT_FALSE(waiting().agrees());
}

TEST_F(WaitingTest, HasNoVerdictOnARateThatChanges) {
  plan.senders.shape = *measure::parse_shape("ramp 80/s..480/s over 20s");
  const Waiting found = waiting();
  EXPECT_EQ(found.fitting(), nullptr);
  EXPECT_FALSE(found.agrees());
  EXPECT_FALSE(found.models.empty()) << "for comparison";
  EXPECT_EQ(verdict_text(found), "no prediction fits this plan");
  EXPECT_THAT(found.caveats, Contains(HasSubstr("changes with the load shape")));
}

TEST_F(WaitingTest, SaysThatReceiversAreOverloaded) {
  sums.delay.mean = 71'428'571 * 0.7 / 1.3;
  const Waiting found = waiting();
  EXPECT_TRUE(found.overloaded());
  EXPECT_THAT(found.models, IsEmpty());
  EXPECT_THAT(verdict_text(found), HasSubstr("overloaded: receivers are offered 130 %"));
  EXPECT_FALSE(waiting_figure(sums, {}).empty());
}

TEST_F(WaitingTest, HasNoPredictionOfSendersWithoutADelay) {
  plan.senders.delay_ns = 0;
  EXPECT_THAT(waiting().models, IsEmpty());
  EXPECT_THAT(waiting().caveats, Contains(HasSubstr("no rate")));
}

TEST_F(WaitingTest, IsNothingWithoutAServiceTimeOrAMessage) {
  sums.waiting = {};
  EXPECT_FALSE(waiting_of(sums));
  EXPECT_THAT(waiting_figure(sums, {.stage = Stage::planned}).empty_text, HasSubstr("Start the run"));
  plan.receivers.service_time = {};
  EXPECT_THAT(waiting_figure(sums, {.stage = Stage::planned}).empty_text, HasSubstr("a service time"));
  EXPECT_THAT(queue_length_figure(sums, {.due_per_message = 1}).empty_text,
              HasSubstr("no message waited for a busy receiver; messages that are in flight"));
  EXPECT_THAT(queue_length_figure(sums, {}).empty_text, Not(HasSubstr("Backlog"))) << "it has nothing either";
}

TEST_F(WaitingTest, IsDrawnBesideWhatTheoriesSay) {
  const Figure figure = waiting_figure(sums, {});
  EXPECT_EQ(figure.x.categories, (std::vector<std::string>{"measured", "M/M/4", "M/D/4", "4 x M/M/1", "4 x M/D/1"}));
  ASSERT_EQ(figure.series.size(), 3u);
  EXPECT_EQ(figure.series[0].name, "measured");
  EXPECT_EQ(figure.series[0].points, (std::vector<Point>{{0, 3.8 * kMs}}));
  const Interval* interval = figure.series[0].interval_at(0);
  ASSERT_NE(interval, nullptr);
  EXPECT_DOUBLE_EQ(interval->low, *waiting().low_ns);
  EXPECT_EQ(figure.series[1].name, "theory for this plan");
  ASSERT_EQ(figure.series[1].points.size(), 1u);
  EXPECT_EQ(figure.series[1].points[0].x, 1);
  EXPECT_NEAR(figure.series[1].points[0].y, waiting().predicted_ns(*waiting().fitting()), 1e-6);
  EXPECT_EQ(figure.series[2].points.size(), 3u);
  EXPECT_THAT(figure.notes, Contains(HasSubstr("M/M/4 says")));
  EXPECT_THAT(figure.notes, Contains(HasSubstr("70 % busy")));
  EXPECT_THAT(figure.series[1].notes, testing::ElementsAre(HasSubstr("queue length 1.0")));
}

TEST_F(WaitingTest, IsDrawnAsQueueLengthToo) {
  const Figure figure = queue_length_figure(sums, {});
  EXPECT_NEAR(figure.series[0].points[0].y, 280 * 0.0038, 1e-6);
  EXPECT_NEAR(figure.series[0].interval_at(0)->high, 280 * *waiting().high_ns / 1e9, 1e-6);
  EXPECT_EQ(figure.y.quantity, Quantity::number);
}

}  // namespace
}  // namespace n2nq::figures
