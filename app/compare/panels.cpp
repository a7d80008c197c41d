#include "app/compare/panels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "app/text/quantity.h"

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
  void take(const Extent& other) {
    take(other.min);
    take(other.max);
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

// Of what is drawn; where the axis ends by itself, that is its end.
Extent extent_of(const Figure& panel, Axis Figure::* which) {
  Extent extent;
  for (const Series& series : panel.series) {
    if (which == &Figure::y)
      take_values(extent, series);
    else
      for (const Point& point : series.points) extent.take(point.x);
  }
  const Axis& axis = panel.*which;
  if (extent.empty()) return extent;
  if (axis.from_zero && !axis.by_decades) extent.take(0);
  if (axis.min) extent.min = *axis.min;
  if (axis.max) extent.max = *axis.max;
  return extent;
}

void fix(Axis& axis, const Extent& extent) {
  if (extent.empty() || axis.quantity == figures::Quantity::category) return;
  axis.min = extent.min;
  axis.max = extent.max;
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

void show_part(Figure& figure, const AxisPart& part) {
  bool any = false;
  for (Axis* axis : {&figure.x, &figure.y}) {
    if (!part.any() || axis->quantity != figures::Quantity::duration_ns) continue;
    any = true;
    if (part.from_ns > 0 || !axis->by_decades) axis->min = static_cast<double>(part.from_ns);
    axis->max = static_cast<double>(part.to_ns);
    axis->from_zero = false;
    axis->decided = true;
  }
  if (any)
    figure.notes.push_back("in sight: latencies from " + text::duration(static_cast<double>(part.from_ns)) + " to " +
                           text::duration(static_cast<double>(part.to_ns)) + " (a setting of this view)");
}

void share_axes(std::vector<Figure>& panels) {
  for (Axis Figure::* axis : {&Figure::x, &Figure::y}) {
    std::map<figures::Quantity, Extent> extents;
    for (const Figure& panel : panels) extents[(panel.*axis).quantity].take(extent_of(panel, axis));
    for (Figure& panel : panels) fix(panel.*axis, extents[(panel.*axis).quantity]);
  }
}

}  // namespace n2nq::compare
