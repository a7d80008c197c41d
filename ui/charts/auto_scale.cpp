#include "ui/charts/auto_scale.h"

#include <algorithm>
#include <cmath>

namespace n2nq::ui::charts {
namespace {

using figures::Figure;
using figures::Series;

constexpr double kNoLongerWide = 5;  // times the median

const figures::Axis& asked_axis(const Figure& figure) {
  return is_along_x(figure) ? figure.x : figure.y;
}

double value_of(const figures::Point& point, bool along_x) {
  return along_x ? point.x : point.y;
}

struct Spread {
  double median = 0;
  double longest = 0;
};

void take_boxes(const Series& series, double& longest) {
  for (const figures::BoxMarks& box : series.boxes) {
    longest = std::max(longest, box.high_whisker);
    if (!box.outside.empty()) longest = std::max(longest, box.outside.back());
  }
  for (const auto& values : series.rain)
    for (const double value : values) longest = std::max(longest, value);
}

// Where x is a percentile the median is in the picture; else it is that of the values.
double median_of(const Figure& figure, const Series& series, bool along_x) {
  if (figure.x.quantity == figures::Quantity::percentile && !along_x) {
    const auto half = std::ranges::find_if(series.points, [](const figures::Point& at) { return at.x >= 50; });
    return half == series.points.end() ? series.points.back().y : half->y;
  }
  std::vector<double> values;
  for (const figures::Point& point : series.points) values.push_back(value_of(point, along_x));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The median is that of the lowest series: what lies there would be flattened.
Spread spread_of(const Figure& figure, const std::vector<bool>& hidden, bool along_x) {
  Spread spread;
  bool first = true;
  for (size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    if ((i < hidden.size() && hidden[i]) || series.behind || series.points.empty()) continue;
    for (const figures::Point& point : series.points)
      if (const double value = value_of(point, along_x); std::isfinite(value))
        spread.longest = std::max(spread.longest, value);
    if (!along_x) take_boxes(series, spread.longest);
    const double median = median_of(figure, series, along_x);
    if (first || median < spread.median) spread.median = median;
    first = false;
  }
  return spread;
}

bool has_negative(const Figure& figure, bool along_x) {
  return std::ranges::any_of(figure.series, [along_x](const Series& series) {
    const auto negative = [along_x](const figures::Point& point) { return value_of(point, along_x) < 0; };
    return std::ranges::any_of(series.points, negative) ||
           (!along_x && std::ranges::any_of(series.boxes, [](const auto& box) { return box.low_whisker < 0; }));
  });
}

}  // namespace

bool is_along_x(const Figure& figure) {
  return figure.x.log_if_wide;
}

bool can_be_logarithmic(const Figure& figure) {
  using figures::Quantity;
  const Quantity quantity = asked_axis(figure).quantity;
  const bool numbers = quantity != Quantity::category && quantity != Quantity::percentile;
  return numbers && !figure.empty() && !has_negative(figure, is_along_x(figure));
}

bool is_logarithmic(const Figure& figure, const std::vector<bool>& hidden, ScaleChoice choice, bool was) {
  const figures::Axis& axis = asked_axis(figure);
  if (choice == ScaleChoice::automatic && (axis.by_decades || axis.decided || !axis.log_if_wide))
    return axis.by_decades;
  if (choice == ScaleChoice::linear || !can_be_logarithmic(figure)) return false;
  if (choice == ScaleChoice::logarithmic) return true;
  const Spread spread = spread_of(figure, hidden, is_along_x(figure));
  return spread.median > 0 && spread.longest > (was ? kNoLongerWide : figures::kFarBeyond) * spread.median;
}

}  // namespace n2nq::ui::charts
