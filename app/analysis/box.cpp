#include "app/analysis/box.h"

#include <algorithm>

#include "app/analysis/mean_interval.h"

namespace n2nq::analysis {
namespace {

struct Bounds {
  double low = 0;
  double high = 0;
};

Bounds bounds_of(std::span<const double> ascending, const Box& box, Whiskers whiskers) {
  switch (whiskers) {
    case Whiskers::extremes:
      return {ascending.front(), ascending.back()};
    case Whiskers::p5_p95:
      return {quantile_of(ascending, 0.05), quantile_of(ascending, 0.95)};
    case Whiskers::p1_p99:
      return {quantile_of(ascending, 0.01), quantile_of(ascending, 0.99)};
    case Whiskers::tukey:
      break;
  }
  const double far = 1.5 * (box.upper_quartile - box.lower_quartile);
  // The quartiles lie between values, so that there is one on their inner side at least.
  const auto low = std::ranges::lower_bound(ascending, box.lower_quartile - far);
  const auto high = std::ranges::upper_bound(ascending, box.upper_quartile + far);
  return {std::min(*low, box.lower_quartile), std::max(*(high - 1), box.upper_quartile)};
}

}  // namespace

double quantile_of(std::span<const double> ascending, double q) {
  const double at = q * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (ascending[above] - ascending[below]) * (at - static_cast<double>(below));
}

std::optional<Box> box_of(std::span<const double> values, Whiskers whiskers) {
  if (values.empty()) return std::nullopt;
  std::vector<double> ascending(values.begin(), values.end());
  std::ranges::sort(ascending);
  Box box{.count = ascending.size(),
          .lower_quartile = quantile_of(ascending, 0.25),
          .median = quantile_of(ascending, 0.5),
          .upper_quartile = quantile_of(ascending, 0.75),
          .mean = mean_of(ascending)};
  const Bounds bounds = bounds_of(ascending, box, whiskers);
  box.low_whisker = bounds.low;
  box.high_whisker = bounds.high;
  for (const double value : ascending)
    if (value < bounds.low || value > bounds.high) box.outside.push_back(value);
  return box;
}

}  // namespace n2nq::analysis
