#include "ui/charts/mark_item.h"

#include <QPainter>
#include <utility>

#include "ui/charts/line_item.h"

namespace n2nq::ui::charts {

MarkItem::MarkItem(QGraphicsItem* chart) : QGraphicsItem(chart) {
  setZValue(40);
  setAcceptedMouseButtons(Qt::NoButton);
}

void MarkItem::show(const QRectF& whole, const QRectF& plot, std::vector<Mark> marks) {
  if (whole != whole_) {
    prepareGeometryChange();
    whole_ = whole;
  }
  const QRectF area = plot.adjusted(-1, -1, 1, 1);
  if (area == area_ && marks == marks_) return;
  const bool seen = !marks.empty() || !marks_.empty();
  marks_ = std::move(marks);
  const QRectF before = std::exchange(area_, area);
  if (seen) paint_anew(*this, area | before);
}

void MarkItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  if (marks_.empty()) return;
  painter->save();
  painter->setClipRect(area_, Qt::IntersectClip);
  for (const Mark& mark : marks_) {
    painter->setPen(mark.pen);
    painter->setBrush(mark.brush);
    painter->drawPath(mark.path);
  }
  painter->restore();
}

}  // namespace n2nq::ui::charts
