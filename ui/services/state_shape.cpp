#include "ui/services/state_shape.h"

namespace n2nq::ui {
namespace {

void paint_triangle(QPainter& painter, const QRectF& area) {
  const QPointF corners[] = {area.topLeft() + QPointF(area.width() * 0.15, 0), QPointF(area.right(), area.center().y()),
                             area.bottomLeft() + QPointF(area.width() * 0.15, 0)};
  painter.drawConvexPolygon(corners, 3);
}

void paint_bars(QPainter& painter, const QRectF& area, const QColor& color) {
  const double bar = area.width() * 0.3;
  painter.fillRect(QRectF(area.left(), area.top(), bar, area.height()), color);
  painter.fillRect(QRectF(area.right() - bar, area.top(), bar, area.height()), color);
}

void paint_tick(QPainter& painter, const QRectF& area) {
  const QPointF points[] = {QPointF(area.left(), area.center().y()),
                            QPointF(area.left() + area.width() * 0.35, area.bottom() - area.height() * 0.1),
                            QPointF(area.right(), area.top() + area.height() * 0.1)};
  painter.drawPolyline(points, 3);
}

}  // namespace

void paint_state(QPainter& painter, const QRectF& area, live::ServiceState state, const QColor& color) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, qMax(1.4, area.width() * 0.17), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  switch (state) {
    case live::ServiceState::absent:
      painter.drawEllipse(area);
      break;
    case live::ServiceState::connecting:
      painter.drawEllipse(area);
      painter.setBrush(color);
      painter.drawPie(area, 90 * 16, 180 * 16);
      break;
    case live::ServiceState::joined:
      painter.setBrush(color);
      painter.drawEllipse(area);
      break;
    case live::ServiceState::running:
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      paint_triangle(painter, area);
      break;
    case live::ServiceState::paused:
      paint_bars(painter, area, color);
      break;
    case live::ServiceState::away:
      paint_triangle(painter, area);
      break;
    case live::ServiceState::stopped:
      painter.fillRect(area.adjusted(1, 1, -1, -1), color);
      break;
    case live::ServiceState::done:
      paint_tick(painter, area);
      break;
    case live::ServiceState::gone:
      painter.drawLine(area.topLeft(), area.bottomRight());
      painter.drawLine(area.topRight(), area.bottomLeft());
      break;
  }
  painter.restore();
}

}  // namespace n2nq::ui
