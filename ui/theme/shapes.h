// What parts of the window are drawn with: round rectangles with a hairline, arrows, the line of a small trend. Widgets
// and delegates paint with them; there is no state. UI thread.
#pragma once

#include <QColor>
#include <QRectF>
#include <span>

class QPainter;
class QRegion;

namespace n2nq::ui::theme {

// The edge lies within the rectangle; transparent: none.
void draw_round(QPainter& painter, const QRectF& rect, double radius, const QColor& fill, const QColor& edge,
                double width = 1);
// The same of a widget's own area, as far as it is exposed: what lies within the edge is a mere fill.
void draw_ground(QPainter& painter, const QRegion& exposed, const QRect& rect, double radius, const QColor& fill,
                 const QColor& edge, double width = 1);
void draw_arrow(QPainter& painter, const QRectF& rect, Qt::ArrowType to, const QColor& color);
// What the height of a trend stands for: from the least to the greatest value, and no less than a quarter of the
// greatest, so that the ripple of a steady figure is no zigzag. Of no values the least is the larger one.
struct TrendRange {
  double least = 0;
  double greatest = 0;
};
TrendRange trend_range(std::span<const double> values);
// Along the middle where all are alike; what is not a number is a gap.
void paint_sparkline(QPainter& painter, const QRectF& rect, std::span<const double> values, const QColor& color);

}  // namespace n2nq::ui::theme
