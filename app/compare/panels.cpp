#include "app/compare/panels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace n2nq::compare {
namespace {

using figures::Axis;
using figures::Figure;
using figures::Point;
using figures::Series;

struct Extent {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  void take(double value) {
    if (!std::isfinite(value)) return;
    min = std::min(min, value);
    max = std::max(max, value);
  }
  bool empty() const { return min > max; }
};

void take_values(Extent& y, const Series& series) {
  for (size_t i = 0; i < series.points.size(); i++) {
    y.take(series.points[i].y);
    if (const figures::Interval* interval = series.interval_at(i)) {
      y.take(interval->low);
      y.take(interval->high);
    }
  }
  for (const figures::BoxMarks& box : series.boxes) {
    y.take(box.low_whisker);
    y.take(box.high_whisker);
    for (const double value : box.outside) y.take(value);
  }
  for (const auto& outline : series.outlines)
    for (const Point& at : outline) y.take(at.y);
  for (const auto& rain : series.rain)
    for (const double value : rain) y.take(value);
}

void fix(Axis& axis, const Extent& extent) {
  if (extent.empty() || axis.quantity == figures::Quantity::category) return;
  if (!axis.min) axis.min = axis.from_zero ? std::min(0.0, extent.min) : extent.min;
  if (!axis.max) axis.max = axis.from_zero ? std::max(0.0, extent.max) : extent.max;
}

std::string side_of(const Series& series) {
  return series.name.substr(0, series.name.find(' '));
}

// "A: quick, 3 runs", "A ± 3 us".
bool is_note_of(const std::string& side, const std::string& note) {
  return note.starts_with(side + ": ") || note.starts_with(side + " ± ");
}

// What is said of another side stands in that one's panel.
void keep_own_notes(Figure& panel, const std::string& side, const std::vector<std::string>& sides) {
  std::erase_if(panel.notes, [&](const std::string& note) {
    return !is_note_of(side, note) &&
           std::ranges::any_of(sides, [&](const auto& one) { return is_note_of(one, note); });
  });
}

// Categories that no point of the panel stands at are left out.
void keep_used_categories(Figure& panel) {
  if (panel.x.quantity != figures::Quantity::category) return;
  std::vector<std::string> used;
  std::vector<double> place(panel.x.categories.size(), -1);
  for (size_t i = 0; i < panel.x.categories.size(); i++) {
    const auto stands_here = [&](const Point& point) { return point.x == static_cast<double>(i); };
    const auto has_one = [&](const Series& series) { return std::ranges::any_of(series.points, stands_here); };
    if (std::ranges::none_of(panel.series, has_one)) continue;
    place[i] = static_cast<double>(used.size());
    used.push_back(panel.x.categories[i]);
  }
  for (Series& series : panel.series)
    for (Point& point : series.points) point.x = place[static_cast<size_t>(point.x)];
  panel.x.categories = std::move(used);
}

}  // namespace

std::vector<Figure> by_side(const Figure& figure) {
  std::vector<Figure> panels;
  std::vector<std::string> names;
  for (const Series& series : figure.series) {
    const std::string name = side_of(series);
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      names.push_back(name);
      panels.push_back(figure);
      panels.back().series.clear();
      panels.back().title += ", " + name;
      panels.back().series.push_back(series);
    } else {
      panels[static_cast<size_t>(found - names.begin())].series.push_back(series);
    }
  }
  for (size_t i = 0; i < panels.size(); i++) {
    keep_used_categories(panels[i]);
    keep_own_notes(panels[i], names[i], names);
  }
  return panels;
}

void share_axes(std::vector<Figure>& panels) {
  Extent x, y;
  for (const Figure& panel : panels) {
    for (const Series& series : panel.series) {
      for (const Point& point : series.points) x.take(point.x);
      take_values(y, series);
    }
  }
  for (Figure& panel : panels) {
    fix(panel.x, x);
    fix(panel.y, y);
  }
}

}  // namespace n2nq::compare
