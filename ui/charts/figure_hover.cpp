// What a chart says of the point that the pointer is near to.
#include <cmath>
#include <limits>

#include "ui/charts/figure_chart.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Series;

QString labelled(const figures::Axis& axis, double value) {
  const QString text = value_text(axis, value);
  const QString label = theme::qt(axis.label);
  return label.isEmpty() || text.endsWith(label) ? text : QString("%1 %2").arg(label, text);
}

}  // namespace

// The nearest column of points first, in it the nearest point: so there is an answer wherever the pointer is.
std::optional<FigureChart::Hit> FigureChart::nearest(const QPointF& pixel) const {
  if (!frame_.plot.contains(pixel)) return std::nullopt;
  auto best_distance = std::pair{std::numeric_limits<double>::infinity(), 0.0};
  auto best = std::pair<size_t, size_t>{};
  QPointF best_at;
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const auto& points = figure_.series[i].points;
    for (size_t k = 0; k < points.size(); ++k) {
      const double x = position(figure_.x, points[k].x);
      if (!frame_.x.contains(x) || !std::isfinite(points[k].y)) continue;
      const QPointF at = anchor(i, {x, position(figure_.y, points[k].y)});
      const auto distance = std::pair{std::round(std::fabs(at.x() - pixel.x())), std::fabs(at.y() - pixel.y())};
      if (distance >= best_distance) continue;
      best_distance = distance;
      best = {i, k};
      best_at = at;
    }
  }
  if (std::isinf(best_distance.first)) return std::nullopt;
  const auto [series, point] = best;
  return Hit{.pixel = best_at, .text = text_of(series, point), .color = look_.color(figure_.series[series])};
}

QString FigureChart::text_of(size_t series, size_t point) const {
  const Series& of = figure_.series[series];
  QStringList lines;
  if (!of.name.empty()) lines.append(theme::qt(of.name));
  const bool named = !of.value_name.empty();
  if (!named && point < of.notes.size() && !of.notes[point].empty()) lines.append(theme::qt(of.notes[point]));
  lines.append(labelled(figure_.x, of.points[point].x));
  lines.append(named ? value_line(of, point) : labelled(figure_.y, of.points[point].y));
  return lines.join('\n');
}

// "mean 84.1 us, 95 % CI 80.0 to 88.2 us, 3 runs"
QString FigureChart::value_line(const Series& series, size_t point) const {
  QStringList parts{theme::qt(series.value_name) + ' ' + value_text(figure_.y, series.points[point].y)};
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
