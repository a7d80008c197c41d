// What a chart says of the points that the pointer is near to.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/charts/figure_chart.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Series;

constexpr double kSameColumn = 6;  // pixels that points of one moment are apart, at most

QString labelled(const figures::Axis& axis, double value) {
  const QString text = value_text(axis, value);
  const QString label = theme::qt(axis.label);
  if (axis.quantity == figures::Quantity::time_ns || label.isEmpty() || text.endsWith(label)) return text;
  return QString("%1 %2").arg(label, text);
}

QString note_of(const Series& series, size_t point) {
  const bool has = series.value_name.empty() && point < series.notes.size();
  return has ? theme::qt(series.notes[point]) : QString();
}

// Half way to the nearer of its neighbours: beyond that nothing is known, or another point stands for it.
double own_reach(const figures::Axis& axis, const figures::Series& series, size_t point) {
  double nearer = std::numeric_limits<double>::infinity();
  const auto apart = [&](size_t other) {
    return std::fabs(position(axis, series.points[other].x) - position(axis, series.points[point].x));
  };
  if (point > 0) nearer = apart(point - 1);
  if (point + 1 < series.points.size()) nearer = std::min(nearer, apart(point + 1));
  return std::isinf(nearer) ? 0 : nearer / 2 * (1 + 1e-9);
}

}  // namespace

QString FigureChart::Hit::text() const {
  QStringList lines{heading};
  for (const Row& row : rows) lines.append(row.name.isEmpty() ? row.value : row.name + ' ' + row.value);
  if (!hint.isEmpty()) lines.append(hint);
  return lines.join('\n');
}

// The nearest column of points first, in it the nearest point: so there is an answer wherever the pointer is.
std::optional<FigureChart::Hit> FigureChart::nearest(const QPointF& pixel) const {
  if (!frame_.plot.contains(pixel)) return std::nullopt;
  auto best_distance = std::pair{std::numeric_limits<double>::infinity(), 0.0};
  QPointF best_at;
  double best_x = 0;
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const auto& points = figure_.series[i].points;
    for (size_t k = 0; k < points.size() && !is_hidden(i) && !figure_.series[i].behind; ++k) {
      const double x = position(figure_.x, points[k].x);
      if (!frame_.x.contains(x) || !std::isfinite(points[k].y)) continue;
      const QPointF at = anchor(i, {x, position(figure_.y, points[k].y)});
      const auto distance = std::pair{std::round(std::fabs(at.x() - pixel.x())), std::fabs(at.y() - pixel.y())};
      if (distance >= best_distance) continue;
      best_distance = distance;
      best_at = at;
      best_x = x;
    }
  }
  if (std::isinf(best_distance.first)) return std::nullopt;
  auto hit = hit_at(best_x, kSameColumn);
  if (hit) hit->pixel = best_at;
  return hit;
}

std::optional<FigureChart::Hit> FigureChart::at(double x) const {
  if (!frame_.x.contains(x)) return std::nullopt;
  auto hit = hit_at(x, kSameColumn);
  if (!hit) hit = Hit{.x = x, .pixel = {frame_.to_pixel({x, 0}).x(), frame_.plot.top()}};
  return hit;
}

FigureChart::Hit FigureChart::around(double x) const {
  auto hit = hit_at(x, kSameColumn, /*own=*/true);
  if (!hit) hit = Hit{.pixel = {frame_.to_pixel({x, 0}).x(), frame_.plot.top()}};
  hit->x = x;
  return *hit;
}

