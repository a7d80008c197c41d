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

TEST(SideTitles, SayWhatDiffers) {
  auto sides = a_and_b();
  change_b(sides, "queue.mode=load-balancer");
  EXPECT_THAT(titles_of(sides), ElementsAre("A · broadcaster", "B · load balancer"));
  auto recorded = a_and_b();
  change_b(recorded, "recorder.on=false");
  EXPECT_THAT(titles_of(recorded), ElementsAre("A · recorder", "B · no recorder"));
  change_b(sides, "senders.count=20");
  EXPECT_THAT(titles_of(sides), ElementsAre("A · 10 senders, broadcaster", "B · 20 senders, load balancer"));
  change_b(sides, "senders.delay=7ms");
  EXPECT_TRUE(titles_of(sides)[1].ends_with(", …"));
}

TEST(SideTitles, AreTheResultsOfRepeatsOfOnePlan) {
  EXPECT_THAT(titles_of(a_and_b()), ElementsAre("A · #1 to #3", "B · #4 to #6"));
  EXPECT_THAT(titles_of(std::vector<Side>{{.name = "A"}}), ElementsAre("A · no runs"));
}

TEST(SideTitles, DoNotLookAtNamesAndSeeds) {
  auto sides = a_and_b();
  change_b(sides, "senders.seed=9");
  for (record::RunRecord& run : sides[1].runs) run.plan.name = "another";
  EXPECT_EQ(titles_of(sides)[1], "B · #4 to #6");
}

TEST(SideTitles, SayWhatVariesRatherThanWhatFollowsFromTheProfile) {
  auto sides = a_and_b();
  for (Side& side : sides)
    for (record::RunRecord& run : side.runs) ASSERT_TRUE(plan::set_field(run.plan, "bus.kind=redis-streams"));
  change_b(sides, "bus.profile=throughput");
  change_b(sides, "senders.count=20");
  for (Side& side : sides)
    for (record::RunRecord& run : side.runs) run.bus_settings = record::bus_settings_of(run.plan.bus);
  EXPECT_THAT(titles_of(sides),
              ElementsAre("A · profile as-shipped, 10 senders", "B · profile throughput, 20 senders"));
  auto set = a_and_b();
  for (Side& side : set)
    for (record::RunRecord& run : side.runs) ASSERT_TRUE(plan::set_field(run.plan, "bus.kind=redis-streams"));
  change_b(set, "bus.window=77");
  EXPECT_THAT(titles_of(set), ElementsAre("A · window 1000", "B · window 77"));
}

TEST(SideTitles, GiveABusOnlyWhatItHas) {
  auto sides = a_and_b();
  sides.push_back(test::side_with("C", {100}));
  change_b(sides, "bus.kind=redis-streams");
  change_b(sides, "bus.window=77");
  for (const char* set : {"bus.kind=redis-streams", "bus.window=99"})
    ASSERT_TRUE(plan::set_field(sides[2].runs[0].plan, set));
  EXPECT_THAT(titles_of(sides),
              ElementsAre("A · N2NQ", "B · Redis Streams, window 77", "C · Redis Streams, window 99"));
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
