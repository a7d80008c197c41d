#include "app/cli/campaign_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/campaign/point_notes.h"
#include "app/campaign/search_text.h"
#include "app/campaign/waiting_notes.h"
#include "app/cli/findings_text.h"
#include "app/cli/search_outcome.h"
#include "app/cli/table_text.h"
#include "app/compare/verdict.h"
#include "app/figures/metric.h"
#include "app/text/quantity.h"

namespace n2nq::cli {
namespace {

using campaign::CampaignRun;
using campaign::Ledger;
using campaign::Point;
using campaign::PointResults;
using campaign::RunState;
using record::Verdict;

// Of a point: whether all its repeats are done, or one failed for good.
struct Repeats {
  uint32_t done = 0;
  uint32_t failed = 0;
};

// For a search, as many as each point takes.
size_t repeats_made(const CampaignRun& run, const Point& point) {
  const auto& search = run.ledger().search();
  if (!search) return run.campaign().repeats;
  return point.number <= search->probes().size() ? search->probes()[point.number - 1].trials.size() : 0;
}

Repeats repeats_of(const CampaignRun& run, const Point& point) {
  Repeats repeats;
  for (uint32_t repeat = 1; repeat <= repeats_made(run, point); repeat++) {
    const RunState state = run.ledger().state({point.number, repeat});
    if (state == RunState::done) repeats.done++;
    if (state == RunState::failed) repeats.failed++;
  }
  return repeats;
}

// Means of the points, a column for each of these metrics.
std::vector<text::Column> mean_columns(const std::vector<PointResults>& points,
                                       const std::vector<const figures::Metric*>& metrics) {
  std::vector<text::Column> columns;
  for (const figures::Metric* metric : metrics) {
    text::Column& column = columns.emplace_back(unit_of(*metric));
    for (const PointResults& one : points) column.add(figures::mean_of(*metric, one.runs));
  }
  return columns;
}

std::optional<std::vector<PointWaiting>> waiting_of(const CampaignRun& run) {
  if (!campaign::shows_waiting(run.campaign())) return std::nullopt;
  std::vector<PointWaiting> all;
  for (const PointResults& one : results_by_point(run.points(), run.records()))
    all.push_back({.label = label_of(run.campaign(), *one.point),
                   .runs = one.runs.size(),
                   .mean_ns = figures::mean_of(*figures::find_metric("waiting"), one.runs)});
  return all;
}

nlohmann::ordered_json waiting_json(const std::vector<PointWaiting>& waiting) {
  auto all = nlohmann::ordered_json::array();
  for (const PointWaiting& one : waiting) {
    all.push_back({{"point", one.label}, {"runs", one.runs}, {"waiting_ns", nullptr}});
    if (one.mean_ns) all.back()["waiting_ns"] = *one.mean_ns;
  }
  return all;
}

bool is_over(const std::optional<campaign::Search>& search) {
  return search && search->end() != campaign::SearchEnd::open;
}

}  // namespace

std::string too_large_text(const campaign::Estimate& estimate, uint64_t available_bytes, const std::string& folder) {
  return "the campaign may need " + text::bytes(static_cast<double>(estimate.bytes)) + ", and " + folder + " has " +
         text::bytes(static_cast<double>(available_bytes)) +
         " free: free some space, choose another --data-dir, or log less (--set log=off)";
}

CampaignOutcome outcome_of(const CampaignRun& run) {
  const Ledger& ledger = run.ledger();
  CampaignOutcome outcome{.reason = run.end_text(),
                          .campaign_id = run.id(),
                          .points = run.points().size(),
                          .runs = ledger.runs(),
                          .runs_done = ledger.done()};
  for (const Point& point : run.points()) {
    const Repeats repeats = repeats_of(run, point);
    if (repeats.done > 0 && repeats.done == repeats_made(run, point)) outcome.completed++;
    if (repeats.failed > 0) outcome.failed++;
  }
  outcome.waiting = waiting_of(run);
  outcome.local_trouble = run.local_trouble();
  outcome.host_trouble = run.host_lacks_server();
  outcome.search = ledger.search();
  outcome.verdict = Verdict::stopped;
  if (ledger.done() == ledger.runs()) outcome.verdict = Verdict::passed;
  if (ledger.failed() > 0) outcome.verdict = Verdict::failed;
  if (!ledger.complete() && !run.stopped_by_user() && !ledger.stopped_by()) outcome.verdict = Verdict::failed;
  return outcome;
}

BenchExit exit_code_of(const CampaignOutcome& outcome) {
  if (outcome.local_trouble) return BenchExit::local_trouble;
  if (outcome.host_trouble) return BenchExit::host_trouble;
  return is_over(outcome.search) ? exit_code_of(outcome.search->end()) : exit_code_of(outcome.verdict);
}

std::string to_json(const CampaignOutcome& outcome) {
  const std::string verdict =
      is_over(outcome.search) ? search_verdict(outcome.search->end()) : record::to_word(outcome.verdict);
  nlohmann::ordered_json object{{"verdict", verdict},
                                {"reason", outcome.reason},
                                {"points", outcome.points},
                                {"completed", outcome.completed},
                                {"failed", outcome.failed},
                                {"runs", outcome.runs},
                                {"runs_done", outcome.runs_done},
                                {"campaign_id", nullptr}};
  if (outcome.campaign_id != 0) object["campaign_id"] = outcome.campaign_id;
  if (outcome.waiting) object["waiting"] = waiting_json(*outcome.waiting);
  if (outcome.search) object["search"] = search_json(*outcome.search);
  if (outcome.findings) object["findings"] = findings_json(*outcome.findings);
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string campaign_table(const CampaignRun& run, const CampaignOutcome& outcome) {
  const std::string end = "\ncampaign " + std::to_string(outcome.campaign_id) + ": " + outcome.reason + "\n";
  if (outcome.search) return search_table(*outcome.search) + end;
  size_t width = 12;
  for (const Point& point : run.points()) width = std::max(width, text::width(label_of(run.campaign(), point)));
  const std::vector<PointResults> points = results_by_point(run.points(), run.records());
  const figures::FirstLatency latency = campaign::first_latency(points);
  const size_t mean_width = (latency.replies ? 26u : 14u) + (latency.intended ? 10u : 0u);
  std::vector<const figures::Metric*> metrics{&latency.of("trimmed"), &latency.of("p99")};
  if (outcome.waiting) metrics.push_back(figures::find_metric("waiting"));
  const std::vector<text::Column> means = mean_columns(points, metrics);
  std::string out = left("point", width) + right("runs", 9);
  for (size_t i = 0; i < metrics.size(); i++) out += right(means[i].head(std::string(metrics[i]->name)), mean_width);
  out += "\n";
  std::set<std::string> here;
  for (size_t row = 0; const PointResults& one : points) {
    const Point& point = *one.point;
    std::set<std::string> beside_queue = campaign::places_not_external(point, one.runs);
    const Repeats repeats = repeats_of(run, point);
    out += left(label_of(run.campaign(), point), width) +
           right(std::to_string(repeats.done) + "/" + std::to_string(run.campaign().repeats), 9);
    for (const text::Column& column : means) out += right(column.cell(row), mean_width);
    row++;
    out += std::string(repeats.failed > 0 ? "  failed" : "") + (beside_queue.empty() ? "" : "  not external") + "\n";
    here.merge(beside_queue);
  }
  if (!here.empty()) out += campaign::not_external_text(here) + "\n";
  if (outcome.findings) out += "\n" + findings_table(*outcome.findings);
  const auto sides = campaign::compared_points(run.campaign(), run.points(), run.records());
  if (!outcome.findings && !sides.empty())
    out += "\n" + std::string(outcome.runs_done < outcome.runs ? "So far: " : "") +
           compare::verdict_of_latencies(sides).text() + "\n";
  return out + end;
}

}  // namespace n2nq::cli
