#include "ui/theme/shapes.h"

#include <QPainter>
#include <QPolygonF>
#include <QRegion>
#include <algorithm>
#include <cmath>
#include <limits>

namespace n2nq::ui::theme {
namespace {

constexpr double kTrendWidth = 1.5;
constexpr double kLeastTrendRange = 0.25;  // of the greatest: what is steady looks steady

}  // namespace

void draw_round(QPainter& painter, const QRectF& rect, double radius, const QColor& fill, const QColor& edge,
                double width) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(fill.alpha() == 0 ? QBrush(Qt::NoBrush) : QBrush(fill));
  const bool edged = edge.alpha() != 0;
  painter.setPen(edged ? QPen(edge, width) : QPen(Qt::NoPen));
  const double inset = edged ? width / 2 : 0;
  painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset);
  painter.restore();
}

void draw_ground(QPainter& painter, const QRegion& exposed, const QRect& rect, double radius, const QColor& fill,
                 const QColor& edge, double width) {
  const int corner = static_cast<int>(std::ceil(radius));
  const int border = static_cast<int>(std::ceil(width));
  const QRect across = rect.adjusted(border, corner, -border, -corner);
  const QRect down = rect.adjusted(corner, border, -corner, -border);
  const auto within = [&](const QRect& part) { return across.contains(part) || down.contains(part); };
  if (!std::ranges::all_of(exposed, within)) return draw_round(painter, rect, radius, fill, edge, width);
  for (const QRect& part : exposed) painter.fillRect(part, fill);
}

void draw_arrow(QPainter& painter, const QRectF& rect, Qt::ArrowType to, const QColor& color) {
  const QPointF middle = rect.center();
  const double half = rect.width() / 2;
  const double tip = to == Qt::DownArrow || to == Qt::RightArrow ? half / 2 : -half / 2;
  QPolygonF line;
  if (to == Qt::UpArrow || to == Qt::DownArrow)
    line << middle + QPointF(-half, -tip) << middle + QPointF(0, tip) << middle + QPointF(half, -tip);
  else
    line << middle + QPointF(-tip, -half) << middle + QPointF(tip, 0) << middle + QPointF(-tip, half);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(line);
  painter.restore();
}

TrendRange trend_range(std::span<const double> values) {
  TrendRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.least = std::min(range.least, value);
    range.greatest = std::max(range.greatest, value);
  }
  if (range.least > range.greatest) return range;
  const double size = kLeastTrendRange * std::max(std::fabs(range.least), std::fabs(range.greatest));
  if (range.greatest - range.least >= size) return range;
  const double middle = (range.least + range.greatest) / 2;
  return {middle - size / 2, middle + size / 2};
}

void paint_sparkline(QPainter& painter, const QRectF& rect, std::span<const double> values, const QColor& color) {
  const auto [least, greatest] = trend_range(values);
  if (values.size() < 2 || least > greatest) return;
  const QRectF area = rect.adjusted(1, kTrendWidth, -1, -kTrendWidth);
  const double range = greatest - least;
  const double step = area.width() / static_cast<double>(values.size() - 1);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(
      QPen(color, kTrendWidth, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));  // round ones cost thrice as much
  QPolygonF line;
  const auto draw = [&] {
    if (line.size() > 1) painter.drawPolyline(line);
    line.clear();
  };
  for (size_t i = 0; i < values.size(); i++) {
    if (!std::isfinite(values[i])) {
      draw();
      continue;
    }
    const double share = range > 0 ? (values[i] - least) / range : 0.5;
    line << QPointF(area.left() + static_cast<double>(i) * step, area.bottom() - share * area.height());
  }
  draw();
  painter.restore();
}

}  // namespace n2nq::ui::theme
