// A dashed line as the pieces of it that are seen. Qt's own dashes are counted again, now and then, where only a strip
// of a window is painted, and take as long as three lines. Pure functions; any thread.
#pragma once

#include <QLineF>
#include <QList>
#include <QPen>
#include <QPointF>
#include <QRectF>

namespace n2nq::ui::charts {

// Counted from the beginning of the line, whatever is seen of it.
QList<QLineF> dashes(const QList<QPointF>& line, const QPen& pen, const QRectF& seen);

}  // namespace n2nq::ui::charts
