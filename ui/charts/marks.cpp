#include "ui/charts/marks.h"

#include <cmath>

namespace n2nq::charts {
namespace {

using results::Figure;
using results::Interval;
using results::Series;

constexpr double kCap = 4;  // half of an error bar's end
constexpr double kDot = 3;  // radius
constexpr double kBarWidth = 1.25;
constexpr double kHaloWidth = 3.5;

}  // namespace

std::vector<Reach> reaches(const Figure& figure, const Series& series) {
  std::vector<Reach> all;
  for (size_t i = 0; i < series.points.size(); ++i) {
    const Interval* interval = series.interval_at(i);
    if (interval == nullptr) continue;
    const Reach reach{.x = position(figure.x, series.points[i].x),
                      .y = {position(figure.y, interval->low), position(figure.y, interval->high)}};
    if (std::isfinite(reach.x) && std::isfinite(reach.y.min) && std::isfinite(reach.y.max)) all.push_back(reach);
  }
  return all;
}

std::vector<Mark> interval_marks(const Figure& figure, const Series& series, const ToPixel& pixel,
                                 const IntervalLook& look) {
  std::vector<Mark> marks;
  QPainterPath bars;
  for (const Reach& reach : reaches(figure, series)) {
    const QPointF low = pixel({reach.x, reach.y.min});
    const QPointF high = pixel({reach.x, reach.y.max});
    bars.moveTo(low);
    bars.lineTo(high);
    for (const QPointF& end : {low, high}) {
      bars.moveTo(end - QPointF(kCap, 0));
      bars.lineTo(end + QPointF(kCap, 0));
    }
  }
  if (!bars.isEmpty() && look.halo.isValid())
    marks.push_back({.path = bars, .pen = QPen(look.halo, kHaloWidth), .brush = Qt::NoBrush});
  if (!bars.isEmpty()) marks.push_back({.path = bars, .pen = QPen(look.color, kBarWidth), .brush = Qt::NoBrush});
  if (!look.dots) return marks;
  QPainterPath dots;
  for (const results::Point& point : series.points) {
    const QPointF at(position(figure.x, point.x), position(figure.y, point.y));
    if (std::isfinite(at.x()) && std::isfinite(at.y())) dots.addEllipse(pixel(at), kDot, kDot);
  }
  dots.setFillRule(Qt::WindingFill);
  if (!dots.isEmpty()) marks.push_back({.path = dots, .pen = Qt::NoPen, .brush = look.color});
  return marks;
}

}  // namespace n2nq::charts
