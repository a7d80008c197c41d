#include "app/statistics/mean_interval.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/statistics/student.h"

namespace n2nq::statistics {

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

}  // namespace n2nq::statistics
