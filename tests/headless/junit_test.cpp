// --fail-if and --junit, as a server for continuous integration meets them.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>

#include "tests/headless/junit_file.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct JunitTest : testing::Test {
  ~JunitTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  std::string file() const { return place / "bench.xml"; }
  Json junit() const { return read_junit(file()); }
  static std::vector<std::string> cases_with(const Json& junit, const std::string& outcome) {
    std::vector<std::string> found;
    for (const auto& [suite, content] : junit["suites"].items())
      for (const auto& [name, one] : content["cases"].items())
        if (one["outcome"] == outcome) found.push_back(suite + " | " + name);
    return found;
  }
  // Two amounts of messages, each twice.
  std::string campaign(const std::string& delay) const {
    const std::string path = place / "campaign.json";
    std::ofstream(path) << Json{{"version", 1},
                                {"name", "sweep <1> & \"2\""},
                                {"repeats", 2},
                                {"base",
                                 {{"senders", {{"count", 2}, {"delay", delay}}}, {"receivers", {{"count", 2}}}}},
                                {"axes", {{{"name", "messages"}, {"field", "senders.messages"}, {"values", {3, 5}}}}}}
                               .dump();
    return path;
  }
  BenchPlace place;
};

TEST_F(JunitTest, HasTheVerdictAndTheConditionsOfEachRun) {
  const std::string name = "<a> & \"b\" 'c' ]]> ü";
  const BenchEnded ended = place.run(
      {"run", place.plan({{"name", name}}, Json::parse(R"([{}, {"queue": {"mode": "load-balancer"}}])")), "--fail-if",
       "p99 > 1ns", "--fail-if", "lost > 0", "--fail-if", "waiting > 1s", "--junit", file(), "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err << ended.out;
  const Json junit = this->junit();
  EXPECT_EQ(junit["counts"], Json({{"tests", 8}, {"failures", 2}, {"errors", 2}, {"skipped", 0}}));
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "passed") << "which the conditions do not change";
  for (int i = 0; i < 2; i++) {
    const Json& run = result["runs"][i];
    const Json& suite = junit["suites"][name + (i == 0 ? ": run 1, broadcaster" : ": run 2, load-balancer")];
    EXPECT_EQ(suite["properties"]["result"], run["result_id"].dump());
    EXPECT_EQ(suite["properties"]["lost"], run["lost"].dump());
    EXPECT_EQ(suite["cases"]["verdict"]["outcome"], "passed");
    EXPECT_GT(suite["cases"]["verdict"]["time"], 0.09) << "50 messages, 2 ms apart";
    EXPECT_THAT(suite["cases"]["verdict"]["text"], HasSubstr(run["reason"].get<std::string>()));
    EXPECT_EQ(suite["cases"]["p99 > 1ns"]["outcome"], "failure");
    EXPECT_EQ(suite["cases"]["p99 > 1ns"]["message"], run["conditions"][0]["reason"]);
    EXPECT_EQ(suite["cases"]["lost > 0"]["outcome"], "passed");
    EXPECT_EQ(suite["cases"]["waiting > 1s"]["outcome"], "error");
    EXPECT_EQ(run["conditions"][0]["condition"], "p99 > 1ns");
    EXPECT_EQ(run["conditions"][0]["outcome"], "met");
    EXPECT_EQ(run["conditions"][1]["outcome"], "not_met");
    EXPECT_EQ(run["conditions"][2]["outcome"], "unknown");
  }
}

TEST_F(JunitTest, ConditionsAreTheExitCodeOfARun) {
  const std::string plan = place.plan({{"senders", {{"messages", 2}}}});
  const BenchEnded passed = place.run({"run", plan, "--fail-if", "lost > 0", "--fail-if", "p99 > 100s"});
  EXPECT_EQ(passed.exit, Exit{.code = 0}) << passed.err;
  EXPECT_THAT(passed.out,
              AllOf(HasSubstr("\n  passed  lost > 0: the run has 0\n"), HasSubstr("  passed  p99 > 100s: ")));
  const BenchEnded unknown = place.run({"run", plan, "--fail-if", "lost > 0", "--fail-if", "waiting > 1s"});
  EXPECT_EQ(unknown.exit, Exit{.code = 8}) << unknown.err << "what cannot be judged is no pass";
  EXPECT_THAT(unknown.out, HasSubstr("\n  unknown  waiting > 1s: the run does not have this figure\n"));
  const BenchEnded met = place.run({"run", plan, "--fail-if", "waiting > 1s", "--fail-if", "lost < 1"});
  EXPECT_EQ(met.exit, Exit{.code = 1}) << met.err;
  EXPECT_THAT(met.out, HasSubstr("\n  FAILED  lost < 1: the run has 0\n"));
}

TEST_F(JunitTest, SaysWhyARunFailedAndThatItsFiguresDoNotCount) {
  const BenchEnded ended = place.run({"run", place.plan(), "--set", "queue.listen=192.0.2.1:0", "--fail-if",
                                      "p99 > 100s", "--junit", file(), "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err;
  const Json cases = junit()["suites"]["test: run 1, broadcaster"]["cases"];
  EXPECT_EQ(cases["verdict"]["outcome"], "failure");
  EXPECT_EQ(cases["verdict"]["type"], "failed");
  EXPECT_EQ(cases["verdict"]["message"], ended.result()["reason"]);
  EXPECT_EQ(cases["p99 > 100s"]["outcome"], "error");
}

TEST_F(JunitTest, HasAnErrorWhereNothingCouldBeStarted) {
  EXPECT_EQ(place.run({"run", place / "none.json", "--junit", file()}).exit, Exit{.code = 2});
  Json junit = this->junit();
  EXPECT_EQ(junit["counts"]["errors"], 1);
  EXPECT_THAT(junit["suites"][place / "none.json"]["cases"]["verdict"]["message"], HasSubstr("none.json: cannot be"));
  EXPECT_EQ(place.run({"campaign", "--id", "9", "--junit", file()}).exit, Exit{.code = 2});
  EXPECT_EQ(this->junit()["suites"]["campaign 9"]["cases"]["verdict"]["outcome"], "error");
}

TEST_F(JunitTest, OfACampaignThatWasStoppedListsWhatWasNotRunUntilItIsResumed) {
  Process bench = place.start({"campaign", campaign("150ms"), "--junit", file()});
  ASSERT_TRUE(bench.wait_err("1 of 4 runs", 60s)) << bench.err();
  bench.signal(SIGTERM);
  const BenchEnded stopped = BenchPlace::finish(bench);
  EXPECT_EQ(stopped.exit, Exit{.code = 5}) << stopped.err;
  const Json half = junit();
  EXPECT_EQ(half["counts"]["tests"], 5);
  EXPECT_EQ(half["counts"]["errors"], 1);
  EXPECT_EQ(cases_with(half, "error"), std::vector<std::string>{"sweep <1> & \"2\" | verdict"});
  const Json whole = half["suites"]["sweep <1> & \"2\""]["cases"]["verdict"];
  EXPECT_EQ(whole["type"], "stopped");
  EXPECT_THAT(stopped.out, HasSubstr(whole["message"].get<std::string>()));
  EXPECT_GE(half["counts"]["skipped"], 2);
  EXPECT_THAT(cases_with(half, "passed"), testing::Contains("sweep <1> & \"2\": point 1, 3 | repeat 1"));
  EXPECT_THAT(cases_with(half, "skipped"), testing::Contains("sweep <1> & \"2\": point 2, 5 | repeat 2"));
  EXPECT_EQ(place.run({"campaign", "--id", "1", "--junit", file()}).exit, Exit{.code = 0});
  const Json all = junit();
  EXPECT_EQ(all["counts"], Json({{"tests", 5}, {"failures", 0}, {"errors", 0}, {"skipped", 0}}));
  EXPECT_GT(all["suites"]["sweep <1> & \"2\": point 1, 3"]["cases"]["repeat 1"]["time"], 0.29);
}

TEST_F(JunitTest, NamesTheRepeatsOfACampaignThatFailed) {
  const BenchEnded ended =
      place.run({"campaign", campaign("1ms"), "--set", "queue.listen=192.0.2.1:0", "--junit", file()});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err;
  const Json junit = this->junit();
  EXPECT_EQ(junit["counts"]["failures"], 5) << junit;
  EXPECT_THAT(junit["suites"]["sweep <1> & \"2\": point 2, 5"]["cases"]["repeat 2"]["message"], HasSubstr("192.0.2.1"));
}

// The bench says something about the plan once it has found the file writable.
TEST_F(JunitTest, IsSaidToBeMissingWhereItsFolderWentAwayDuringTheRun) {
  std::filesystem::create_directory(place / "folder");
  Process bench = place.start({"run", place.plan(), "--set", "senders.delay=10ms", "--set", "queue.filters=1:senders=1",
                               "--fail-if", "waiting > 1s", "--junit", place / "folder/bench.xml"});
  ASSERT_TRUE(bench.wait_err("queue.filters have no effect", 60s)) << bench.err();
  std::filesystem::remove(place / "folder");
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, Exit{.code = 3}) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("bench.xml cannot be written: No such file or directory"));
  EXPECT_THAT(ended.out, HasSubstr("broadcaster: passed"));
}

TEST_F(JunitTest, IsRefusedBeforeTheFirstRunWhereItCannotBeWritten) {
  const std::string path = place / "none/bench.xml";
  for (const auto& command :
       {std::vector<std::string>{"run", place.plan()}, {"campaign", campaign("1ms")}, {"compare", "1", "2"}}) {
    auto arguments = command;
    arguments.insert(arguments.end(), {"--junit", path});
    const BenchEnded ended = place.run(arguments);
    EXPECT_EQ(ended.exit, Exit{.code = 3}) << ended.err;
    EXPECT_EQ(ended.err, "n2nq-bench: --junit: " + path +
                             " cannot be written: No such file or directory; check that its folder exists\n");
  }
  EXPECT_FALSE(std::filesystem::exists(place.data() / "results.sqlite")) << "nothing was run";
}

}  // namespace
}  // namespace n2nq::test
