#include "ui/charts/marks.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace n2nq::ui::charts {
namespace {

using figures::Figure;
using figures::Interval;
using figures::Series;

constexpr double kCap = 4;  // half of an error bar's end
constexpr double kDot = 3;  // radius
constexpr double kErrorBarWidth = 1.25;
constexpr double kHaloWidth = 3.5;

// Shares of a category, from its middle.
constexpr double kBoxHalf = 0.22;
constexpr double kSlimHalf = 0.035;
constexpr double kCloudFrom = 0.06;
constexpr double kCloudWidth = 0.36;
constexpr double kRainAt = -0.16;
constexpr int kFillAlpha = 70;
constexpr int kOutsideAlpha = 170;
constexpr double kOutlineWidth = 1.5;
constexpr double kOutsideDot = 2;

std::optional<Span> extent_of(const Series& series, size_t point) {
  std::optional<Span> extent;
  const auto take = [&](double low, double high) {
    const Span span{low, high};
    extent = extent ? united(*extent, span) : span;
  };
  if (const Interval* interval = series.interval_at(point)) take(interval->low, interval->high);
  if (point < series.boxes.size()) {
    const figures::BoxMarks& box = series.boxes[point];
    take(box.low_whisker, box.high_whisker);
    if (!box.outside.empty()) take(box.outside.front(), box.outside.back());
  }
  if (point < series.outlines.size() && !series.outlines[point].empty())
    take(series.outlines[point].front().y, series.outlines[point].back().y);
  if (point < series.rain.size())
    for (const double value : series.rain[point]) take(value, value);
  return extent;
}

// A cap or, where the interval goes on, the point of an arrow: `back` is how far its sides reach back up (negative) or
// down into the picture.
void add_end(QPainterPath& path, const QPointF& end, double back) {
  if (back == 0) {
    path.moveTo(end - QPointF(kCap, 0));
    path.lineTo(end + QPointF(kCap, 0));
    return;
  }
  path.moveTo(end + QPointF(-kCap, -1.5 * back));
  path.lineTo(end);
  path.lineTo(end + QPointF(kCap, -1.5 * back));
}

// Draws what belongs to one category.
class BoxPen {
 public:
  BoxPen(const Figure& figure, const ToPixel& pixel, double x) : figure_(figure), pixel_(pixel), x_(x) {}

  QPointF at(double beside, double value) const { return pixel_({x_ + beside, position(figure_.y, value)}); }
  void box(QPainterPath& path, const figures::BoxMarks& box, double half) const {
    path.addRect(QRectF(at(-half, box.upper_quartile), at(half, box.lower_quartile)).normalized());
  }
  void whiskers(QPainterPath& path, const figures::BoxMarks& box, double half) const {
    line(path, at(0, box.lower_quartile), at(0, box.low_whisker));
    line(path, at(0, box.upper_quartile), at(0, box.high_whisker));
    for (const double end : {box.low_whisker, box.high_whisker}) line(path, at(-half / 2, end), at(half / 2, end));
  }
  void median(QPainterPath& path, double value, double half) const { line(path, at(-half, value), at(half, value)); }
  void dots(QPainterPath& path, const std::vector<double>& values, double beside, double radius) const {
    for (const double value : values) path.addEllipse(at(beside, value), radius, radius);
  }
  void cloud(QPainterPath& path, const std::vector<figures::Point>& outline) const {
    if (outline.empty()) return;
    path.moveTo(at(kCloudFrom, outline.front().y));
    for (const figures::Point& one : outline) path.lineTo(at(kCloudFrom + one.x * kCloudWidth, one.y));
    path.lineTo(at(kCloudFrom, outline.back().y));
    path.closeSubpath();
  }

 private:
  static void line(QPainterPath& path, const QPointF& from, const QPointF& to) {
    path.moveTo(from);
    path.lineTo(to);
  }

  const Figure& figure_;
  const ToPixel& pixel_;
  double x_;
};

}  // namespace

std::vector<IntervalReach> reaches(const Figure& figure, const Series& series) {
  std::vector<IntervalReach> all;
  for (size_t i = 0; i < series.points.size(); ++i) {
    const auto extent = extent_of(series, i);
    if (!extent) continue;
    const IntervalReach reach{.x = position(figure.x, series.points[i].x),
                              .y = {position(figure.y, extent->min), position(figure.y, extent->max)}};
    if (std::isfinite(reach.x) && std::isfinite(reach.y.min) && std::isfinite(reach.y.max)) all.push_back(reach);
  }
  return all;
}

