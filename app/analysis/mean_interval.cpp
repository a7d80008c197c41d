#include "app/analysis/mean_interval.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/analysis/student.h"

namespace n2nq::analysis {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

std::optional<MeanInterval> mean_interval(std::span<const double> values, double confidence) {
  if (values.empty()) return std::nullopt;
  const double mean = mean_of(values);
  const auto [smallest, largest] = std::ranges::minmax(values);
  MeanInterval interval{
      .runs = values.size(), .mean = mean, .low = mean, .high = mean, .smallest = smallest, .largest = largest};
  if (values.size() < 2) return interval;
  const auto runs = static_cast<double>(values.size());
  const double reach = student_bound(confidence, runs - 1) * std::sqrt(variance_of(values) / runs);
  interval.low = mean - reach;
  interval.high = mean + reach;
  return interval;
}

std::optional<MeanInterval> positive_mean_interval(std::span<const double> values, double confidence) {
  auto interval = mean_interval(values, confidence);
  if (!interval || interval->smallest < 0) return interval;
  // By the delta method the logarithm of a mean is off by as much as the mean is in proportion to itself.
  const double reach = interval->smallest > 0 ? (interval->high - interval->mean) / interval->mean : 0;
  interval->low = interval->smallest > 0 ? interval->mean * std::exp(-reach) : std::max(interval->low, 0.0);
  if (interval->smallest > 0) interval->high = interval->mean * std::exp(reach);
  return interval;
}

}  // namespace n2nq::analysis
