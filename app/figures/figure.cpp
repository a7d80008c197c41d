#include "app/figures/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace n2nq::figures {
namespace {

constexpr double kFurthestTail = 12;  // 99.9999999999 %: beyond what a double tells apart from 100 %

constexpr std::array kHues{Hue::sender, Hue::receiver, Hue::queue, Hue::accent, Hue::neutral};
constexpr int kShades = 4;

constexpr double kMostReach = 3;  // times the highest point

constexpr QuantityForm kForms[] = {{Quantity::number, "number", ""},
                                   {Quantity::messages, "messages", ""},
                                   {Quantity::rate_per_s, "rate_per_s", "1/s", text::Unit::rate},
                                   {Quantity::duration_ns, "duration_ns", "ns", text::Unit::duration},
                                   {Quantity::time_ns, "time_ns", "ns"},
                                   {Quantity::bytes, "bytes", "B", text::Unit::bytes},
                                   {Quantity::mb_per_s, "mb_per_s", "MB/s", text::Unit{.name = "MB/s"}},
                                   {Quantity::percent, "percent", "%", text::Unit{.name = "%"}},
                                   {Quantity::percentile, "percentile", "%"},
                                   {Quantity::category, "category", ""}};

}  // namespace

const QuantityForm& form_of(Quantity quantity) {
  return *std::ranges::find(kForms, quantity, &QuantityForm::quantity);
}

void draw_as(Series& series, std::string name, size_t number) {
  series.name = std::move(name);
  series.hue = kHues[number % kHues.size()];
  series.shade = static_cast<int>(number / kHues.size() % kShades);
}

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

void keep_means_in_sight(Figure& figure) {
  double highest = 0, furthest = 0;
  for (const Series& one : figure.series)
    for (size_t i = 0; i < one.points.size(); i++) {
      highest = std::max(highest, one.points[i].y);
      if (const Interval* interval = one.interval_at(i)) furthest = std::max(furthest, interval->high);
    }
  if (highest <= 0 || furthest <= kMostReach * highest) return;
  figure.y.max = kMostReach * highest;
  figure.notes.emplace_back(
      "some confidence intervals extend beyond the upper edge: too few runs, or too much variation");
}

}  // namespace n2nq::figures
