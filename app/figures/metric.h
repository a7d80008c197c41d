// The figures of a run that are one number each, in one list: runs are compared by them, limits hold them, campaigns
// draw them, and tables, JSON, reports and what Prometheus reads are made from it. One more figure is an entry in
// metric.cpp; its name and unit, if people write about it, in app/plan/metric_limit.h. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/analysis/run_comparison.h"
#include "app/figures/figure.h"
#include "app/figures/run_view.h"
#include "app/plan/metric_limit.h"
#include "app/record/run_record.h"
#include "app/record/trust.h"
#include "app/text/quantity.h"

namespace n2nq::figures {

// What a figure is about. Where several are shown, those of one part stand together, in the order of the list.
enum class MetricPart { turnaround, latency, publish, schedule, rates, counts, service, outages, hosts };

// Where a figure is shown besides `compare`, if it is.
struct MetricPlaces {
  bool compared = false;         // `compare`, limits and conditions, figures of campaigns, findings; as plan has it
  bool summary = false;          // the table that `run` ends with, under its label
  const char* total = nullptr;   // its row among the totals of a result, in the window and in reports
  const char* column = nullptr;  // its column where a report lists runs
  const char* json = nullptr;    // its field of a run in the JSON of `run`
  plan::MetricOf of = plan::MetricOf::all;  // the tables have it of these runs alone; as plan has it
};

// Its family in OpenMetrics, which has it while a run goes on.
struct LiveMetric {
  const char* name = nullptr;  // "lost_messages"; null: there is none
  const char* help = nullptr;
  const char* unit = nullptr;  // the end of its name, where OpenMetrics knows such a unit
  bool counter = false;        // else a gauge
};

struct Metric {
  std::string_view name{};   // "p99"
  std::string_view label{};  // "latency, 99 % below"
  Quantity quantity = Quantity::messages;
  analysis::Better better = analysis::Better::lower;
  // In a sentence that compares runs: "B is 18 % slower at turnaround p99". Empty: a count, which has other sentences.
  std::string_view said{};
  analysis::Reads reads = analysis::Reads::speed;
  MetricPart part = MetricPart::counts;
  // Of any run; of one that goes on, as far as it is known. Or in its place `at_end`, of what only a run has that is
  // over.
  std::optional<double> (*so_far)(const RunView& run) = nullptr;
  std::optional<double> (*at_end)(const record::RunRecord& run) = nullptr;
  // Of a run that goes on, where that differs: over about the last second, or as of the last readings of hosts.
  std::optional<double> (*at_instant)(const live::LiveFigures& live) = nullptr;
  // A percentile of fewer values than this is their maximum.
  struct Least {
    Latency latency = Latency::latency;
    uint64_t values = 0;
  };
  std::optional<Least> least{};
  // What theory says of it for that run, where it says anything.
  std::optional<double> (*theory)(const record::RunRecord& run) = nullptr;
  MetricPlaces places{};
  std::optional<Role> told_by{};  // whose word it is: "at least" where one of them left less than all of it
  LiveMetric live{};

  std::optional<double> value(const RunView& run) const;
  std::optional<double> value(const record::RunRecord& run) const;
  // At this instant, as limits judge it: of all messages so far without warm-up, rates over about the last second.
  // Nothing where there is too little yet to say it. Of a run that is over, its value.
  std::optional<double> now(const RunView& run) const;
};

std::span<const Metric> all_metrics();
// Those that runs are compared by; docs/headless.md tells what each is.
std::span<const Metric> metrics();
const Metric* find_metric(std::string_view name);  // of those
// Whether tables have a row of it for a run of this plan.
bool concerns(const Metric& metric, const plan::RunPlan& plan);
// The median, 99th percentile ... that is looked at first: of runs with replies "p99" is that of turnaround.
const Metric& first_metric(std::string_view name, bool replies);
// The same latency from the intended send; nullptr: there is none.
const Metric* intended_of(const Metric& metric);
const Metric& shown_metric(const Metric& metric, bool intended);  // this one, or that
// Which latencies stand for runs that are beside each other: of requests their turnaround, and those from the intended
// send where record::show_intended() says so.
struct FirstLatency {
  bool replies = false;
  bool intended = false;

  const Metric& actual(std::string_view name) const { return first_metric(name, replies); }  // whatever is shown
  const Metric& of(std::string_view name) const { return shown_metric(actual(name), intended); }
  std::string title(std::string_view name) const;  // "Turnaround p99, intended"
  bool operator==(const FirstLatency&) const = default;
};
FirstLatency first_latency(bool replies, std::span<const record::RunRecord* const> runs);
const Metric& limit_metric(std::string_view name);  // one that plans limit

// In the metric's unit: "84.1 µs", "24,980 /s", "3".
std::string value_text(const Metric& metric, double value);
// Of how many deliveries or replies a figure of latencies is; of others nothing.
std::optional<record::Measured> measured(const Metric& metric, const record::RunRecord& run);
// That of a run: "at least 2,398" where a process left neither summary nor whole logs, "174 µs, of 14.0 % of the
// deliveries" where the latencies of some are not known.
std::string text_of(const Metric& metric, const record::RunRecord& run, const char* unknown);
// The mean over the runs that have it; nothing where none has.
std::optional<double> mean_of(const Metric& metric, const std::vector<const record::RunRecord*>& runs);
text::Unit unit_of(const Metric& metric);  // of a column of it

}  // namespace n2nq::figures
