#include "app/cli/junit_reports.h"

#include <gmock/gmock.h>

#include <set>

namespace n2nq::cli {
namespace {

using compare::Outcome;
using record::Verdict;
using testing::HasSubstr;

record::RunRecord finished(Verdict verdict, const std::string& reason) {
  record::RunRecord run;
  run.id = 7;
  run.verdict = verdict;
  run.reason = reason;
  run.began_utc_ns = 2'000'000'000;
  run.started_utc_ns = 1'000'000'000;
  run.ended_utc_ns = 4'500'000'000;
  run.totals = {.sent = 100, .expected = 100, .received = 100, .lost = 0};
  run.latencies[Latency::latency].count = 100;
  run.latencies[Latency::latency].p99 = 2'000'000;
  return run;
}

plan::PlanFile two_runs() {
  plan::PlanFile plan;
  plan.base.name = "quick";
  plan.runs = {{}, {}};
  return plan;
}

// Where the exit code is not 0, and only there, something is a failure or an error.
bool is_green(const JunitReport& report) {
  bool green = true;
  std::set<std::string> names;
  for (const JunitSuite& suite : report.suites)
    for (const JunitCase& one : suite.cases) {
      if (one.outcome == JunitOutcome::failure || one.outcome == JunitOutcome::error) green = false;
      EXPECT_EQ(one.type.empty(), one.outcome == JunitOutcome::passed) << one.name;
      EXPECT_TRUE(names.insert(suite.name + "\n" + one.name).second) << suite.name << ": " << one.name << " twice";
    }
  return green;
}

BenchResult result_with(std::vector<record::RunRecord> runs, bool interrupted,
                        const std::vector<const char*>& conditions = {}) {
  BenchResult result = result_of(std::move(runs), interrupted);
  std::vector<compare::Condition> parsed;
  for (const char* text : conditions) parsed.push_back(*compare::parse_run_condition(text));
  judge_runs(result, parsed);
  return result;
}

TEST(RunReport, HasASuiteARunWithItsVerdictAndItsConditions) {
  const auto run = finished(Verdict::passed, "all of it");
  const JunitReport report =
      run_report(result_with({run, run}, false, {"p99 > 1ms", "lost > 0", "waiting > 1s"}), two_runs(), 1);
  ASSERT_EQ(report.suites.size(), 2u);
  EXPECT_EQ(report.suites[0].name, "quick: run 1, broadcaster");
  EXPECT_EQ(report.suites[1].name, "quick: run 2, broadcaster");
  EXPECT_EQ(report.suites[0].started_utc_ns, 1'000'000'000);
  EXPECT_THAT(report.suites[0].properties, testing::Contains(std::pair<std::string, std::string>("p99", "2.00 ms")));
  const auto& cases = report.suites[0].cases;
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[0].name, "verdict");
  EXPECT_EQ(cases[0].outcome, JunitOutcome::passed);
  EXPECT_EQ(cases[0].duration_ns, 3'500'000'000);
  EXPECT_EQ(cases[1].name, "p99 > 1ms");
  EXPECT_EQ(cases[1].outcome, JunitOutcome::failure);
  EXPECT_EQ(cases[1].message, "the run has 2.00 ms");
  EXPECT_EQ(cases[2].outcome, JunitOutcome::passed);
  EXPECT_EQ(cases[3].outcome, JunitOutcome::error) << "what cannot be judged is no pass";
  EXPECT_EQ(cases[3].type, "no_statement");
  EXPECT_FALSE(is_green(report));
}

TEST(RunReport, IsGreenWhereAllPassed) {
  const auto allowed = finished(Verdict::lost_allowed, "some");
  EXPECT_TRUE(is_green(run_report(result_with({allowed, allowed}, false, {"lost > 0"}), two_runs(), 1)));
}

TEST(RunReport, SaysWhyARunFailed) {
  auto run = finished(Verdict::failed, "receivers 1-3 did not end");
  run.notes = {{.severity = record::Severity::warning, .text = "slow"},
               {.severity = record::Severity::warning, .text = "doubtful: a loop was busy"},
               {.severity = record::Severity::warning, .text = "doubtful: said a worker"},
               {.text = "only for information"}};
  run.warnings = {{.id = "cpu-sender-1", .text = "a loop was busy", .doubt = true}};
  run.folder = "/runs/1";
  const JunitReport report = run_report(result_with({run, run}, false, {"p99 > 5s"}), two_runs(), 1);
  const JunitCase& verdict = report.suites[0].cases[0];
  EXPECT_EQ(verdict.outcome, JunitOutcome::failure);
  EXPECT_EQ(verdict.type, "failed");
  EXPECT_EQ(verdict.message, "receivers 1-3 did not end");
  EXPECT_THAT(verdict.details, HasSubstr("warning: slow"));
  EXPECT_THAT(verdict.details, testing::StartsWith("doubtful: a loop was busy"));
  EXPECT_THAT(verdict.details, testing::Not(HasSubstr("warning: doubtful: a loop was busy"))) << "once";
  EXPECT_THAT(verdict.details, HasSubstr("warning: doubtful: said a worker"));
  EXPECT_THAT(verdict.details, HasSubstr("files: /runs/1"));
  EXPECT_THAT(verdict.details, testing::Not(HasSubstr("only for information")));
  EXPECT_EQ(report.suites[0].cases[1].outcome, JunitOutcome::error) << "the figures of a failed run do not count";
}

TEST(RunReport, AgreesWithTheExitCodeWhereARunThatPassedIsNotAsItShouldBe) {
  auto run = finished(Verdict::passed, "all of it");
  run.passed_limits = {{.metric = "p99", .limit = 1'000'000, .value = 2'000'000}};
  JunitReport report = run_report(result_with({run, run}, false), two_runs(), 1);
  EXPECT_TRUE(is_green(report)) << "that limit only warns";
  EXPECT_THAT(report.suites[0].cases[0].details, HasSubstr("limit exceeded: latency p99 "));
  run.passed_limits.clear();
  run.warnings = {{.id = "limit-host-cpu", .text = "the limit was never judged", .from_ns = 0, .doubt = true}};
  report = run_report(result_with({run, run}, false), two_runs(), 1);
  EXPECT_EQ(report.suites[0].cases[0].outcome, JunitOutcome::error);
  EXPECT_EQ(report.suites[0].cases[0].type, "no_statement");
  EXPECT_EQ(report.suites[0].cases[0].message, "the limit was never judged");
  run.warnings.clear();
  run.id = 0;
  report = run_report(result_with({run, run}, false), two_runs(), 1);
  EXPECT_EQ(report.suites[0].cases[0].type, "not_saved");
  EXPECT_EQ(report.suites[0].cases[0].outcome, JunitOutcome::error);
}

TEST(RunReport, ALimitThatIsExceededIsAFailureThatNamesItOnce) {
  auto run = finished(Verdict::exceeded, "p99 <= 1 ms: it was 2.00 ms, over the whole run");
  run.passed_limits = {{.metric = "p99", .limit = 1'000'000, .value = 2'000'000, .fails = true}};
  const JunitReport report = run_report(result_with({run, run}, false, {"lost > 0"}), two_runs(), 1);
  const JunitCase& verdict = report.suites[0].cases[0];
  EXPECT_EQ(verdict.outcome, JunitOutcome::failure);
  EXPECT_EQ(verdict.type, "limit_exceeded");
  EXPECT_EQ(verdict.message, run.reason);
  EXPECT_THAT(verdict.details, testing::Not(HasSubstr("limit exceeded")));
}

TEST(RunReport, ListsRunsThatWereNotStarted) {
  const auto stopped = finished(Verdict::stopped, "stopped by the user");
  const JunitReport report = run_report(result_with({stopped}, true), two_runs(), 2);
  ASSERT_EQ(report.suites.size(), 4u);
  EXPECT_EQ(report.suites[0].cases[0].type, "stopped");
  EXPECT_EQ(report.suites[0].cases[0].outcome, JunitOutcome::error);
  for (size_t i = 1; i < 4; i++) EXPECT_EQ(report.suites[i].cases[0].outcome, JunitOutcome::skipped);
  EXPECT_FALSE(is_green(report));
}

TEST(RunReport, IsNotGreenWhereTheSignalCameBetweenRuns) {
  for (const auto& runs : {std::vector<record::RunRecord>{}, {finished(Verdict::passed, "all of it")}}) {
    const JunitReport report = run_report(result_with(runs, true), two_runs(), 1);
    ASSERT_EQ(report.suites.size(), 3u);
    EXPECT_EQ(report.suites.back().cases[0].type, "stopped");
    EXPECT_FALSE(is_green(report));
  }
}

struct CampaignReportTest : testing::Test {
  CampaignReportTest() {
    campaign.name = "sweep";
    records = {finished(Verdict::passed, "all of it")};
    points = {{.number = 1,
               .label = "5",
               .repeats = {{.state = campaign::RunState::done, .tries = 2, .result = 7, .last_reason = "a crash"},
                           {.state = campaign::RunState::failed, .tries = 2, .result = 7, .last_reason = "no port"}},
               .trimmed_ns = 84'000},
              {.number = 2, .label = "10", .repeats = {{}, {.last_reason = "stopped by the user"}}}};
    outcome.campaign_id = 3;
    outcome.verdict = Verdict::failed;
    outcome.reason = "1 run failed";
  }
  JunitReport report() const { return campaign_report(campaign, points, records, outcome); }
  campaign::Campaign campaign;
  std::vector<campaign::PointRow> points;
  std::vector<record::RunRecord> records;
  CampaignOutcome outcome;
};

TEST_F(CampaignReportTest, HasASuiteAPointAndACaseARepeat) {
  const JunitReport report = this->report();
  ASSERT_EQ(report.suites.size(), 3u);
  EXPECT_EQ(report.suites[0].name, "sweep");
  EXPECT_EQ(report.suites[0].cases[0].outcome, JunitOutcome::failure);
  EXPECT_EQ(report.suites[0].cases[0].message, "1 run failed");
  EXPECT_EQ(report.suites[1].name, "sweep: point 1, 5");
  EXPECT_EQ(report.suites[1].started_utc_ns, 1'000'000'000);
  EXPECT_EQ(report.suites[1].properties.at(0).second, "84.0 µs");
  const auto& first = report.suites[1].cases;
  EXPECT_EQ(first[0].name, "repeat 1");
  EXPECT_EQ(first[0].outcome, JunitOutcome::passed);
  EXPECT_EQ(first[0].duration_ns, 3'500'000'000);
  EXPECT_THAT(first[0].message, HasSubstr("a crash"));
  EXPECT_EQ(first[1].outcome, JunitOutcome::failure);
  EXPECT_EQ(first[1].message, "no port");
  const auto& second = report.suites[2].cases;
  EXPECT_EQ(second[0].outcome, JunitOutcome::skipped);
  EXPECT_EQ(second[0].message, "not run");
  EXPECT_EQ(second[1].outcome, JunitOutcome::skipped);
  EXPECT_EQ(second[1].message, "stopped by the user");
  EXPECT_FALSE(is_green(report));
}

TEST_F(CampaignReportTest, IsNotGreenWhereItWasStoppedOrCouldNotSave) {
  points.erase(points.begin());
  outcome.verdict = Verdict::stopped;
  EXPECT_EQ(report().suites[0].cases[0].type, "stopped");
  EXPECT_FALSE(is_green(report()));
  outcome.local_trouble = true;
  EXPECT_EQ(report().suites[0].cases[0].type, "not_possible");
  EXPECT_FALSE(is_green(report()));
}

// Like the exit code.
TEST_F(CampaignReportTest, NamesFindingsThatDifferWithoutFailing) {
  points.clear();
  outcome.verdict = Verdict::passed;
  outcome.findings = findings::CaseFindings{};
  for (const auto& [id, judged] :
       {std::pair("1a", findings::Outcome::agrees), std::pair("1b", findings::Outcome::differs),
        std::pair("1c", findings::Outcome::unknown)})
    outcome.findings->all.push_back(
        {.finding = {.id = id, .text = "it grows"}, .judgement = {.outcome = judged, .ours = "84 µs"}});
  const JunitReport report = this->report();
  ASSERT_EQ(report.suites.size(), 2u);
  EXPECT_EQ(report.suites[1].name, "sweep: findings");
  const auto& cases = report.suites[1].cases;
  EXPECT_EQ(cases[0].name, "1a: it grows");
  EXPECT_EQ(cases[0].outcome, JunitOutcome::passed);
  EXPECT_EQ(cases[0].message, "84 µs");
  EXPECT_EQ(cases[1].type, "differs");
  EXPECT_EQ(cases[1].message, "differs: 84 µs");
  EXPECT_EQ(cases[2].message, "inconclusive: 84 µs");
  EXPECT_TRUE(is_green(report));
}

TEST_F(CampaignReportTest, PassesARunOfASearchThatDidNotMeetTheLimits) {
  campaign.search = campaign::SearchSpec{};
  outcome.verdict = Verdict::passed;
  points = {
      {.number = 1,
       .label = "100 /s",
       .of_search = true,
       .repeats = {{.state = campaign::RunState::done, .outcome = campaign::Outcome::met},
                   {.state = campaign::RunState::done, .outcome = campaign::Outcome::bus, .why = "p99 is 9 ms"}}}};
  EXPECT_TRUE(is_green(report()));
  EXPECT_EQ(report().name, "n2nq-bench search");
  EXPECT_EQ(report().suites[1].cases[0].message, "");
  EXPECT_EQ(report().suites[1].cases[1].message, "the limits are not met: p99 is 9 ms");
}

TEST(CompareReport, HasACaseForEachCondition) {
  CompareResult result;
  result.remarks = {"other machines", "other clocks"};
  for (const auto& [text, outcome] : {std::pair("p99 > 5ms", Outcome::met), std::pair("lost > 0", Outcome::not_met),
                                      std::pair("p50 > 1.1x", Outcome::unknown)})
    result.conditions.push_back(
        {.condition = *compare::parse_condition(text), .judgement = {.outcome = outcome, .reason = "because"}});
  const JunitReport report = compare_report(result);
  ASSERT_EQ(report.suites.size(), 1u);
  const auto& cases = report.suites[0].cases;
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[0].name, "comparison");
  EXPECT_EQ(cases[0].message, "other machines\nother clocks");
  EXPECT_EQ(cases[1].name, "p99 > 5ms");
  EXPECT_EQ(cases[1].outcome, JunitOutcome::failure);
  EXPECT_EQ(cases[1].message, "because");
  EXPECT_EQ(cases[2].outcome, JunitOutcome::passed);
  EXPECT_EQ(cases[3].outcome, JunitOutcome::error);
  EXPECT_FALSE(is_green(report));
}

TEST(FailureReport, SaysWhyNothingWasJudged) {
  const JunitReport report = failure_report("n2nq-bench run", "plan.json", {BenchExit::usage, "no such plan"});
  EXPECT_EQ(report.suites.at(0).name, "plan.json");
  EXPECT_EQ(report.suites.at(0).cases.at(0).message, "no such plan");
  EXPECT_FALSE(is_green(report));
}

}  // namespace
}  // namespace n2nq::cli
