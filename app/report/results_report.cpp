#include "app/report/results_report.h"

#include <algorithm>
#include <concepts>
#include <nlohmann/json.hpp>

#include "app/figures/limit_text.h"
#include "app/figures/metric.h"
#include "app/record/run_command.h"
#include "app/record/shown_latency.h"
#include "app/report/comparison_report.h"
#include "app/report/front_page.h"
#include "app/report/run_report.h"
#include "app/text/quantity.h"

namespace n2nq::report {
namespace {

using figures::MetricPart;
using figures::TableRow;
using record::RunRecord;

std::string numbers_of(const std::vector<const RunRecord*>& records) {
  std::vector<int64_t> ids;
  for (const RunRecord* record : records) ids.push_back(record->id);
  return compare::results_text(std::move(ids));
}

// Load averages differ from run to run, and the boot id after each restart; they do not make another computer.
struct MachineKey {
  std::string text{};
  void operator()(const char* name, const std::string& fact) {
    if (std::string_view(name) != "boot_id") text += "\n" + fact;
  }
  void operator()(const char*, std::integral auto fact) { text += "\n" + std::to_string(fact); }
  void operator()(const char*, const std::optional<double>&) {}
};

std::string machine_key(const RunRecord& record) {
  auto machine = nlohmann::ordered_json::parse(record.machine_json, nullptr, false);
  if (machine.is_object()) {
    machine.erase("load_averages");
    machine.erase("boot_id");
  }
  MachineKey key{.text = machine.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
  for (const record::MachineRecord& one : record.machines) {
    key("place", one.place + (one.place == record::queue_place(record) ? " (the queue's)" : ""));
    machine_fields(key, one.facts);
  }
  return key.text;
}

struct Machine {
  std::string key;
  std::vector<const RunRecord*> records;
};

std::vector<Machine> machines_of(const std::vector<RunRecord>& records) {
  std::vector<Machine> machines;
  for (const RunRecord& record : records) {
    const std::string key = machine_key(record);
    auto same = std::ranges::find(machines, key, &Machine::key);
    if (same == machines.end()) same = machines.insert(same, {.key = key, .records = {}});
    same->records.push_back(&record);
  }
  return machines;
}

void add_each(Report& report, const RunRecord& record, const OwnWords* words) {
  report.heading(name_of(record), 3);
  report.say("Verdict: " + to_text(record.verdict) + (record.reason.empty() ? "" : ": " + record.reason));
  add_exceeded(report, record);
  add_trust(report, record);
  if (words != nullptr) add_words(report, *words);
  report.table(figures::latency_columns(record), figures::latency_rows(record));
  report.list(exclusions(record));
  add_clocks(report, record);
  add_layers(report, record);
}

// Counts as they are, which may be "at least"; other figures in the unit of their column.
void add_metric(std::vector<figures::TableColumn>& columns, std::vector<TableRow>& rows,
                const std::vector<RunRecord>& records, const figures::Metric& metric, const std::string& header) {
  columns.push_back({.header = header, .number = true});
  text::Column figures(unit_of(metric));
  for (size_t i = 0; i < rows.size(); i++) {
    rows[i].cells.push_back(text_of(metric, records[i], "not known"));
    figures.add(metric.value(records[i]));
  }
  if (metric.part != MetricPart::counts) figures::put_figures(columns, rows, columns.size() - 1, figures);
}

}  // namespace

void add_runs(Report& report, const std::vector<RunRecord>& records) {
  std::vector<TableRow> rows;
  for (const RunRecord& record : records) {
    std::optional<record::Severity> severity;
    if (record.verdict != record::Verdict::passed || !record.passed_limits.empty() ||
        record.trust == record::Trust::doubtful)
      severity = record::Severity::warning;
    rows.push_back({.cells = {"#" + std::to_string(record.id), record.plan.name,
                              figures::verdict_words(record.verdict, record.passed_limits), to_text(record.trust),
                              utc_text(record.started_utc_ns)},
                    .severity = severity});
  }
  std::vector<figures::TableColumn> columns{{.header = "Result", .number = true},
                                            {.header = "Name", .stretch = true},
                                            {.header = "Verdict"},
                                            {.header = "Trust"},
                                            {.header = "Started"}};
  const auto any_has = [&records](const figures::Metric& metric) {
    return std::ranges::any_of(records, [&](const RunRecord& record) { return concerns(metric, record.plan); });
  };
  std::vector<const RunRecord*> all;
  for (const RunRecord& record : records) all.push_back(&record);
  const auto intended = [&all](MetricPart part) { return record::show_intended(all, part == MetricPart::turnaround); };
  for (const MetricPart part :
       {MetricPart::counts, MetricPart::turnaround, MetricPart::latency, MetricPart::publish, MetricPart::rates})
    for (const figures::Metric& metric : figures::all_metrics())
      if (metric.part == part && metric.places.column != nullptr && any_has(metric)) {
        const figures::Metric& shown = figures::shown_metric(metric, intended(part));
        add_metric(columns, rows, records, shown,
                   std::string(metric.places.column).append(&shown == &metric ? "" : record::kIntended));
      }
  report.table(std::move(columns), std::move(rows));
}

void add_machines(Report& report, const std::vector<RunRecord>& records) {
  for (const Machine& machine : machines_of(records)) {
    const bool several = machine.records.front()->machines.size() > 1;
    report.heading((several ? "The computers of " : "The computer of ") + numbers_of(machine.records), 3);
    add_machine(report, *machine.records.front());
  }
}

Report results_report(const std::vector<RunRecord>& records, const std::map<int64_t, OwnWords>& words) {
  const std::vector<compare::Side> sides = compare::sides_of(records);
  Report report{.title = "Comparison of " + std::to_string(records.size()) + " results",
                .subtitle = std::to_string(sides.size()) + (sides.size() == 1 ? " plan" : " plans") +
                            "; first run started " +
                            utc_text(std::ranges::min(records, {}, &RunRecord::started_utc_ns).started_utc_ns)};
  add_front_page(report, sides, overlay_figure(sides));
  report.heading("What the runs show");
  add_comparisons(report, sides);
  report.heading("Figures");
  for (const char* metric : {"p50", "p99", "trimmed"}) report.figure(runs_figure(sides, metric));
  report.heading("Runs");
  add_runs(report, records);
  report.heading("Each run, with notes");
  for (const RunRecord& record : records) {
    const auto own = words.find(record.id);
    add_each(report, record, own == words.end() ? nullptr : &own->second);
  }
  report.heading("Computers");
  add_machines(report, records);
  report.heading("Settings");
  for (const compare::Side& side : sides) {
    const auto first = std::ranges::find_if(records, [&](const RunRecord& record) {
      return record.id == (side.runs.empty() ? side.first_left_out : side.runs.front().id);
    });
    if (first == records.end()) continue;
    report.heading("The plan of " + side.name, 3);
    add_plan(report, record::plan_as_run(*first));
  }
  report.heading("How to repeat it");
  report.say("On the computer that has these results (each with its own seeds):");
  std::string commands;
  for (const RunRecord& record : records) commands += "n2nq-bench run --result " + std::to_string(record.id) + "\n";
  report.code(commands);
  report.say("Anywhere else, in a shell (these are the complete plans, with the seeds of the first run of each):");
  for (const compare::Side& side : sides)
    if (!side.runs.empty()) report.code(record::run_command(side.runs.front().plan));
  return report;
}

}  // namespace n2nq::report
