#include "app/compare/titles.h"

#include <gmock/gmock.h>

#include "app/compare/comparison.h"
#include "app/plan/plan_fields.h"
#include "tests/unit/app/compare/example_side.h"

namespace n2nq::compare {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::vector<Side> a_and_b() {
  std::vector<Side> sides{{.name = "A"}, {.name = "B"}};
  for (int64_t id = 1; id <= 6; id++)
    sides[id <= 3 ? 0 : 1].runs.push_back(test::run_with(id, (id <= 3 ? 100 : 300) + id));
  return sides;
}

void change_b(std::vector<Side>& sides, const std::string& assignment) {
  for (record::RunRecord& run : sides[1].runs) ASSERT_TRUE(plan::set_field(run.plan, assignment));
}

TEST(SideNames, SayWhatDiffers) {
  auto sides = a_and_b();
  change_b(sides, "queue.mode=load-balancer");
  EXPECT_THAT(names_of(sides), ElementsAre("broadcaster", "load balancer"));
  auto recorded = a_and_b();
  change_b(recorded, "recorder.on=false");
  EXPECT_THAT(names_of(recorded), ElementsAre("recorder on", "recorder off"));
  change_b(sides, "senders.count=20");
  EXPECT_THAT(names_of(sides), ElementsAre("10 senders, broadcaster", "20 senders, load balancer"));
}

TEST(SideNames, AreThoseOfThePlansWhereMuchDiffersAndTheseTellThemApart) {
  auto sides = a_and_b();
  for (const char* set : {"queue.mode=load-balancer", "senders.count=20", "senders.delay=7ms"}) change_b(sides, set);
  EXPECT_THAT(names_of(sides), ElementsAre("10 senders, delay 20 ms", "20 senders, delay 7 ms"));
  for (record::RunRecord& run : sides[0].runs) run.plan.name = "before";
  for (record::RunRecord& run : sides[1].runs) run.plan.name = "after";
  EXPECT_THAT(names_of(sides), ElementsAre("before", "after"));
}

TEST(SideNames, AreThoseOfTheBusesWhereTheseTellThemApart) {
  auto sides = a_and_b();
  for (const char* set : {"bus.kind=kafka", "senders.count=20", "senders.delay=7ms"}) change_b(sides, set);
  for (record::RunRecord& run : sides[0].runs) run.plan.name = "before";
  EXPECT_THAT(names_of(sides), ElementsAre("N2NQ", "Kafka"));
}

TEST(SideNames, AreTheResultsOfRepeatsOfOnePlan) {
  EXPECT_THAT(names_of(a_and_b()), ElementsAre("#1 to #3", "#4 to #6"));
  EXPECT_THAT(names_of(std::vector<Side>{{.name = "A"}}), ElementsAre("no runs"));
}

TEST(SideNames, AreThoseOfRunsThatDoNotCountAndASideInBetweenMayBeEmpty) {
  std::vector<Side> sides{test::side_with("A", {100}), {.name = "B"}, {.name = "C"}};
  record::RunRecord stopped = test::run_with(2, 100);
  stopped.verdict = record::Verdict::stopped;
  ASSERT_TRUE(plan::set_field(stopped.plan, "bus.kind=kafka"));
  ASSERT_TRUE(add_run(sides[2], stopped));
  EXPECT_THAT(names_of(sides), ElementsAre("N2NQ", "no runs", "Kafka"));
}

TEST(SideNames, SayWhoseProcessesTheyAreAndOneIsNoMany) {
  auto sides = a_and_b();
  change_b(sides, "senders.count=1");
  EXPECT_THAT(names_of(sides), ElementsAre("10 senders", "1 sender"));
  auto processes = a_and_b();
  change_b(processes, "receivers.processes=3");
  EXPECT_THAT(names_of(processes), ElementsAre("1 processes of receivers", "3 processes of receivers"));
  auto places = a_and_b();
  for (record::RunRecord& run : places[0].runs) ASSERT_TRUE(plan::set_field(run.plan, "receivers.hosts=vm1"));
  change_b(places, "receivers.hosts=vm2,vm3");
  change_b(places, "senders.hosts=vm2");
  EXPECT_THAT(names_of(places),
              ElementsAre("senders on this computer, receivers on vm1", "senders on vm2, receivers on vm2, vm3"));
}

// Two sides are never called the same.
TEST(SideNames, HaveTheirResultsWhereNothingElseTellsThemApart) {
  auto sides = a_and_b();
  change_b(sides, "senders.count=20");
  sides.push_back(sides[1]);
  for (size_t i = 0; i < 3; i++) sides[2].runs[i].id = static_cast<int64_t>(7 + i);
  EXPECT_THAT(names_of(sides), ElementsAre("10 senders (#1 to #3)", "20 senders (#4 to #6)", "20 senders (#7 to #9)"));
}

TEST(SideNames, DoNotLookAtSeeds) {
  auto sides = a_and_b();
  change_b(sides, "senders.seed=9");
  EXPECT_EQ(names_of(sides)[1], "#4 to #6");
}

TEST(SideNames, SayWhatVariesRatherThanWhatFollowsFromTheProfile) {
  auto sides = a_and_b();
  for (Side& side : sides)
    for (record::RunRecord& run : side.runs) ASSERT_TRUE(plan::set_field(run.plan, "bus.kind=redis-streams"));
  change_b(sides, "bus.profile=throughput");
  change_b(sides, "senders.count=20");
  for (Side& side : sides)
    for (record::RunRecord& run : side.runs) run.bus_settings = record::bus_settings_of(run.plan.bus);
  EXPECT_THAT(names_of(sides), ElementsAre("profile as-shipped, 10 senders", "profile throughput, 20 senders"));
  auto set = a_and_b();
  for (Side& side : set)
    for (record::RunRecord& run : side.runs) ASSERT_TRUE(plan::set_field(run.plan, "bus.kind=redis-streams"));
  change_b(set, "bus.window=77");
  EXPECT_THAT(names_of(set), ElementsAre("window 1000", "window 77"));
}

TEST(SideNames, GiveABusOnlyWhatItHas) {
  auto sides = a_and_b();
  sides.push_back(test::side_with("C", {100}));
  change_b(sides, "bus.kind=redis-streams");
  change_b(sides, "bus.window=77");
  for (const char* set : {"bus.kind=redis-streams", "bus.window=99"})
    ASSERT_TRUE(plan::set_field(sides[2].runs[0].plan, set));
  EXPECT_THAT(names_of(sides), ElementsAre("N2NQ", "Redis Streams, window 77", "Redis Streams, window 99"));
}

TEST(SideFigures, HaveOneUnitForAllSides) {
  const auto figures = side_figures(a_and_b());
  ASSERT_THAT(figures, SizeIs(5));
  std::vector<std::string> names;
  for (const SideFigure& one : figures) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("Sent", "Received", "Latency p50", "Latency p99", "Lost"));
  EXPECT_THAT(figures[3].values, SizeIs(2));
  EXPECT_FALSE(figures[3].unit.empty());
}