std::optional<FigureChart::Hit> FigureChart::hit_at(double x, double within, bool own) const {
  Hit hit{.x = x, .pixel = {frame_.to_pixel({x, 0}).x(), frame_.plot.bottom()}};
  QStringList notes;
  double heading = 0;
  double nearest_x = std::numeric_limits<double>::infinity();
  const double per_pixel = frame_.x.size() / frame_.plot.width();
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const Series& series = figure_.series[i];
    if (is_hidden(i)) continue;
    std::optional<size_t> found;
    const double column = within * per_pixel * (1 + 1e-9);
    double best = own ? std::numeric_limits<double>::infinity() : column;
    for (size_t k = 0; k < series.points.size(); ++k) {
      const double apart = std::fabs(position(figure_.x, series.points[k].x) - x);
      if (!std::isfinite(series.points[k].y) || apart > best) continue;
      best = apart;
      found = k;
    }
    if (found && own && best > std::max(column, own_reach(figure_.x, series, *found))) continue;
    if (!found) continue;
    const figures::Point& point = series.points[*found];
    if (best < nearest_x && !series.behind) {
      nearest_x = best;
      heading = point.x;
    }
    notes.append(note_of(series, *found));
    hit.rows.push_back({.name = theme::qt(series.name),
                        .value = value_line(series, *found),
                        .color = look_.color(series),
                        .pixel = anchor(i, {position(figure_.x, point.x), position(figure_.y, point.y)})});
  }
  if (hit.rows.empty() || std::isinf(nearest_x)) return std::nullopt;
  const bool one_note = !notes.front().isEmpty() && notes.count(notes.front()) == notes.size();
  hit.heading = one_note ? notes.front() : labelled(figure_.x, heading);
  for (qsizetype i = 0; i < notes.size() && !one_note; ++i)
    if (!notes[i].isEmpty()) hit.rows[static_cast<size_t>(i)].value += QString(" (%1)").arg(notes[i]);
  // As they lie over each other in the picture.
  std::ranges::stable_sort(hit.rows, {}, [](const Row& row) { return row.pixel.y(); });
  return hit;
}

std::optional<FigureChart::Hit> FigureChart::highest(bool to_message) const {
  const QPointF* best = nullptr;
  size_t of = 0;
  for (size_t i = 0; i < drawn_.size(); ++i) {
    if (is_hidden(i) || figure_.series[i].behind || (to_message && figure_.series[i].on_demand)) continue;
    for (const QPointF& point : drawn_[i].points) {
      if (!frame_.x.contains(point.x()) || !frame_.y.contains(point.y()) || (best && point.y() <= best->y())) continue;
      best = &point;
      of = i;
    }
  }
  if (best == nullptr) return std::nullopt;
  auto hit = hit_at(best->x(), kSameColumn);
  if (hit) hit->pixel = anchor(of, *best);
  return hit;
}

std::optional<FigureChart::Hit> FigureChart::beside(const std::optional<Hit>& hit, int direction) const {
  const double none = std::numeric_limits<double>::infinity();
  const double from = hit ? hit->x : direction > 0 ? -none : none;
  double best = none;
  for (size_t i = 0; i < drawn_.size(); ++i) {
    if (is_hidden(i) || figure_.series[i].behind) continue;
    for (const QPointF& point : drawn_[i].points) {
      const double ahead = (point.x() - from) * direction;
      const bool nearer = !(ahead <= 0) && (std::isinf(best) || (point.x() - best) * direction < 0);
      if (frame_.x.contains(point.x()) && nearer) best = point.x();
    }
  }
  return std::isinf(best) ? hit : hit_at(best, kSameColumn);
}

std::optional<size_t> FigureChart::legend_entry_at(const QPointF& pixel) const {
  for (const LegendEntry& entry : frame_.legend)
    if (entry.area.contains(pixel)) return entry.series;
  return std::nullopt;
}

// "84.1 us"; "mean 84.1 us, 95 % CI 80.0 to 88.2 us, 3 runs"
QString FigureChart::value_line(const Series& series, size_t point) const {
  const QString value = value_text(figure_.y, series.points[point].y);
  if (series.value_name.empty()) return value;
  QStringList parts{theme::qt(series.value_name) + ' ' + value};
  if (point < series.boxes.size()) {
    const figures::BoxMarks& box = series.boxes[point];
    parts.append("quartiles " + range_text(figure_.y, box.lower_quartile, box.upper_quartile));
    parts.append(theme::qt(series.interval_name) + ' ' + range_text(figure_.y, box.low_whisker, box.high_whisker));
  }
  if (const figures::Interval* interval = series.interval_at(point))
    parts.append(theme::qt(series.interval_name) + ' ' + range_text(figure_.y, interval->low, interval->high));
  if (point < series.notes.size() && !series.notes[point].empty()) parts.append(theme::qt(series.notes[point]));
  return parts.join(", ");
}

}  // namespace n2nq::ui::charts
