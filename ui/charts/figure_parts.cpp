// What of a figure is drawn where, once its frame is known.
#include <QAreaSeries>
#include <QBarSeries>
#include <QBarSet>
#include <QFontMetricsF>
#include <QLineSeries>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/charts/bars.h"
#include "ui/charts/drawn_points.h"
#include "ui/charts/figure_chart.h"
#include "ui/charts/line_item.h"
#include "ui/charts/mark_item.h"
#include "ui/charts/marks.h"
#include "ui/charts/value_item.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Quantity;
using figures::Series;
using figures::Shape;

constexpr double kLonePoint = 0.02;  // of the axis that a single point is wide
constexpr double kBetweenValues = 4;
constexpr size_t kMostDots = 60;  // of a line whose points are seen one by one

}  // namespace

QList<QPointF> FigureChart::in_pixels(QList<QPointF> positions) const {
  for (QPointF& point : positions) point = frame_.to_pixel(point);
  return positions;
}

QList<double> FigureChart::gaps_in_pixels(const Series& series) const {
  QList<double> pixels;
  for (const double x : series.gaps) pixels.append(frame_.to_pixel({position(figure_.x, x), 0}).x());
  return pixels;
}

QList<QPointF> FigureChart::base_of(size_t band) const {
  const auto base = std::ranges::find(figure_.series, figure_.series[band].base, &Series::name);
  if (base == figure_.series.end()) return {};
  return drawn_points(drawn_[static_cast<size_t>(base - figure_.series.begin())]);
}

void FigureChart::fill_series() {
  std::vector<Line> lines;
  for (size_t i = 0; i < drawn_.size(); ++i) {
    Drawn& drawn = drawn_[i];
    if (drawn.kind == Kind::bars || drawn.kind == Kind::boxes) continue;
    QList<QPointF> points = is_hidden(i) ? QList<QPointF>() : drawn_points(drawn);
    if (is_line(drawn.kind)) {
      lines.push_back({.pen = drawn.pen, .points = in_pixels(std::move(points))});
      lines.back().gaps = gaps_in_pixels(figure_.series[i]);
      if (drawn.kind == Kind::dots) lines.back().kind = Line::Kind::dots;
      if (drawn.kind == Kind::band) {
        lines.back().kind = Line::Kind::band;
        if (!is_hidden(i)) lines.back().low = in_pixels(base_of(i));
      }
      continue;
    }
    for (QPointF& point : points) point = frame_.to_unit(point);
    QLineSeries* edge = drawn.area->upperSeries();
    if (points != edge->points()) edge->replace(points);
  }
  lines_->show(frame_.whole, frame_.plot, std::move(lines));
  if (bars_ != nullptr) fill_bars();
  fill_marks();
  fill_values();
}

// Of a line through a few measured points each is seen.
bool FigureChart::has_dots(size_t series) const {
  const Series& one = figure_.series[series];
  const Quantity x = figure_.x.quantity;
  return drawn_[series].kind == Kind::line && !one.behind && one.points.size() <= kMostDots && x != Quantity::time_ns &&
         x != Quantity::percentile && x != Quantity::duration_ns;
}

void FigureChart::fill_marks() {
  std::vector<Mark> marks;
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const Series& series = figure_.series[i];
    const bool boxes = drawn_[i].kind == Kind::boxes;
    if (is_hidden(i) || (!boxes && !series.has_intervals() && !has_dots(i))) continue;
    QColor color = look_.color(series);
    if (is_faded(series)) color.setAlpha(kFadedAlpha);
    const auto pixel = [&](const QPointF& at) { return anchor(i, at); };
    if (boxes) {
      std::ranges::move(box_marks(figure_, series, pixel, {.color = color, .background = look_.background()}),
                        std::back_inserter(marks));
      continue;
    }
    const bool on_line = is_line(drawn_[i].kind);
    const IntervalLook look{.in_sight = frame_.y,
                            .color = on_line ? color : look_.text(),
                            .halo = on_line ? QColor() : look_.background(),
                            .dots = on_line};
    for (Mark& mark : interval_marks(figure_, series, pixel, look)) marks.push_back(std::move(mark));
  }
  marks_->show(frame_.whole, frame_.plot, std::move(marks));
}

QList<QPointF> FigureChart::drawn_points(const Drawn& drawn) const {
  const auto points = thinned(in_sight(drawn.points, frame_.x), look_.most_points);
  switch (drawn.kind) {
    case Kind::steps:
      return as_steps(points);
    case Kind::category_steps:
      return as_category_steps(points);
    case Kind::blocks:
      return as_blocks(points);
    case Kind::dots:
      return {points.begin(), points.end()};
    default:
      return as_line(points, frame_.x.size() * kLonePoint);
  }
}

// In bulk: a signal for each value would cost ten times as much. Bars stand on zero or, where that is not in sight, on
// the edge of the plot, and none leaves it: not every format of a file can cut off what does.
void FigureChart::fill_bars() {
  const Span& y = frame_.y;
  const double foot = std::clamp(0.0, y.min, y.max);
  bars_x_->setRange(frame_.x.min, frame_.x.max);
  bars_y_->setRange(y.min - foot, y.max - foot);
  const auto count = static_cast<int>(figure_.x.categories.size());
  int bar_set = 0;
  for (const Drawn& drawn : drawn_) {
    if (drawn.kind != Kind::bars) continue;
    QList<qreal> values(count, 0.0);
    for (const QPointF& point : drawn.points) {
      const auto category = static_cast<int>(std::lround(point.x()));
      if (category >= 0 && category < count) values[category] = std::clamp(point.y(), y.min, y.max) - foot;
    }
    QBarSet* set = bars_->barSets().at(bar_set++);
    bool same = set->count() == count;
    for (int i = 0; same && i < count; ++i) same = set->at(i) == values[i];
    if (same) continue;
    set->remove(0, set->count());
    set->append(values);
  }
}

// Over each bar its value, where all of them find room.
void FigureChart::fill_values() {
  std::vector<ValueText> texts;
  const QFontMetricsF metrics(look_.font);
  const bool alone = bars_ != nullptr && bars_stand_alone(figure_);
  const double sets = alone ? 1 : static_cast<double>(std::max<size_t>(1, drawn_.size()));
  const double room = frame_.plot.width() / frame_.x.size() / sets;
  for (size_t i = 0; bars_ != nullptr && i < drawn_.size(); ++i) {
    if (drawn_[i].kind != Kind::bars || is_hidden(i)) continue;
    for (size_t k = 0; k < figure_.series[i].points.size(); ++k) {
      const figures::Point& point = figure_.series[i].points[k];
      const QPointF top = anchor(i, {position(figure_.x, point.x), position(figure_.y, point.y)});
      const bool in_sight = std::isfinite(point.y) && frame_.plot.contains(top);
      if (!in_sight || figure_.series[i].interval_at(k)) continue;
      texts.push_back({.at = top, .text = bare_value_text(figure_.y, frame_.y, point.y)});
      if (metrics.horizontalAdvance(texts.back().text) + kBetweenValues > room) return values_->show({});
    }
  }
  values_->show(std::move(texts));
}

QPointF FigureChart::anchor(size_t series, const QPointF& position) const {
  const Drawn& drawn = drawn_[series];
  if (drawn.kind != Kind::bars || bars_stand_alone(figure_)) return frame_.to_pixel(position);
  const auto sets = static_cast<double>(drawn_.size());
  const double offset = ((static_cast<double>(series) + 0.5) / sets - 0.5) * kBarShare;
  return frame_.to_pixel({position.x() + offset, position.y()});
}

}  // namespace n2nq::ui::charts
