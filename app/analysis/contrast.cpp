#include "app/analysis/contrast.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/analysis/mean_interval.h"
#include "app/analysis/run_comparison.h"
#include "app/analysis/student.h"

namespace n2nq::analysis {
namespace {

// Values within one step of the resolution are spread evenly over it.
double least_variance(const std::vector<double>& values, Scale scale) {
  const double step = scale == Scale::logarithm ? kResolution : mean_of(values) * kResolution;
  return step * step / 12;
}

}  // namespace

Result<Contrast> contrast_of(std::span<const Group> groups, Scale scale, double confidence) {
  double sum = 0, variance = 0, by_degrees = 0;
  Contrast contrast{.confidence = confidence};
  for (const Group& group : groups) {
    if (group.values.size() < kLeastRuns)
      return fail("fewer than " + std::to_string(kLeastRuns) + " runs of a point: no statement");
    std::vector<double> values = group.values;
    if (std::ranges::any_of(values, [scale](double value) {
          return !std::isfinite(value) || (scale == Scale::logarithm && !(value > 0));
        }))
      return fail("a run's figure is not above 0: its ratio to others is meaningless, no statement");
    if (scale == Scale::logarithm) std::ranges::transform(values, values.begin(), [](double v) { return std::log(v); });
    const auto runs = static_cast<double>(values.size());
    const double part =
        group.weight * group.weight * std::max(variance_of(values), least_variance(values, scale)) / runs;
    sum += group.weight * mean_of(values);
    variance += part;
    by_degrees += part * part / (runs - 1);
    contrast.runs += values.size();
  }
  if (groups.empty()) return fail("no runs: no statement");
  const double reach =
      variance > 0 ? student_bound(confidence, variance * variance / by_degrees) * std::sqrt(variance) : 0;
  const auto back = [scale](double value) { return scale == Scale::logarithm ? std::exp(value) : value; };
  contrast.estimate = back(sum);
  contrast.low = back(sum - reach);
  contrast.high = back(sum + reach);
  return contrast;
}

std::vector<double> slope_weights(std::span<const double> x) {
  const double middle = mean_of(x);
  double squares = 0;
  for (const double at : x) squares += (at - middle) * (at - middle);
  std::vector<double> weights;
  for (const double at : x) weights.push_back((at - middle) / squares);
  return weights;
}

}  // namespace n2nq::analysis
