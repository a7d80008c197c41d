#include "workers/measure/latency_summary.h"

#include <algorithm>

#include "workers/measure/few_values.h"

namespace n2nq::measure {
namespace {

// Buckets reach beyond what was recorded; the exact extremes say by how much.
double middle(const Bucket& bucket, const Moments& exact) {
  const int64_t lowest = std::max(bucket.lowest_ns, exact.min_ns);
  const int64_t highest = std::min(bucket.highest_ns, exact.max_ns);
  return static_cast<double>(lowest) + static_cast<double>(highest - lowest) / 2;
}

template <class H>
double trimmed_mean(const H& histogram, double share) {
  const double wanted = share * static_cast<double>(histogram.count());
  double left = wanted;
  long double sum = 0;
  histogram.for_each([&](const Bucket& bucket) {
    const double taken = std::min(left, static_cast<double>(bucket.count));
    if (taken > 0) sum += static_cast<long double>(taken) * middle(bucket, histogram.moments());
    left -= taken;
  });
  return static_cast<double>(sum / wanted);
}

template <class H>
LatencySummary summary_of(const H& histogram) {
  if (histogram.count() == 0) return {};
  const Moments& exact = histogram.moments();
  const auto percentile = [&](double q) { return std::clamp(histogram.quantile(q), exact.min_ns, exact.max_ns); };
  return {.count = exact.count,
          .min = exact.min_ns,
          .p50 = percentile(0.50),
          .p90 = percentile(0.90),
          .p95 = percentile(0.95),
          .p99 = percentile(0.99),
          .p999 = exact.count >= kLeastForP999 ? std::optional(percentile(0.999)) : std::nullopt,
          .max = exact.max_ns,
          .mean = exact.mean(),
          .stddev = exact.stddev(),
          .trimmed_mean_p95 = trimmed_mean(histogram, 0.95)};
}

}  // namespace

LatencySummary summarize(const Histogram& histogram) {
  return summary_of(histogram);
}
LatencySummary summarize(const CompactHistogram& histogram) {
  return summary_of(histogram);
}

}  // namespace n2nq::measure
