#include "app/results/figure.h"

#include <algorithm>
#include <cmath>

namespace n2nq::results {
namespace {

constexpr double kFurthestTail = 12;  // 99.9999999999 %: beyond what a double tells apart from 100 %

}  // namespace

double tail_position(double percentile) {
  const double rest = (100 - std::clamp(percentile, 0.0, 100.0)) / 100;
  return rest <= 0 ? kFurthestTail : std::min(-std::log10(rest), kFurthestTail);
}

double percentile_at(double tail_position) {
  return 100 - 100 * std::pow(10, -std::clamp(tail_position, 0.0, kFurthestTail));
}

const Interval* Series::interval_at(size_t point) const {
  return point < intervals.size() && intervals[point] ? &*intervals[point] : nullptr;
}

bool Series::has_intervals() const {
  return std::ranges::any_of(intervals, [](const auto& interval) { return interval.has_value(); });
}

bool Figure::empty() const {
  return std::ranges::all_of(series, [](const Series& one) { return one.points.empty(); });
}

}  // namespace n2nq::results
