#include "app/cli/summary_table.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "app/cli/table_text.h"
#include "app/figures/metric.h"
#include "app/figures/waiting.h"
#include "app/record/shown_latency.h"
#include "app/text/quantity.h"

namespace n2nq::cli {
namespace {

using figures::MetricPart;
using record::RunRecord;

constexpr size_t kRunsBeside = 4;
constexpr size_t kLabelWidth = 46;
constexpr size_t kColumnWidth = 20;

class Table {
 public:
  explicit Table(std::span<const RunRecord> runs) : runs_(runs) {
    std::vector<const RunRecord*> all;
    for (const RunRecord& run : runs) all.push_back(&run);
    for (const bool turnaround : {false, true}) intended_[turnaround] = record::show_intended(all, turnaround);
  }

  void words(const std::string& label, const std::function<std::string(const RunRecord&)>& cell) {
    Row& row = rows_.emplace_back(Row{.label = label});
    for (const RunRecord& run : runs_) row.cells.push_back(cell(run));
  }
  void counts(const char* label, const std::function<std::optional<uint64_t>(const RunRecord&)>& value) {
    words(label, [&value](const RunRecord& run) {
      const auto count = value(run);
      return count ? text::count(static_cast<int64_t>(*count)) : "-";
    });
  }
  void durations(const std::string& label, const std::function<std::optional<double>(const RunRecord&)>& value) {
    rows_.push_back({.label = label, .first_duration = durations_});
    for (const RunRecord& run : runs_) durations_of_.add(value(run));
    durations_ += runs_.size();
  }
  void durations(const std::string& label, const figures::Metric& metric) {
    durations(label, [&metric](const RunRecord& run) { return metric.value(run); });
  }
  // Latencies are those of one send in all columns, and the median of the other stands below them.
  void latencies(bool turnaround) {
    const figures::Metric& median = figures::first_metric("p50", turnaround);
    if (!is_row(median)) return;
    if (intended_[turnaround])
      words(turnaround ? "turnaround from" : "latency from", [](const RunRecord&) { return "intended send"; });
    for (const figures::Metric& metric : figures::all_metrics()) {
      if (metric.part != (turnaround ? MetricPart::turnaround : MetricPart::latency) || !is_row(metric)) continue;
      durations(std::string(metric.label), shown_metric(metric, intended_[turnaround]));
    }
    if (intended_[turnaround])
      durations(turnaround ? "turnaround from the actual send, median" : "latency from the actual send, median",
                median);
    else
      durations(std::string(intended_of(median)->label), *intended_of(median));
  }
  void metrics(MetricPart part) {
    for (const figures::Metric& metric : figures::all_metrics()) {
      if (metric.part != part || !is_row(metric)) continue;
      const std::string label(metric.label);
      if (metric.quantity == figures::Quantity::duration_ns)
        durations(label, metric);
      else
        words(label, [&metric](const RunRecord& run) { return text_of(metric, run, "-"); });
      if (metric.theory != nullptr) durations(label.substr(0, label.find(',')) + ", theory", metric.theory);
    }
  }
  // Durations are in one unit, whichever their row: a run's figures are read down its column.
  std::string text() const {
    std::string all;
    for (const Row& row : rows_) {
      all += "  " + left(row.first_duration ? durations_of_.head(row.label) : row.label, kLabelWidth);
      for (size_t i = 0; i < runs_.size(); i++)
        all += right(row.first_duration ? durations_of_.cell(*row.first_duration + i) : row.cells[i], kColumnWidth);
      all += "\n";
    }
    return all;
  }

 private:
  struct Row {
    std::string label{};
    std::vector<std::string> cells{};
    std::optional<size_t> first_duration{};  // in the order of all durations
  };

  bool is_row(const figures::Metric& metric) const {
    const auto has_it = [&metric](const RunRecord& run) { return concerns(metric, run.plan); };
    return metric.places.summary && std::ranges::any_of(runs_, has_it);
  }

  std::span<const RunRecord> runs_;
  std::array<bool, 2> intended_{};  // from which send latencies and turnarounds are
  std::vector<Row> rows_;
  text::Column durations_of_{text::Unit::duration};
  size_t durations_ = 0;
};

std::string part_of_table(std::span<const RunRecord> runs) {
  Table table(runs);
  table.words("", [](const RunRecord& run) { return plan::to_text(run.plan.queue.mode); });
  if (std::ranges::any_of(runs, [](const RunRecord& run) { return !run.plan.bus.traits().own_queue; }))
    table.words("bus", [](const RunRecord& run) { return run.plan.bus.kind; });
  // The long form stands with its reason below.
  table.words("verdict", [](const RunRecord& run) {
    return run.verdict == record::Verdict::lost_allowed ? std::string("lost, allowed") : to_text(run.verdict);
  });
  table.words("figures", [](const RunRecord& run) { return to_text(run.trust); });
  table.counts("senders", [](const RunRecord& run) { return run.plan.senders.fleet.count; });
  table.counts("receivers", [](const RunRecord& run) { return run.plan.receivers.fleet.count; });
  table.metrics(MetricPart::counts);
  table.latencies(true);
  if (std::ranges::any_of(runs, [](const RunRecord& run) { return run.closed_loop.value_or(0) > 0; }))
    table.words("closed loop (hides waiting)", [](const RunRecord& run) {
      const uint32_t loop = run.closed_loop.value_or(0);
      return loop > 0 ? text::count(loop) + " outstanding" : std::string("-");
    });
  table.latencies(false);
  if (std::ranges::any_of(runs, [](const RunRecord& run) { return run.clock_kind != "same"; }))
    table.words("latency accurate within", [](const RunRecord& run) {
      if (run.clock_kind == "same") return std::string("one clock");
      return run.clock_bound_ns ? text::duration(static_cast<double>(*run.clock_bound_ns)) : std::string("not known");
    });
  table.metrics(MetricPart::publish);
  if (std::ranges::any_of(runs, [](const RunRecord& run) { return run.latencies[Latency::waiting].count > 0; })) {
    table.metrics(MetricPart::service);
    table.words("", [](const RunRecord& run) {
      const auto waiting = figures::waiting_of(run);
      if (!waiting) return std::string("-");
      if (waiting->overloaded()) return std::string("overloaded");
      return waiting->fitting() != nullptr ? waiting->fitting()->name : std::string("no model");
    });
  }
  if (std::ranges::any_of(runs, [](const RunRecord& run) { return !run.outages.empty(); }))
    table.metrics(MetricPart::outages);
  table.durations("measured delay between messages, median",
                  [](const RunRecord& run) { return text::real(run.latencies[Latency::delay].p50); });
  table.metrics(MetricPart::rates);
  if (std::ranges::any_of(runs, [](const RunRecord& run) { return !run.hosts.empty(); }))
    table.metrics(MetricPart::hosts);
  table.words("requested rate", [](const RunRecord& run) { return run.rate_reached ? "yes" : "no"; });
  table.words("result", [](const RunRecord& run) { return run.id == 0 ? "not saved" : "#" + std::to_string(run.id); });
  return table.text();
}

}  // namespace

std::string summary_table(const std::vector<RunRecord>& runs) {
  std::string out;
  for (size_t first = 0; first < runs.size(); first += kRunsBeside) {
    if (first > 0) out += "\n";
    out += part_of_table(std::span(runs).subspan(first, std::min(kRunsBeside, runs.size() - first)));
  }
  return out;
}

}  // namespace n2nq::cli
