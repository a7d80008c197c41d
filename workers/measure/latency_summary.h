// The figures of a latency that people read, from a histogram (merged first, never from other summaries). A value.
#pragma once

#include <cstdint>
#include <optional>

#include "workers/measure/histogram.h"

namespace n2nq::measure {

// In nanoseconds; without a sample count is 0 and everything else absent. Percentiles are a bucket's highest value as
// in HdrHistogram, but never outside [min, max]. Min, max, mean and stddev are exact.
struct LatencySummary {
  uint64_t count = 0;
  std::optional<int64_t> min;
  std::optional<int64_t> p50;
  std::optional<int64_t> p90;
  std::optional<int64_t> p95;
  std::optional<int64_t> p99;
  std::optional<int64_t> p999;
  std::optional<int64_t> max;
  std::optional<double> mean;
  std::optional<double> stddev;
  // The mean of the lowest 95% of the values (95% of the count, not rounded: the bucket on the boundary counts in
  // proportion), taken from bucket middles.
  std::optional<double> trimmed_mean_p95;

  bool operator==(const LatencySummary&) const = default;
};

LatencySummary summarize(const Histogram& histogram);
LatencySummary summarize(const CompactHistogram& histogram);

}  // namespace n2nq::measure