TEST(SideFigures, AreAllFromTheIntendedSendWhereOneSideIsLate) {
  std::vector<Side> sides{test::side_with("A", {100'000}), test::side_with("B", {100'000})};
  for (Side& side : sides)
    side.runs.front().latencies[Latency::scheduled_latency] = side.runs.front().latencies[Latency::latency];
  EXPECT_FALSE(first_latency(sides).intended);
  sides[1].runs.front().latencies[Latency::scheduled_latency].p99 = 900'000;
  EXPECT_TRUE(first_latency(sides).intended);
  const SideFigure p99 = side_figures(sides)[3];
  EXPECT_EQ(p99.name, "Latency p99, intended");
  EXPECT_THAT(p99.values, ElementsAre("100.0", "900.0"));
}

// Tiles and statement are of one definition.
TEST(SideFigures, AreTheGeometricMeansThatStatementsCompare) {
  std::vector<Side> sides{test::side_with("A", {100'000, 100'000, 800'000}),
                          test::side_with("B", {100'000, 200'000, 400'000})};
  const SideFigure p99 = side_figures(sides)[3];
  EXPECT_THAT(p99.values, ElementsAre("200.0", "200.0"));
  EXPECT_EQ(p99.note, "geometric mean of 3 runs");
  EXPECT_DOUBLE_EQ(geometric_mean_of({90e3, 90e3, 90e3}), 90e3);
  const auto found = compare_by(*figures::find_metric("p99"), sides[0], sides[1]);
  ASSERT_TRUE(found.b_to_a);
  EXPECT_NEAR(found.b_to_a->ratio, 1, 1e-9);
  const auto rows = mean_rows({found});
  EXPECT_EQ(rows[0].a, rows[0].b);
  EXPECT_EQ(side_figures(sides)[4].note, "sum of 3 runs") << "of losses";
  sides[1].runs.resize(2);
  EXPECT_EQ(side_figures(sides)[3].note, "geometric mean of 2 to 3 runs");
  for (Side& side : sides) side.runs.resize(1);
  EXPECT_EQ(side_figures(sides)[3].note, "");
}

TEST(SideSettings, BeginWithWhatDiffersBetweenSides) {
  auto sides = a_and_b();
  for (Side& side : sides)
    for (record::RunRecord& run : side.runs) ASSERT_TRUE(plan::set_field(run.plan, "senders.count=77"));
  change_b(sides, "queue.mode=load-balancer");
  const auto settings = side_settings(sides);
  ASSERT_GE(settings.size(), 2u);
  EXPECT_EQ(settings[0].key, "queue.mode");
  EXPECT_TRUE(settings[0].differs);
  EXPECT_THAT(settings[0].values, ElementsAre("broadcaster", "load-balancer"));
  const auto count = std::ranges::find(settings, "senders.count", &SideSetting::key);
  ASSERT_NE(count, settings.end());
  EXPECT_FALSE(count->differs);
  EXPECT_EQ(count->usual, "10");
}

TEST(SideSettings, OfABusThatASideIsWithoutAreADash) {
  auto sides = a_and_b();
  change_b(sides, "bus.kind=redis-streams");
  change_b(sides, "bus.profile=throughput");
  const auto settings = side_settings(sides);
  const auto window = std::ranges::find(settings, "bus.window", &SideSetting::key);
  ASSERT_NE(window, settings.end());
  EXPECT_THAT(window->values, ElementsAre("-", "10,000"));
  EXPECT_TRUE(window->differs);
}

TEST(SideSettings, AreTheBusSettingsThatTheRunsHad) {
  auto sides = a_and_b();
  for (Side& side : sides)
    for (record::RunRecord& run : side.runs) {
      run.plan.bus = {.kind = "redis-pubsub", .settings = {{"profile", "throughput"}}};
      run.bus_settings = record::bus_settings_of(run.plan.bus);
    }
  for (record::RunRecord& run : sides[0].runs) run.bus_settings = R"({"profile": "throughput", "window": "77"})";
  const auto settings = side_settings(sides);
  const auto window = std::ranges::find(settings, "bus.window", &SideSetting::key);
  ASSERT_NE(window, settings.end());
  EXPECT_THAT(window->values, ElementsAre("77", "10,000"));
}

TEST(SidesBesideEachOther, AreToldByWhatTheirRunsDid) {
  std::vector<Side> sides{test::side_with("broadcaster", {200, 200}), test::side_with("load balancer", {150}), {}};
  sides[1].runs[0].totals.received = 100;
  sides[1].runs[0].latencies[Latency::latency].p99 = 150'000;
  EXPECT_EQ(
      told_beside(sides),
      "p99: 200 ns (broadcaster, 2 runs), 150.0 µs (load balancer); received: 2,000 (broadcaster, 2 runs), 100 (load "
      "balancer)")
      << "counts are sums, and a side without runs that count says nothing";
  for (record::RunRecord& run : sides[0].runs) {
    run.plan.queue.mode = plan::Mode::request_reply;
    run.totals.replies = 99;
  }
  sides.resize(1);
  EXPECT_EQ(told_beside(sides), "replies: 198 (broadcaster, 2 runs)") << "its turnaround is not known";
  sides[0].runs[1].totals.replies.reset();
  EXPECT_EQ(told_beside(sides), "replies: - (broadcaster, 2 runs)");
  EXPECT_EQ(told_beside({}), "");
}

TEST(AgainstItself, IsAsWideAsChanceWouldMakeIt) {
  const figures::Metric& p99 = *figures::find_metric("p99");
  auto sides = a_and_b();
  const auto same = against_itself(p99, sides[0]);
  ASSERT_TRUE(same);
  EXPECT_DOUBLE_EQ(same->ratio, 1);
  EXPECT_LT(same->low, 1);
  EXPECT_GT(same->high, 1);
  EXPECT_FALSE(same->differs());
  EXPECT_FALSE(against_itself(*figures::find_metric("lost"), sides[0])) << "a count has no ratio";
  sides[0].runs.resize(2);
  EXPECT_FALSE(against_itself(p99, sides[0]));
}

}  // namespace
}  // namespace n2nq::compare
