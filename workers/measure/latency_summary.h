// The figures of a latency that people read, from a histogram (merged first, never from other summaries); workers tell
// them in their last line, results keep them. A value.
#pragma once

#include <cstdint>
#include <optional>

#include "workers/measure/histogram.h"

namespace n2nq::measure {

// In nanoseconds; without a sample count is 0 and everything else absent. Percentiles are a bucket's highest value as
// in HdrHistogram, but never outside [min, max]. Min, max, mean and stddev are exact.
struct LatencySummary {
  uint64_t count = 0;
  std::optional<int64_t> min{};
  std::optional<int64_t> p50{};
  std::optional<int64_t> p90{};
  std::optional<int64_t> p95{};
  std::optional<int64_t> p99{};
  std::optional<int64_t> p999{};
  std::optional<int64_t> max{};
  std::optional<double> mean{};
  std::optional<double> stddev{};
  // The mean of the lowest 95% of the values (95% of the count, not rounded: the bucket on the boundary counts in
  // proportion), taken from bucket middles.
  std::optional<double> trimmed_mean_p95{};

  bool operator==(const LatencySummary&) const = default;
};

// What one of them is called: in JSON, as a column of what is kept, and by people.
struct LatencyField {
  const char* word;
  const char* column;
  const char* label;
};
// `visit(field, member)` for each of them, in the order in which they are told and kept.
template <class Visit, class Summary>
void latency_fields(Visit&& visit, Summary&& summary) {
  visit(LatencyField{"count", "count", "number of values"}, summary.count);
  visit(LatencyField{"min", "min_ns", "min"}, summary.min);
  visit(LatencyField{"p50", "p50_ns", "p50"}, summary.p50);
  visit(LatencyField{"p90", "p90_ns", "p90"}, summary.p90);
  visit(LatencyField{"p95", "p95_ns", "p95"}, summary.p95);
  visit(LatencyField{"p99", "p99_ns", "p99"}, summary.p99);
  visit(LatencyField{"p999", "p999_ns", "p99.9"}, summary.p999);
  visit(LatencyField{"max", "max_ns", "max"}, summary.max);
  visit(LatencyField{"mean", "mean_ns", "mean"}, summary.mean);
  visit(LatencyField{"stddev", "stddev_ns", "std. deviation"}, summary.stddev);
  visit(LatencyField{"trimmed_mean_p95", "trimmed_mean_p95_ns", "trimmed mean"}, summary.trimmed_mean_p95);
}

LatencySummary summarize(const Histogram& histogram);
LatencySummary summarize(const CompactHistogram& histogram);

}  // namespace n2nq::measure
