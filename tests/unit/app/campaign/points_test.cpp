#include "app/campaign/points.h"

#include <gmock/gmock.h>

#include <set>

#include "app/campaign/estimate.h"
#include "app/campaign/point_notes.h"
#include "app/plan/plan_fields.h"
#include "tests/unit/app/campaign/example_results.h"

namespace n2nq::campaign {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

bool is_external_here(const Point& point) {
  return !places_not_external(point, {}).empty();
}

Campaign two_by_three() {
  Campaign campaign{.name = "sweep"};
  campaign.axes = {{.name = "size",
                    .values = {{.label = "small", .set = {{"senders.size", "50B"}}},
                               {.label = "large", .set = {{"senders.size", "1KiB"}}}}},
                   {.name = "services", .values = {}}};
  for (const char* count : {"1", "10", "20"})
    campaign.axes[1].values.push_back({.label = count, .set = {{"senders.count", count}, {"receivers.count", count}}});
  return campaign;
}

std::vector<std::string> labels(const Campaign& campaign) {
  std::vector<std::string> all;
  const auto points = points_of(campaign);
  EXPECT_TRUE(points) << points.error().text;
  for (const Point& point : *points) all.push_back(label_of(campaign, point));
  return all;
}

TEST(Points, OfAGridAreEveryValueWithEveryOther) {
  EXPECT_THAT(labels(two_by_three()),
              ElementsAre("small, 1", "small, 10", "small, 20", "large, 1", "large, 10", "large, 20"));
}

TEST(Points, OfPairedAxesAreTheFirstValuesThenTheSecond) {
  Campaign campaign = two_by_three();
  campaign.combine = Combine::paired;
  campaign.axes[1].values.pop_back();
  EXPECT_THAT(labels(campaign), ElementsAre("small, 1", "large, 10"));
}

TEST(Points, OfAGridAreWithoutTheCombinationsThatAreLeftOut) {
  Campaign campaign = two_by_three();
  campaign.repeats = 2;
  campaign.except = {{{"size", {"small"}}, {"services", {"10", "20"}}}, {{"services", {"1"}}, {"size", {"large"}}}};
  EXPECT_THAT(labels(campaign), ElementsAre("small, 1", "large, 10", "large, 20"));
  EXPECT_EQ(problem_of(campaign).value_or("none"), "none");
  EXPECT_EQ(point_count(campaign), 3u);
  EXPECT_EQ(runs_of(campaign).size(), 6u);
  const auto points = points_of(campaign);
  for (uint32_t number = 1; number <= 3; number++) EXPECT_EQ((*points)[number - 1].number, number);
  EXPECT_THAT(to_text(estimate_of(campaign)), HasSubstr("3 points (3 combinations left out), 6 runs"));
  campaign.combine = Combine::paired;
  campaign.axes[1].values.pop_back();
  campaign.except = {{{"size", {"small"}}}};
  EXPECT_THAT(labels(campaign), ElementsAre("large, 10"));
}

TEST(Points, WithoutAxesAreTheBaseAlone) {
  const Campaign campaign{.name = "again", .repeats = 3};
  EXPECT_THAT(labels(campaign), ElementsAre(""));
  EXPECT_EQ(points_of(campaign)->front().plan.name, "again");
  EXPECT_EQ(runs_of(campaign).size(), 3u);
}

TEST(Points, HaveThePlanThatTheirValuesMake) {
  const auto points = points_of(two_by_three());
  const plan::RunPlan& last = points->back().plan;
  EXPECT_EQ(last.name, "sweep: large, 20");
  EXPECT_EQ(last.senders.size_bytes.min, 1024u);
  EXPECT_EQ(last.senders.fleet.count, 20u);
  EXPECT_EQ(last.receivers.fleet.count, 20u);
}

TEST(Points, ALaterAxisHasTheLastWord) {
  Campaign campaign = two_by_three();
  campaign.axes.push_back(
      {.name = "growing",
       .values = {{.label = "senders", .set = {{"receivers.count", "1"}}}, {.label = "both", .set = {}}}});
  const auto points = points_of(campaign);
  EXPECT_EQ((*points)[2].plan.senders.fleet.count, 10u);
  EXPECT_EQ((*points)[2].plan.receivers.fleet.count, 1u);
  EXPECT_EQ((*points)[3].plan.receivers.fleet.count, 10u);
}

TEST(Points, PutTheChosenHostsWhereExternalStands) {
  Campaign campaign{.axes = {{.name = "place",
                              .values = {{.label = "internal", .set = {}},
                                         {.label = "external", .set = {{"senders.hosts", "external"}}}}}}};
  EXPECT_TRUE(is_external_here((*points_of(campaign))[1]));
  EXPECT_THAT((*points_of(campaign))[1].plan.senders.fleet.hosts, ElementsAre());
  campaign.external.senders = {"vm1", "vm2"};
  campaign.base.senders.fleet.count = 2;
  EXPECT_FALSE(is_external_here((*points_of(campaign))[1]));
  EXPECT_THAT((*points_of(campaign))[1].plan.senders.fleet.hosts, ElementsAre("vm1", "vm2"));
  EXPECT_FALSE(is_external_here((*points_of(campaign))[0]));
}

TEST(Points, PutSendersAndReceiversOnTheirOwnHostsBesideTheQueues) {
  Campaign campaign{.axes = {{.name = "place",
                              .values = {{.label = "senders out", .set = {{"receivers.hosts", "internal"}}},
                                         {.label = "both out", .set = {{"receivers.hosts", "external"}}}}}}};
  campaign.base.queue.host = "vm1";
  campaign.base.senders.fleet.hosts = {"external"};
  campaign.external = {.senders = {"vm2"}, .receivers = {"vm3"}};
  const auto points = points_of(campaign);
  EXPECT_THAT(points->front().plan.senders.fleet.hosts, ElementsAre("vm2"));
  EXPECT_THAT(points->front().plan.receivers.fleet.hosts, ElementsAre("vm1"));
  EXPECT_THAT(points->front().external, ElementsAre("vm2"));
  EXPECT_THAT(points->back().plan.senders.fleet.hosts, ElementsAre("vm2"));
  EXPECT_THAT(points->back().plan.receivers.fleet.hosts, ElementsAre("vm3"));
  EXPECT_THAT(points->back().external, ElementsAre("vm2", "vm3"));
  EXPECT_FALSE(is_external_here(points->back()));
  campaign.external.senders = {"vm1"};
  EXPECT_TRUE(is_external_here(points_of(campaign)->back())) << "by its name alone it is the queue's";
  campaign.external.senders.clear();
  EXPECT_THAT(points_of(campaign)->back().plan.senders.fleet.hosts, ElementsAre("vm3")) << "those of the other fleet";
}

TEST(Points, WithFewerServicesThanHostsUseAsManyHostsAsTheyNeed) {
  Campaign campaign = two_by_three();
  campaign.base.senders.fleet.hosts = {"external"};
  campaign.base.receivers.fleet.hosts = {"this computer", "external"};
  campaign.external.senders = {"vm1", "vm2", "vm3"};
  const auto points = points_of(campaign);
  const plan::RunPlan& ten = (*points)[1].plan;
  EXPECT_THAT(ten.senders.fleet.hosts, ElementsAre("vm1", "vm2", "vm3"));
  EXPECT_THAT(ten.receivers.fleet.hosts, ElementsAre("this computer", "vm1", "vm2", "vm3"));
  EXPECT_THAT(points->front().plan.senders.fleet.hosts, ElementsAre("vm1"));
  EXPECT_THAT(points->front().plan.receivers.fleet.hosts, ElementsAre("this computer"));
  EXPECT_FALSE(is_external_here(points->front()));
  EXPECT_EQ(problem_of(campaign), std::nullopt);
  // What the plan itself names is not left out in silence.
  campaign.base.receivers.fleet.hosts = {"vm1", "vm2"};
  EXPECT_THAT(problem_of(campaign).value_or(""), HasSubstr("there are more hosts (2) than receivers (1)"));
}

TEST(Points, PutTheQueuesHostWhereInternalStands) {
  Campaign campaign{.axes = {{.name = "place",
                              .values = {{.label = "internal", .set = {{"senders.hosts", "internal"}}},
                                         {.label = "external", .set = {{"senders.hosts", "external"}}}}}}};
  EXPECT_THAT(points_of(campaign)->front().plan.senders.fleet.hosts, ElementsAre());
  campaign.base.queue.host = "vm1";
  const auto points = points_of(campaign);
  EXPECT_THAT(points->front().plan.senders.fleet.hosts, ElementsAre("vm1"));
  EXPECT_THAT(points->back().plan.senders.fleet.hosts, ElementsAre());
  EXPECT_FALSE(is_external_here(points->back())) << "this computer is not the queue's";
}

TEST(Points, OfSeveralBusesMayHaveTheDefaultOfASettingThatSomeAreWithout) {
  Campaign campaign;
  for (const char* set : {"queue.mode=load-balancer", "bus.window=1000"})
    ASSERT_TRUE(plan::set_field(campaign.base, set));
  campaign.axes = {{.name = "bus",
                    .values = {{.label = "streams", .set = {{"bus.kind", "redis-streams"}}},
                               {.label = "http", .set = {{"bus.kind", "http"}}},
                               {.label = "own", .set = {{"bus.kind", "n2nq"}}}}}};
  EXPECT_EQ(problem_of(campaign).value_or("none"), "none");
  ASSERT_TRUE(plan::set_field(campaign.base, "bus.window=10"));
  EXPECT_THAT(problem_of(campaign).value_or("none"), HasSubstr("bus.window: HTTP/1.1 has no such setting"));
}

TEST(Points, NameTheValueThatIsWrong) {
  Campaign campaign = two_by_three();
  campaign.axes[1].values[2].set[0].value = "many";
  EXPECT_THAT(points_of(campaign).error().text, HasSubstr("axes[1].values[2]: senders.count: \"many\""));
}

std::vector<PlannedRun> order_of(Order order, uint64_t seed = 1) {
  Campaign campaign = two_by_three();
  campaign.axes.pop_back();
  campaign.repeats = 2;
  campaign.order = order;
  campaign.seed = seed;
  return runs_of(campaign);
}

TEST(Runs, RepeatEachPointAtOnceOrAllPointsInTurns) {
  using One = PlannedRun;
  EXPECT_THAT(order_of(Order::sequential), ElementsAre(One{1, 1}, One{1, 2}, One{2, 1}, One{2, 2}));
  EXPECT_THAT(order_of(Order::interleaved), ElementsAre(One{1, 1}, One{2, 1}, One{1, 2}, One{2, 2}));
}

TEST(Runs, InRandomOrderAreAllThereAndTheSameForTheSameSeed) {
  Campaign campaign = two_by_three();
  campaign.repeats = 20;
  campaign.order = Order::random;
  const auto runs = runs_of(campaign);
  std::set<std::pair<uint32_t, uint32_t>> each;
  for (const PlannedRun& run : runs) each.emplace(run.point, run.repeat);
  EXPECT_EQ(each.size(), 120u);
  EXPECT_EQ(runs_of(campaign), runs);
  campaign.seed = 2;
  EXPECT_NE(runs_of(campaign), runs);
}

TEST(Runs, HaveSeedsOfTheirOwnInEachRepeatAndTheSameEachTime) {
  plan::RunPlan plan;
  plan.senders.seed = plan.receivers.seed = 1;
  plan.queue.seed = 7;
  EXPECT_EQ(plan_of_repeat(plan, 1), plan) << "the first has those of the plan";
  std::set<uint64_t> senders, queues, receivers;
  for (uint32_t repeat = 1; repeat <= 1000; repeat++) {
    const plan::RunPlan made = plan_of_repeat(plan, repeat);
    EXPECT_EQ(made, plan_of_repeat(plan, repeat));
    EXPECT_LT(made.senders.seed, uint64_t{1} << 53);
    senders.insert(made.senders.seed);
    queues.insert(made.queue.seed);
    receivers.insert(made.receivers.seed);
  }
  EXPECT_EQ(senders.size(), 1000u);
  EXPECT_EQ(queues.size(), 1000u);
  EXPECT_EQ(receivers.size(), 1000u);
  plan::RunPlan other = plan_of_repeat(plan, 2);
  other.senders.seed = plan.senders.seed;
  other.queue.seed = plan.queue.seed;
  other.receivers.seed = plan.receivers.seed;
  EXPECT_EQ(other, plan) << "and nothing else";
}

TEST(CampaignProblem, IsNamedByItsPlace) {
  const auto problem = [](auto change) {
    Campaign campaign = two_by_three();
    change(campaign);
    return problem_of(campaign).value_or("none");
  };
  EXPECT_EQ(problem([](Campaign&) {}), "none");
  EXPECT_THAT(problem([](Campaign& c) { c.axes[1].name = "size"; }), HasSubstr("axes[1].name: there are two axes"));
  EXPECT_THAT(problem([](Campaign& c) { c.axes[1].values.clear(); }), HasSubstr("axes[1].values: there are none"));
  EXPECT_THAT(problem([](Campaign& c) { c.axes[0].values[1].label = "small"; }),
              HasSubstr("axes[0].values[0]: there are two values called small"));
  EXPECT_THAT(problem([](Campaign& c) { c.combine = Combine::paired; }), HasSubstr("axes[1].values: paired axes"));
  EXPECT_THAT(problem([](Campaign& c) { c.repeats = 50'000; }), HasSubstr("more than 100000 runs"));
  EXPECT_THAT(problem([](Campaign& c) {
                c.every.emplace();
                c.pause_ns = 1;
              }),
              HasSubstr("pause: with \"every\""));
  EXPECT_THAT(problem([](Campaign& c) { c.stop.limit = "p99 > 2x"; }),
              HasSubstr("stop.limit: \"2x\": a ratio is for compare, as a run has nothing"));
  EXPECT_THAT(problem([](Campaign& c) { c.stop.limit = "p99"; }), HasSubstr("stop.limit: "));
  EXPECT_THAT(problem([](Campaign& c) { c.figures = {{.id = "a", .x = "none"}}; }),
              HasSubstr("figures[0].x: there is no axis \"none\""));
  EXPECT_THAT(problem([](Campaign& c) { c.figures = {{.id = "a", .x = "size", .where = {{"services", {"7"}}}}}; }),
              HasSubstr("figures[0].where: the axis \"services\" has no value \"7\""));
  EXPECT_THAT(problem([](Campaign& c) { c.figures = {{.id = "a", .x = "size"}}; }),
              HasSubstr("figures[0].where: it must select one value of the axis \"services\""));
  EXPECT_THAT(problem([](Campaign& c) { c.figures = {{.id = "../a", .x = "size"}}; }),
              HasSubstr("figures[0].id: expected letters"));
  EXPECT_THAT(problem([](Campaign& c) { c.except = {{{"size", {"small"}}}, {{"bus", {"Redis"}}}}; }),
              HasSubstr("except[1]: there is no axis \"bus\""));
  EXPECT_THAT(problem([](Campaign& c) { c.except = {{{"services", {"7"}}}}; }),
              HasSubstr("except[0]: the axis \"services\" has no value \"7\""));
  EXPECT_THAT(problem([](Campaign& c) { c.except = {{}}; }), HasSubstr("except[0]: it names no axis"));
  EXPECT_THAT(problem([](Campaign& c) { c.except = {{{"size", {}}}}; }), HasSubstr("except[0]: it names no value of"));
  EXPECT_THAT(problem([](Campaign& c) {
                for (const char* name : {"a", "b"}) {
                  c.axes.push_back({.name = name, .values = {}});
                  for (size_t i = 0; i < 200; i++) c.axes.back().values.push_back({.label = std::to_string(i)});
                }
                c.except = {{{"size", {"small"}}}};
              }),
              HasSubstr("axes: they result in more than 100000 combinations"));
  EXPECT_THAT(problem([](Campaign& c) { c.except = {{{"size", {"small", "large"}}}}; }),
              HasSubstr("except: it leaves nothing to run"));
  EXPECT_THAT(problem([](Campaign& c) { c.base.senders.fleet.attach = "127.0.0.1:7500"; }),
              HasSubstr("point 1 (small, 1): queue.listen"));
}

TEST(Estimate, AddsUpWhatTheRunsTake) {
  Campaign campaign = two_by_three();
  campaign.base.senders.messages = 50;
  campaign.base.senders.delay_ns = 1'000'000'000;
  campaign.repeats = 2;
  campaign.pause_ns = 1'000'000'000;
  const Estimate estimate = estimate_of(campaign);
  EXPECT_EQ(estimate.points, 6u);
  EXPECT_EQ(estimate.runs, 12u);
  EXPECT_GE(estimate.duration_ns, 12 * 50'000'000'000);
  EXPECT_LE(estimate.duration_ns, 12 * 53'000'000'000);
  EXPECT_EQ(estimate.runs_without_schedule, 0u);
  const uint64_t lines_of_20_by_20 = 2 * (50 * 20 * 21);
  EXPECT_GT(estimate.bytes, lines_of_20_by_20 * (50 + 256)) << "of long contents the head is kept";
  campaign.base.senders.delay_ns = 0;
  EXPECT_EQ(estimate_of(campaign).runs_without_schedule, 12u);
  campaign.base.senders.duration_ns = 1'000'000'000;
  EXPECT_EQ(estimate_of(campaign).runs_of_unknown_size, 12u);
  campaign.base.log = plan::LogLevel::off;
  EXPECT_LT(estimate_of(campaign).bytes, 12 * 400'000u);
}

TEST(Estimate, OfRunsAtStartTimesGoesFromStartToStart) {
  Campaign campaign;
  campaign.base.senders.messages = 50;
  campaign.base.senders.delay_ns = 1'000'000'000;
  campaign.repeats = 24;
  campaign.every = StartTimes{.every_s = 3600};
  EXPECT_EQ(estimate_of(campaign).duration_ns, 24 * 3600'000'000'000);
  campaign.every->every_s = 30;
  EXPECT_EQ(estimate_of(campaign).duration_ns, 24 * 60'000'000'000) << "each second time passes during a run";
  campaign.every = StartTimes{.every_s = 3600, .from_s = 8 * 3600, .to_s = 19 * 3600};
  EXPECT_EQ(estimate_of(campaign).duration_ns, 2 * 24 * 3600'000'000'000) << "twelve a day";
}

TEST(Campaigns, HaveNoFigureOfARepeatThatThereIsNot) {
  Campaign campaign;
  campaign.repeats = 2;
  campaign.figures = {{.id = "day", .kind = FigureKind::runs, .repeats = {{1, 2}}}};
  EXPECT_EQ(problem_of(campaign), std::nullopt);
  campaign.figures[0].repeats = {{3, 3}};
  EXPECT_EQ(problem_of(campaign), "figures[0].repeats: the campaign has only 2");
}

TEST(Estimate, OfRoundsAtStartTimesGoesFromRoundToRound) {
  Campaign campaign;
  campaign.base.senders.messages = 50;
  campaign.base.senders.delay_ns = 1'000'000'000;
  campaign.axes = {{.name = "kind", .values = {{.label = "a", .set = {}}, {.label = "b", .set = {}}}}};
  campaign.order = Order::interleaved;
  campaign.repeats = 24;
  campaign.every = StartTimes{.every_s = 3600, .rounds = true};
  EXPECT_EQ(estimate_of(campaign).duration_ns, 24 * 3600'000'000'000);
  campaign.every->every_s = 60;
  EXPECT_EQ(estimate_of(campaign).duration_ns, 24 * 120'000'000'000) << "two runs take longer than a minute";
  campaign.order = Order::sequential;
  EXPECT_EQ(problem_of(campaign),
            "every: there are rounds where all points are run before the next repeat; set the order to interleaved, or "
            "leave \"in rounds\" out");
}

TEST(Estimate, OfRunsThatGoByTimeHasTheirLogs) {
  Campaign campaign;
  campaign.base.senders.fleet.count = 100;
  campaign.base.receivers.fleet.count = 100;
  campaign.base.senders.duration_ns = 600'000'000'000;
  campaign.base.senders.delay_ns = 1'000'000;
  campaign.base.senders.size_bytes = {.min = 1000, .max = 1000};
  const Estimate estimate = estimate_of(campaign);
  EXPECT_EQ(estimate.runs_of_unknown_size, 0u);
  const uint64_t lines = 600'000 * 100 * 101ull;
  EXPECT_GT(estimate.bytes, lines * 256);
  campaign.base.log = plan::LogLevel::off;
  EXPECT_GT(estimate_of(campaign).bytes, 600 * 20'000u) << "a full line of the HdrHistogram log each second";
  campaign.base.senders.fleet.count = campaign.base.receivers.fleet.count = 1;
  campaign.base.senders.delay_ns = 1'000'000'000;
  EXPECT_LT(estimate_of(campaign).bytes, 600 * 1'000u) << "of few messages it is short";
  campaign.base.senders.fleet.count = campaign.base.receivers.fleet.count = 100;
  campaign.base.senders.delay_ns = 1'000'000;
  campaign.base.log = plan::LogLevel::full;
  EXPECT_LT(estimate.bytes, lines * 1000);
  campaign.base.senders.pacing = plan::Pacing::poisson;
  EXPECT_GT(estimate_of(campaign).bytes, estimate.bytes) << "so many may come";
  campaign.base.senders.delay_ns = 0;
  EXPECT_EQ(estimate_of(campaign).runs_of_unknown_size, 1u);
}

TEST(Estimate, IsOfTheRunsThatAreLeft) {
  Campaign campaign = two_by_three();
  campaign.repeats = 2;
  Ledger ledger(campaign);
  const uint64_t all = estimate_of(campaign).bytes;
  for (uint32_t point = 1; point <= 5; point++)
    for (uint32_t repeat = 1; repeat <= 2; repeat++) ledger.take(test::result(point, repeat));
  ledger.take(test::result(6, 1));
  const Estimate left = estimate_of(campaign, &ledger);
  EXPECT_EQ(left.points, 1u);
  EXPECT_EQ(left.runs, 1u);
  EXPECT_LT(left.bytes, all);
}

TEST(Estimate, OfMoreThanCanBeSaidIsTheMostThatCan) {
  Campaign campaign = two_by_three();
  campaign.axes.clear();
  campaign.repeats = 1000;
  campaign.base.senders.fleet.count = 10'000;
  campaign.base.receivers.fleet.count = 10'000;
  campaign.base.senders.messages = 1'000'000;
  campaign.base.senders.delay_ns = 3600'000'000'000;
  campaign.base.senders.size_bytes = {.min = 64 << 20, .max = 64 << 20};
  const Estimate estimate = estimate_of(campaign);
  EXPECT_EQ(estimate.duration_ns, INT64_MAX);
  EXPECT_EQ(estimate.bytes, UINT64_MAX);
}

}  // namespace
}  // namespace n2nq::campaign
