// The figures of a run that runs are compared by, each by the name that people and scripts give it. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/results/figure.h"
#include "app/results/run_record.h"
#include "app/statistics/run_comparison.h"
#include "app/text/quantity.h"

namespace n2nq::compare {

struct Metric {
  std::string_view name;   // "p99"
  std::string_view label;  // "latency, 99 % below"
  results::Quantity quantity;
  statistics::Better better;
  std::optional<double> (*value)(const results::RunRecord& run);
  // What theory says of it for that run, where it says anything.
  std::optional<double> (*theory)(const results::RunRecord& run) = nullptr;
};

// p50, p90, p95, p99, p99.9, max, mean, trimmed (the mean of the lowest 95 %), scheduled-p50, scheduled-p99 (from the
// intended time of sending), rate (deliveries a second from BEGIN to the end), sent-rate, lost, duplicates; with a
// service time waiting (mean) and queue-length.
std::span<const Metric> metrics();
const Metric* find_metric(std::string_view name);
std::string metric_names();  // "p50, p90, ..."

// In the metric's unit: "84.1 µs", "24,980 /s", "3".
std::string value_text(const Metric& metric, double value);
text::Unit unit_of(const Metric& metric);  // of a column of it
// What people and scripts give: "5ms" of a latency, "20000" of a rate or a count. Not below 0.
std::optional<double> parse_value(const Metric& metric, std::string_view text);
std::string form_of_values(const Metric& metric);  // "a duration such as 5ms"

}  // namespace n2nq::compare
