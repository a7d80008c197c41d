#include "app/report/comparison_report.h"

#include <algorithm>

#include "app/compare/comparison.h"
#include "app/compare/promises.h"
#include "app/compare/titles.h"
#include "app/figures/figures.h"
#include "app/record/shown_latency.h"
#include "app/text/quantity.h"

namespace n2nq::report {
namespace {

using compare::Side;
using figures::Figure;
using figures::TableColumn;
using figures::TableRow;
using record::RunRecord;
using record::Severity;

constexpr size_t kMostCurves = 20;

measure::Histogram merged(const Side& side, Latency latency) {
  measure::Histogram all;
  for (const RunRecord& run : side.runs)
    if (const auto* histogram = record::find_histogram(run, latency)) all.merge(record::to_histogram(*histogram));
  return all;
}

// `told`: the settings in which they differ are in a table.
void add_side(Report& report, const Side& first, const Side& side, bool told) {
  report.heading(side.name + " measured against " + first.name, 3);
  std::vector<TableRow> rows;
  const auto comparisons = compare::compare_sides(first, side);
  for (size_t i = 0; const compare::MeanRow& row : compare::mean_rows(comparisons))
    rows.push_back({.cells = {row.metric, row.a, row.b, comparisons[i++].statement}, .severity = {}});
  report.table({{.header = "Geometric mean of the runs"},
                {.header = first.name, .number = true},
                {.header = side.name, .number = true},
                {.header = "What the runs show", .stretch = true}},
               std::move(rows));
  report.list(compare::all_remarks(first, side, /*with_settings=*/!told));
}

}  // namespace

void add_promises(Report& report, const std::vector<Side>& sides) {
  std::vector<TableColumn> columns{{.header = "Promise or setting"}};
  for (const Side& side : sides) columns.push_back({.header = side.name, .stretch = true});
  std::vector<TableRow> rows;
  for (const compare::Promise& one : compare::promises_and_settings(sides)) {
    TableRow& row = rows.emplace_back(
        TableRow{.cells = {one.name}, .severity = one.differs ? std::optional(Severity::info) : std::nullopt});
    row.cells.insert(row.cells.end(), one.values.begin(), one.values.end());
  }
  report.heading("What each side promises, and what differs", 3);
  report.table(std::move(columns), std::move(rows));
}

Figure overlay_figure(const std::vector<Side>& sides) {
  Figure all = figures::latency_by_percentile_figure({}, {}, {});
  all.series.clear();
  all.notes.clear();
  all.id = "latency-by-percentile";
  const auto [replies, intended] = compare::first_latency(sides);
  all.title = replies ? "Turnaround by percentile" : "Latency by percentile";
  for (size_t i = 0; i < sides.size() && i < kMostCurves; i++) {
    Figure one =
        figures::latency_by_percentile_figure(merged(sides[i], record::first_latency(replies, intended)), {}, {});
    if (one.series.empty() || one.series.front().points.empty()) continue;
    all.x = one.x;
    all.y = one.y;
    if (replies) all.y.label = "turnaround";
    draw_as(one.series.front(), sides[i].name, i);
    all.series.push_back(std::move(one.series.front()));
  }
  all.notes.push_back(record::from_text(intended) +
                      (replies ? ", all requests of a side's runs" : ", all messages of a side's runs"));
  if (sides.size() > kMostCurves)
    all.notes.push_back("the first " + std::to_string(kMostCurves) + " of " + std::to_string(sides.size()));
  return all;
}

Figure runs_figure(const std::vector<Side>& sides, const char* name) {
  const figures::Metric& metric =
      figures::shown_metric(*figures::find_metric(name), compare::first_latency(sides).intended);
  Figure figure{.id = std::string("runs-") + name,
                .title = text::capital(std::string(metric.label)) + ", run by run",
                .x = {.label = "run", .quantity = figures::Quantity::category},
                .y = {.label = std::string(metric.label), .quantity = metric.quantity, .from_zero = true},
                .empty_text = "not available in any run"};
  for (size_t i = 0; i < sides.size(); i++) {
    figures::Series series{.shape = figures::Shape::bars};
    draw_as(series, sides[i].name, i);
    for (const RunRecord& run : sides[i].runs) {
      const auto value = metric.value(run);
      if (!value) continue;
      series.points.push_back({.x = static_cast<double>(figure.x.categories.size()), .y = *value});
      figure.x.categories.push_back("#" + std::to_string(run.id));
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  return figure;
}

void add_comparisons(Report& report, const std::vector<Side>& sides) {
  std::vector<std::string> texts;
  for (const Side& side : sides) texts.push_back(compare::to_text(side));
  report.list(std::move(texts));
  for (const Side& side : sides)
    for (const std::string& left_out : side.left_out)
      report.say("Left out of " + side.name + ": " + left_out, Severity::warning);
  if (sides.size() < 2) return report.say("All are repeats of one plan: there is nothing to compare them with.");
  report.say("The sample is the run: with fewer than three runs on a side there is no statement.");
  const bool fits = sides.size() <= compare::kMostSides;
  if (fits) add_promises(report, sides);
  for (size_t i = 1; i < sides.size(); i++) add_side(report, sides.front(), sides[i], fits);
}

}  // namespace n2nq::report
