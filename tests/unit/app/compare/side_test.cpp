#include "app/compare/side.h"

#include <gmock/gmock.h>

#include <map>

#include "app/plan/filter_text.h"
#include "tests/unit/app/compare/example_side.h"

namespace n2nq::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A store of a handful of runs.
struct SideTest : testing::Test {
  Result<Side> load(const std::vector<int64_t>& ids) {
    return load_side("A", ids, [this](int64_t id) -> Result<record::RunRecord> {
      const auto found = runs.find(id);
      if (found == runs.end()) return fail("result " + std::to_string(id) + " is not there");
      return found->second;
    });
  }
  std::map<int64_t, record::RunRecord> runs{
      {1, test::run_with(1, 100)}, {2, test::run_with(2, 110)}, {3, test::run_with(3, 120)}};
};

TEST(Results, AreNumbersAndRanges) {
  EXPECT_THAT(*parse_results("7"), ElementsAre(7));
  EXPECT_EQ(results_text({}), "");
  EXPECT_EQ(results_text({24, 13, 12, 14, 7, 8}), "#7, #8, #12 to #14, #24");
  EXPECT_THAT(*parse_results("12,3,20-23"), ElementsAre(12, 3, 20, 21, 22, 23));
}

TEST(Results, TakeNothingElse) {
  for (const char* text : {"", ",", "1,", "a", "0", "-1", "5-3", "1-", "1--2", "1 2", "99999999999999999999"})
    EXPECT_THAT(parse_results(text).error().text, HasSubstr("expected result numbers")) << text;
  EXPECT_THAT(parse_results("1-5,3").error().text, HasSubstr("#3 is listed twice"));
  EXPECT_THAT(parse_results("1-1000000000").error().text, HasSubstr("more than 1000"));
}

TEST(Results, OnBothSidesAreFound) {
  EXPECT_EQ(in_both(std::vector<int64_t>{1, 2}, std::vector<int64_t>{3, 2}), 2);
  EXPECT_EQ(in_both(std::vector<int64_t>{1, 2}, std::vector<int64_t>{3, 4}), std::nullopt);
}

TEST_F(SideTest, HasTheRepeatsOfAPlan) {
  const auto side = load({1, 2, 3});
  ASSERT_TRUE(side);
  EXPECT_EQ(side->runs.size(), 3u);
  EXPECT_THAT(side->left_out, ElementsAre());
}

TEST_F(SideTest, RefusesRunsThatAreNoRepeatsOfEachOther) {
  runs[2].plan.queue.mode = plan::Mode::load_balancer;
  runs[2].plan.senders.fleet.count = 77;
  EXPECT_THAT(load({1, 2}).error().text,
              HasSubstr("#1 and #2 are not repeats of each other: senders.count: 10 | 77, and 1 more"));
}

TEST_F(SideTest, RepeatsMayHaveAnotherNameAndOtherSeeds) {
  runs[2].plan.name = "the same again";
  runs[2].plan.senders.seed = 7;
  runs[2].plan.queue.seed = 8;
  runs[2].plan.receivers.seed = 9;
  EXPECT_TRUE(load({1, 2}));
}

// Filters are kept in a plan for when requests are on again.
TEST_F(SideTest, RepeatsMayHaveOtherFiltersWhereNobodyAsks) {
  runs[2].plan.queue.requests.filters = *plan::parse_filters("1:senders=1");
  runs[2].plan.queue.requests.at_a_time = 3;
  EXPECT_TRUE(load({1, 2}));
  runs[1].plan.queue.requests.on = true;
  runs[2].plan.queue.requests.on = true;
  EXPECT_FALSE(load({1, 2}));
}

// The profile of an earlier version said something else.
TEST_F(SideTest, RefusesRunsThatHadOtherSettingsOfTheBusByOnePlan) {
  for (auto& [id, run] : runs) {
    run.plan.bus = {.kind = "redis-pubsub", .settings = {{"profile", "throughput"}}};
    run.bus_settings = record::bus_settings_of(run.plan.bus);
  }
  EXPECT_TRUE(load({1, 2, 3}));
  runs[1].bus_settings = R"({"profile": "throughput", "window": "77"})";
  EXPECT_THAT(load({1, 2}).error().text, HasSubstr("bus.window: 77 | 10000"));
  const std::vector<record::RunRecord> all{runs[1], runs[2], runs[3]};
  EXPECT_THAT(sides_by_plan(all), ElementsAre(0, 1, 1));
}

TEST_F(SideTest, SaysWhichRunsDoNotCount) {
  runs[2].verdict = record::Verdict::failed;
  runs[2].reason = "the queue was killed";
  runs[3].verdict = record::Verdict::stopped;
  const auto side = load({1, 2, 3});
  ASSERT_TRUE(side);
  EXPECT_EQ(side->runs.size(), 1u);
  EXPECT_EQ(side->failed.size(), 1u);
  EXPECT_THAT(side->left_out, ElementsAre("#2 failed: the queue was killed", HasSubstr("#3 stopped")));
}

TEST_F(SideTest, NamesAResultThatIsNotThere) {
  EXPECT_THAT(load({1, 9}).error().text, HasSubstr("9 is not there"));
}

}  // namespace
}  // namespace n2nq::compare
