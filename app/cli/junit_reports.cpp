#include "app/cli/junit_reports.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/figures/limit_text.h"
#include "app/figures/metric.h"
#include "app/record/date_text.h"
#include "app/record/trust.h"
#include "app/record/words.h"
#include "broker/base/join.h"

namespace n2nq::cli {
namespace {

using campaign::PointRow;
using campaign::RepeatRow;
using campaign::RunState;
using record::RunRecord;

constexpr const char* kVerdict = "verdict";
constexpr const char* kNotRun = "not_run";

int64_t duration_of(const RunRecord& run) {
  return run.ended_utc_ns - run.started_utc_ns;
}

void add_line(std::string& text, const std::string& line) {
  add_part(text, "\n", line);
}

// How a command that ends with this code ended.
void set_outcome(JunitCase& one, BenchExit code) {
  one.outcome = code == BenchExit::passed   ? JunitOutcome::passed
                : code == BenchExit::failed ? JunitOutcome::failure
                                            : JunitOutcome::error;
  switch (code) {
    case BenchExit::passed:
      break;
    case BenchExit::failed:
      one.type = "failed";
      break;
    case BenchExit::stopped:
      one.type = "stopped";
      break;
    case BenchExit::no_statement:
      one.type = "no_statement";
      break;
    default:
      one.type = "not_possible";
  }
}

std::string details_of(const RunRecord& run) {
  std::string text;
  std::set<std::string> told{run.reason};  // as its log has them, too
  for (const std::string& doubt : record::doubts_of(run)) {
    add_line(text, "doubtful: " + doubt);
    told.insert("doubtful: " + doubt);
  }
  for (const record::PassedLimit& passed : run.passed_limits)
    if (only_warns(passed)) add_line(text, "limit exceeded: " + figures::passed_when_text(passed));
  for (const record::RunNote& note : run.notes)
    if (note.severity != record::Severity::info && !told.contains(note.text))
      add_line(text,
               record::utc_time(note.utc_ns) + " " + std::string(record::word_of(note.severity)) + ": " + note.text);
  if (!run.folder.empty()) add_line(text, "files: " + run.folder);
  return text;
}

JunitCase verdict_case(const RunRecord& run) {
  JunitCase one{.name = kVerdict, .duration_ns = duration_of(run), .message = run.reason, .details = details_of(run)};
  set_outcome(one, exit_code_of(run.verdict));
  if (one.outcome == JunitOutcome::failure) one.type = record::to_word(run.verdict);
  if (one.outcome != JunitOutcome::passed) return one;
  if (run.id == 0) {
    one.outcome = JunitOutcome::error;
    one.type = "not_saved";
    one.message = "the result could not be saved";
  } else if (const record::RunWarning* unjudged = record::unjudged_limit(run)) {
    set_outcome(one, BenchExit::no_statement);
    one.message = unjudged->text;
  }
  return one;
}

JunitCase condition_case(const JudgedCondition& judged) {
  JunitCase one{.name = judged.condition.text, .message = judged.judgement.reason};
  set_outcome(one, exit_code_of(judged.judgement.outcome));
  if (one.outcome == JunitOutcome::failure) one.type = "condition";
  return one;
}

JunitSuite suite_of_run(const std::string& name, const RunRecord& run, const JudgedConditions& conditions) {
  JunitSuite suite{.name = name, .started_utc_ns = run.started_utc_ns, .cases = {verdict_case(run)}};
  if (run.id != 0) suite.properties.emplace_back("result", std::to_string(run.id));
  suite.properties.emplace_back("trust", record::to_text(run.trust));
  for (const figures::Metric& metric : figures::metrics())
    if (const auto value = metric.value(run)) suite.properties.emplace_back(metric.name, value_text(metric, *value));
  for (const JudgedCondition& condition : conditions) suite.cases.push_back(condition_case(condition));
  return suite;
}

}  // namespace

JunitReport run_report(const BenchResult& result, const plan::PlanFile& plan, uint32_t repeats) {
  JunitReport report{.name = "n2nq-bench run"};
  const auto planned = plan::runs_of(plan);
  const size_t count = planned ? planned->size() * repeats : 0;
  for (size_t i = 0; i < count; i++) {
    const plan::RunPlan& run = (*planned)[i % planned->size()];
    const std::string name = run.name + ": run " + std::to_string(i + 1) + ", " + plan::to_text(run.queue.mode);
    if (i < result.runs.size())
      report.suites.push_back(
          suite_of_run(name, result.runs[i], i < result.conditions.size() ? result.conditions[i] : JudgedConditions{}));
    else
      report.suites.push_back(
          {.name = name,
           .cases = {{.name = kVerdict, .outcome = JunitOutcome::skipped, .type = kNotRun, .message = "not started"}}});
  }
  // A signal that came between runs is in the verdict of none.
  const bool told = std::ranges::any_of(result.runs, [&](const auto& run) { return run.verdict == result.verdict; });
  if (!told) {
    JunitCase whole{.name = kVerdict, .message = result.reason};
    set_outcome(whole, exit_code_of(result.verdict));
    report.suites.push_back({.name = plan.base.name, .cases = {std::move(whole)}});
  }
  return report;
}

namespace {

// A run of a search that did not meet the limits has done what it was for.
JunitCase repeat_case(size_t number, const RepeatRow& repeat, const RunRecord* run) {
  JunitCase one{.name = "repeat " + std::to_string(number)};
  if (run != nullptr) one.duration_ns = duration_of(*run);
  if (repeat.state == RunState::done) {
    if (repeat.outcome && *repeat.outcome != campaign::Outcome::met)
      one.message = "the limits are not met: " + repeat.why;
    if (run != nullptr && run->verdict == record::Verdict::exceeded)
      add_line(one.message, "a limit of the plan is exceeded: " + run->reason);
    if (repeat.tries > 1 && !repeat.last_reason.empty())
      add_line(one.message, "try " + std::to_string(repeat.tries) + "; one before failed: " + repeat.last_reason);
    return one;
  }
  const bool failed = repeat.state == RunState::failed;
  one.outcome = failed ? JunitOutcome::failure : JunitOutcome::skipped;
  one.type = failed ? "failed" : kNotRun;
  one.message = !repeat.last_reason.empty() ? repeat.last_reason : failed ? repeat.why : "not run";
  if (run != nullptr) one.details = details_of(*run);
  return one;
}

JunitSuite point_suite(const std::string& campaign, const PointRow& row,
                       const std::map<int64_t, const RunRecord*>& runs) {
  JunitSuite suite{.name = campaign + ": point " + std::to_string(row.number) + ", " + row.label};
  const auto mean = [&suite](const figures::Metric& metric, const std::optional<double>& value) {
    if (value) suite.properties.emplace_back(metric.name, value_text(metric, *value));
  };
  mean(row.latency.actual("trimmed"), row.trimmed_ns);
  mean(row.latency.actual("p99"), row.p99_ns);
  if (row.latency.intended) {
    mean(row.latency.of("trimmed"), row.shown_trimmed_ns);
    mean(row.latency.of("p99"), row.shown_p99_ns);
  }
  mean(*figures::find_metric("waiting"), row.waiting_ns);
  for (size_t i = 0; i < row.repeats.size(); i++) {
    const auto run = runs.find(row.repeats[i].result);
    const RunRecord* found = run == runs.end() ? nullptr : run->second;
    if (found != nullptr && !suite.started_utc_ns) suite.started_utc_ns = found->started_utc_ns;
    suite.cases.push_back(repeat_case(i + 1, row.repeats[i], found));
  }
  return suite;
}

JunitSuite findings_suite(const std::string& campaign, const findings::CaseFindings& found) {
  JunitSuite suite{.name = campaign + ": findings"};
  for (const findings::Judged& judged : found.all) {
    JunitCase& one = suite.cases.emplace_back(
        JunitCase{.name = judged.finding.id + ": " + judged.finding.text, .message = judged.judgement.ours});
    if (judged.judgement.outcome == findings::Outcome::agrees) continue;
    one.outcome = JunitOutcome::skipped;
    one.type = to_word(judged.judgement.outcome);
    one.message = to_text(judged.judgement.outcome) + ": " + one.message;
  }
  return suite;
}

std::string plan_name_of(const compare::Side& side) {
  return side.runs.empty() ? side.name : side.runs.front().plan.name;
}

}  // namespace

JunitReport campaign_report(const campaign::Campaign& campaign, const std::vector<PointRow>& points,
                            const std::vector<RunRecord>& records, const CampaignOutcome& outcome) {
  JunitReport report{.name = campaign.search ? "n2nq-bench search" : "n2nq-bench campaign"};
  JunitCase whole{.name = kVerdict, .message = outcome.reason};
  set_outcome(whole, exit_code_of(outcome));
  report.suites.push_back({.name = campaign.name, .cases = {std::move(whole)}});
  if (outcome.campaign_id != 0)
    report.suites.back().properties.emplace_back("campaign", std::to_string(outcome.campaign_id));
  std::map<int64_t, const RunRecord*> runs;
  for (const RunRecord& run : records)
    if (run.id != 0) runs[run.id] = &run;
  for (const PointRow& row : points) report.suites.push_back(point_suite(campaign.name, row, runs));
  if (outcome.findings) report.suites.push_back(findings_suite(campaign.name, *outcome.findings));
  return report;
}

JunitReport compare_report(const CompareResult& result) {
  JunitSuite suite{.name = "compare " + plan_name_of(result.a) + " with " + plan_name_of(result.b)};
  suite.properties = {{"A", to_text(result.a)}, {"B", to_text(result.b)}};
  for (const compare::MetricComparison& found : result.metrics)
    suite.properties.emplace_back(found.metric->name, found.statement);
  JunitCase& whole = suite.cases.emplace_back(JunitCase{.name = "comparison"});
  for (const std::string& remark : result.remarks) add_line(whole.message, remark);
  for (const JudgedCondition& condition : result.conditions) suite.cases.push_back(condition_case(condition));
  return {.name = "n2nq-bench compare", .suites = {std::move(suite)}};
}

JunitReport failure_report(const std::string& command, const std::string& what, const Trouble& trouble) {
  JunitCase one{.name = kVerdict, .message = trouble.text};
  set_outcome(one, trouble.code);
  return {.name = command, .suites = {{.name = what, .cases = {std::move(one)}}}};
}

}  // namespace n2nq::cli
