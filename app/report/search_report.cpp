#include "app/report/search_report.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/campaign/search_text.h"
#include "app/figures/metric.h"
#include "app/text/quantity.h"

namespace n2nq::report {
namespace {

using campaign::Outcome;
using campaign::Probe;
using campaign::Search;
using campaign::SearchEnd;
using figures::TableRow;
using record::RunRecord;
using record::Severity;

Severity severity_of(SearchEnd end) {
  if (end == SearchEnd::found || end == SearchEnd::always) return Severity::info;
  return end == SearchEnd::failing ? Severity::error : Severity::warning;
}

std::vector<const RunRecord*> runs_of(const Probe& probe, const std::vector<RunRecord>& records) {
  std::vector<const RunRecord*> runs;
  for (const campaign::Trial& trial : probe.trials) {
    const auto run = std::ranges::find(records, trial.result, &RunRecord::id);
    if (run != records.end() && trial.outcome != Outcome::failed) runs.push_back(&*run);
  }
  return runs;
}

TableRow row_of(const Search& search, const Probe& probe, const std::vector<RunRecord>& records, MeanColumns& means) {
  const auto unmet =
      std::ranges::find_if(probe.trials, [](const campaign::Trial& trial) { return trial.outcome != Outcome::met; });
  std::string ids;
  for (const campaign::Trial& trial : probe.trials) ids += (ids.empty() ? "#" : ", #") + std::to_string(trial.result);
  TableRow row{.cells = {value_text(search.variable(), probe.value),
                         std::to_string(probe.count(Outcome::met)) + " of " + std::to_string(probe.trials.size()),
                         unmet == probe.trials.end() ? "-" : unmet->reason},
               .severity = {}};
  means.add(row, runs_of(probe, records));
  row.cells.push_back(ids);
  return row;
}

}  // namespace

MeanColumns::MeanColumns(const figures::FirstLatency& latency, bool waiting) {
  const auto take = [this](std::string header, const figures::Metric& metric) {
    all_.push_back({.header = std::move(header), .metric = &metric, .figures = text::Column(unit_of(metric))});
  };
  for (const char* name : {"trimmed", "p99"}) take(latency.title(name), latency.of(name));
  if (waiting) take("Waiting", *figures::find_metric("waiting"));
  take("Rate", *figures::find_metric("rate"));
}

void MeanColumns::add(TableRow& row, const std::vector<const RunRecord*>& runs) {
  for (Mean& one : all_) {
    one.figures.add(figures::mean_of(*one.metric, runs));
    row.cells.emplace_back();
  }
}

void MeanColumns::add(std::vector<figures::TableColumn>& columns) const {
  for (const Mean& one : all_) columns.push_back({.header = one.header, .number = true});
}

void MeanColumns::put(std::vector<figures::TableColumn>& columns, std::vector<TableRow>& rows, size_t at) const {
  for (const Mean& one : all_) figures::put_figures(columns, rows, at++, one.figures);
}

void add_search_outcome(Report& report, const Search& search) {
  report.say("The search: " + sentence_of(search) + ".", severity_of(search.end()));
  if (search.end() == SearchEnd::open) report.say("It has not finished: it can be resumed.", Severity::warning);
}

void add_probes(Report& report, const Search& search, const std::vector<RunRecord>& records) {
  std::vector<TableRow> rows;
  const auto probes = search.easiest_first();
  std::vector<const RunRecord*> all;
  for (const Probe* probe : probes) std::ranges::copy(runs_of(*probe, records), std::back_inserter(all));
  MeanColumns means(figures::first_latency(campaign::all_ask_for_replies(search.points()), all), /*waiting=*/false);
  for (const Probe* probe : probes) rows.push_back(row_of(search, *probe, records, means));
  std::vector<figures::TableColumn> columns{{.header = search.spec().vary, .number = true},
                                            {.header = "Limits met in"},
                                            {.header = "Why not", .stretch = true}};
  const size_t first = columns.size();
  means.add(columns);
  columns.push_back({.header = "Results"});
  means.put(columns, rows, first);
  report.table(std::move(columns), std::move(rows));
  report.say("Figures of a value are means over its runs. Only these values were tried.");
}

void add_search_settings(Report& report, const campaign::Campaign& campaign, const Search& search) {
  const campaign::SearchSpec& spec = search.spec();
  const campaign::Bracket bracket = campaign::bracket_of(spec, search.probes());
  const auto disagreement = campaign::disagreement_of(spec, search.probes());
  const auto value = [&](double of) { return value_text(search.variable(), of); };
  const auto probe = [&](const std::optional<size_t>& at) { return at ? value(search.probes()[*at].value) : "-"; };
  std::vector<TableRow> rows;
  const auto add = [&rows](const char* name, std::string text) {
    rows.push_back({.cells = {name, std::move(text)}, .severity = {}});
  };
  add("varied", spec.vary);
  add("from", value(spec.from));
  add("to", value(spec.to));
  add("limits", limits_text(search));
  add("precision", campaign::precision_text(spec.precision));
  add("runs that confirm an end", std::to_string(spec.confirm));
  add("bracket: hardest value that meets the limits", probe(bracket.holds));
  add("bracket: easiest value that does not", probe(bracket.fails));
  add("runs disagreed", disagreement ? "from " + value(disagreement->from) + " to " + value(disagreement->to) : "-");
  add("pause between runs", text::duration(static_cast<double>(campaign.pause_ns)));
  if (campaign.every) add("runs start every", to_text(*campaign.every));
  add("tries of a failing run", std::to_string(campaign.tries));
  report.table({{.header = "Search"}, {.header = "Value", .stretch = true}}, std::move(rows));
}

}  // namespace n2nq::report
