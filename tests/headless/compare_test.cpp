// n2nq-bench compare, on results of real runs.
#include <gmock/gmock.h>

#include "tests/headless/junit_file.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct CompareTest : testing::Test {
  static void SetUpTestSuite() {
    shared = new BenchPlace;
    // Each run of the plan is a result: 1 to 3 send at once, 4 to 6 twice as much.
    const Json less = Json{{"senders", {{"messages", 5}, {"delay", "1ms"}}}};
    const Json more = Json{{"senders", {{"messages", 10}, {"delay", "1ms"}}}};
    const std::string plan = shared->plan(Json::object(), Json::array({less, less, less, more, more, more}));
    const BenchEnded ended = shared->run({"run", plan});
    ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  }
  static void TearDownTestSuite() {
    delete shared;
    shared = nullptr;
  }
  static BenchEnded compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    return shared->run(std::move(arguments));
  }
  static inline BenchPlace* shared = nullptr;
};

TEST_F(CompareTest, ReadsWhatTheRunsShow) {
  const BenchEnded ended = compare({"1-3", "4,5,6", "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "passed");
  EXPECT_EQ(result["a"]["result_ids"], Json({1, 2, 3}));
  EXPECT_EQ(result["b"]["result_ids"], Json({4, 5, 6}));
  std::vector<std::string> metrics;
  for (const Json& one : result["metrics"]) metrics.push_back(one["metric"]);
  EXPECT_THAT(metrics, testing::IsSupersetOf({"p50", "p99", "rate", "throughput", "lateness-p99", "host-cpu", "lost"}));
  EXPECT_THAT(metrics, testing::Not(testing::Contains("turnaround-p50"))) << "there were no replies";
  EXPECT_EQ(result["metrics"][0]["metric"], "p50");
  EXPECT_EQ(result["metrics"][0]["a"].size(), 3u);
  EXPECT_GT(result["metrics"][0]["ratio"], 0);
  EXPECT_THAT(result["remarks"].get<std::vector<std::string>>(),
              testing::Contains(HasSubstr("Senders messages: A 5, B 10")));
}

TEST_F(CompareTest, IsATableForPeople) {
  const BenchEnded ended = compare({"1-3", "4-6"});
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("A: "));
  EXPECT_THAT(ended.out, HasSubstr("(#4 to #6)"));
  EXPECT_THAT(ended.out, HasSubstr("\ntrimmed "));
}

TEST_F(CompareTest, EndsWithOneWhereAConditionIsMet) {
  const BenchEnded ended = compare({"1-3", "4-6", "--fail-if", "lost > 0", "--fail-if", "p99 > 1ns"});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("passed  lost > 0: "));
  EXPECT_THAT(ended.out, HasSubstr("FAILED  p99 > 1ns: "));
}

TEST_F(CompareTest, EndsWithEightWhereTheRunsAllowNoStatement) {
  const BenchEnded ended = compare({"1,2", "4,5", "--fail-if", "p99 > 1.1x", "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 8}) << ended.err;
  EXPECT_EQ(ended.result()["verdict"], "no_statement");
  EXPECT_EQ(ended.result()["conditions"][0]["outcome"], "unknown");
}

TEST_F(CompareTest, WritesItsConditionsForServers) {
  const std::string file = *shared / "compare.xml";
  const BenchEnded ended = compare({"1,2", "4,5", "--fail-if", "lost > 0", "--fail-if", "p99 > 1ns", "--fail-if",
                                    "p99 > 1.1x", "--junit", file, "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err;
  const Json junit = read_junit(file);
  EXPECT_EQ(junit["counts"], Json({{"tests", 4}, {"failures", 1}, {"errors", 1}, {"skipped", 0}}));
  const Json cases = junit["suites"]["compare test with test"]["cases"];
  EXPECT_EQ(cases["lost > 0"]["outcome"], "passed");
  EXPECT_EQ(cases["p99 > 1ns"]["outcome"], "failure");
  EXPECT_EQ(cases["p99 > 1ns"]["message"], ended.result()["conditions"][1]["reason"]);
  EXPECT_EQ(cases["p99 > 1.1x"]["outcome"], "error");
  EXPECT_EQ(compare({"1", "99", "--junit", file}).exit, Exit{.code = 2});
  EXPECT_EQ(read_junit(file)["suites"]["compare"]["cases"]["verdict"]["outcome"], "error");
}

TEST_F(CompareTest, HasItsObjectWhereThereIsNothingToCompare) {
  const BenchEnded ended = compare({"1", "99", "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 2}) << ended.err;
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "failed");
  EXPECT_THAT(result["reason"].get<std::string>(), HasSubstr("B: result 99 is not in "));
  EXPECT_EQ(result["metrics"], Json::array());
}

TEST_F(CompareTest, SaysWhatIsWrong) {
  const auto complaint = [](std::vector<std::string> arguments) {
    const BenchEnded ended = compare(std::move(arguments));
    EXPECT_EQ(ended.exit, Exit{.code = 2}) << ended.err;
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_THAT(complaint({"1", "99"}), HasSubstr("B: result 99 is not in "));
  EXPECT_THAT(complaint({"1,4", "2"}), HasSubstr("A: results #1 and #4 are not repeats of each other"));
  EXPECT_THAT(complaint({"1,2", "2"}), HasSubstr("result #2 is on both sides"));
  EXPECT_THAT(complaint({"1", "two"}), HasSubstr("B: \"two\": expected result numbers"));
  EXPECT_THAT(complaint({"1", "2", "--fail-if", "p99"}), HasSubstr("--fail-if: \"p99\": a condition is"));
  EXPECT_THAT(complaint({"1"}), HasSubstr("see n2nq-bench compare --help"));
}

}  // namespace
}  // namespace n2nq::test
