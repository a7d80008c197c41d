#include <gtest/gtest.h>

#include "app/plan/plan_file.h"

namespace n2nq::plan {
namespace {

std::string error_of(const char* text) {
  const auto runs = parse_runs(text, RunPlan());
  return runs ? "none" : runs.error().text;
}

TEST(RunsText, ReadsRunsBetweenBarsAndChangesBetweenCommas) {
  const auto runs = parse_runs("queue.mode=broadcaster | queue.mode=load-balancer, senders.count=5", RunPlan());
  ASSERT_TRUE(runs) << runs.error().text;
  const std::vector<Overrides> expected{
      {{.key = "queue.mode", .value = "broadcaster"}},
      {{.key = "senders.count", .value = "5"}, {.key = "queue.mode", .value = "load-balancer"}}};
  EXPECT_EQ(*runs, expected);
  EXPECT_EQ(to_text(*runs), "queue.mode=broadcaster | senders.count=5, queue.mode=load-balancer");
}

TEST(RunsText, IsEmptyWithoutRunsAndSaysBaseForARunWithoutChanges) {
  EXPECT_EQ(parse_runs("  ", RunPlan()), std::vector<Overrides>());
  EXPECT_EQ(to_text(std::vector<Overrides>()), "");
  const std::vector<Overrides> runs{{}, {{.key = "log", .value = "off"}}};
  EXPECT_EQ(to_text(runs), "base | log=off");
  EXPECT_EQ(parse_runs("base | log=off", RunPlan()), runs);
  EXPECT_EQ(parse_runs("|log=off", RunPlan()), runs);
}

TEST(RunsText, PutsValuesWithCommasAndBarsInQuotes) {
  const std::vector<Overrides> runs{
      {{.key = "name", .value = "a, \"b\" | c=d \\"}},
      {{.key = "queue.filters", .value = "1-3,5:senders=1..2,9;size=1B / 4:senders=self"}},
      {{.key = "queue.token_file", .value = ""}}};
  EXPECT_EQ(parse_runs(to_text(runs), RunPlan()), runs) << to_text(runs);
}

TEST(RunsText, SaysWhichRunIsWrong) {
  EXPECT_EQ(error_of("base | queue.mode=foo"),
            "run 2: queue.mode: \"foo\" is not a mode; there are broadcaster, load-balancer and request-reply");
  EXPECT_EQ(error_of("log=off, log=full"), "run 1: log is given twice");
  EXPECT_NE(error_of("log=off, 5").find("run 1: \"5\" changes nothing"), std::string::npos);
  EXPECT_NE(error_of("name=\"x").find("quotes"), std::string::npos);
  EXPECT_NE(error_of("log=off,").find("changes nothing"), std::string::npos);
  EXPECT_NE(error_of("mode=x").find("did you mean queue.mode?"), std::string::npos);
}

}  // namespace
}  // namespace n2nq::plan