std::vector<Mark> interval_marks(const Figure& figure, const Series& series, const ToPixel& pixel,
                                 const IntervalLook& look) {
  std::vector<Mark> marks;
  QPainterPath bars;
  for (size_t i = 0; i < series.points.size(); ++i) {
    const Interval* interval = series.interval_at(i);
    if (interval == nullptr || !std::isfinite(interval->low) || !std::isfinite(interval->high)) continue;
    const double x = position(figure.x, series.points[i].x);
    const double low = position(figure.y, interval->low);
    const double high = position(figure.y, interval->high);
    if (high < look.in_sight.min || low > look.in_sight.max) continue;
    const QPointF foot = pixel({x, std::max(low, look.in_sight.min)});
    const QPointF head = pixel({x, std::min(high, look.in_sight.max)});
    bars.moveTo(foot);
    bars.lineTo(head);
    add_end(bars, foot, low >= look.in_sight.min ? 0 : kCap);
    add_end(bars, head, high <= look.in_sight.max ? 0 : -kCap);
  }
  if (!bars.isEmpty() && look.halo.isValid())
    marks.push_back({.path = bars, .pen = QPen(look.halo, kHaloWidth), .brush = Qt::NoBrush});
  if (!bars.isEmpty()) marks.push_back({.path = bars, .pen = QPen(look.color, kErrorBarWidth), .brush = Qt::NoBrush});
  if (!look.dots) return marks;
  QPainterPath dots;
  for (const figures::Point& point : series.points) {
    const QPointF at(position(figure.x, point.x), position(figure.y, point.y));
    if (std::isfinite(at.x()) && std::isfinite(at.y())) dots.addEllipse(pixel(at), kDot, kDot);
  }
  dots.setFillRule(Qt::WindingFill);
  if (!dots.isEmpty()) marks.push_back({.path = dots, .pen = Qt::NoPen, .brush = look.color});
  return marks;
}

std::vector<Mark> box_marks(const Figure& figure, const Series& series, const ToPixel& pixel, const BoxLook& look) {
  const bool violins = series.shape == figures::Shape::violins;
  const double half = violins ? kSlimHalf : kBoxHalf;
  QPainterPath clouds, whiskers, boxes, medians, outside, rain;
  for (size_t i = 0; i < series.points.size() && i < series.boxes.size(); ++i) {
    const BoxPen pen(figure, pixel, position(figure.x, series.points[i].x));
    if (i < series.outlines.size()) pen.cloud(clouds, series.outlines[i]);
    pen.whiskers(whiskers, series.boxes[i], half);
    pen.box(boxes, series.boxes[i], half);
    pen.median(medians, series.points[i].y, half);
    pen.dots(outside, series.boxes[i].outside, 0, kOutsideDot);
    if (i < series.rain.size()) pen.dots(rain, series.rain[i], kRainAt, kDot);
  }
  QColor pale = look.color;
  pale.setAlpha(std::min(look.color.alpha(), kFillAlpha));
  QColor visible = look.color;
  visible.setAlpha(std::min(look.color.alpha(), kOutsideAlpha));
  const QPen outline(look.color, kOutlineWidth);
  outside.setFillRule(Qt::WindingFill);
  rain.setFillRule(Qt::WindingFill);
  std::vector<Mark> marks{{.path = clouds, .pen = QPen(look.color, 1), .brush = pale},
                          {.path = whiskers, .pen = outline, .brush = Qt::NoBrush},
                          {.path = boxes, .pen = Qt::NoPen, .brush = look.background},  // no whisker shines through
                          {.path = boxes, .pen = outline, .brush = pale},
                          {.path = medians, .pen = QPen(look.color, 2 * kOutlineWidth), .brush = Qt::NoBrush},
                          {.path = outside, .pen = Qt::NoPen, .brush = visible},
                          {.path = rain, .pen = Qt::NoPen, .brush = look.color}};
  std::erase_if(marks, [](const Mark& mark) { return mark.path.isEmpty(); });
  return marks;
}

}  // namespace n2nq::ui::charts
