#include "ui/charts/crosshair.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/theme/palette.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {

Crosshair::Crosshair(const FigureChart* chart) : chart_(chart) {
  setZValue(200);
  setVisible(false);
}

void Crosshair::point_at(const std::optional<FigureChart::Hit>& hit) {
  if (hit == hit_) return;
  hit_ = hit;
  setVisible(hit_.has_value());
  update();
}

QRectF Crosshair::boundingRect() const {
  return chart_->frame().whole;
}

// Beside the point, on the side where there is room.
QRectF Crosshair::label_box(const QFontMetricsF& metrics) const {
  const QSizeF text = metrics.boundingRect(QRectF(0, 0, 1000, 1000), 0, hit_->text).size();
  const QRectF& plot = chart_->frame().plot;
  QRectF box(QPointF(), text + QSizeF(2 * theme::kGrid, theme::kGrid));
  const double gap = 1.5 * theme::kGrid;
  const bool right = hit_->pixel.x() + gap + box.width() <= chart_->frame().whole.right();
  box.moveLeft(right ? hit_->pixel.x() + gap : hit_->pixel.x() - gap - box.width());
  box.moveLeft(std::max(box.left(), chart_->frame().whole.left()));
  box.moveTop(
      std::clamp(hit_->pixel.y() - gap - box.height(), plot.top(), std::max(plot.top(), plot.bottom() - box.height())));
  return box;
}

void Crosshair::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  if (!hit_) return;
  const ChartLook& look = chart_->look();
  const QRectF& plot = chart_->frame().plot;
  const QPointF at = hit_->pixel;
  painter->setPen(QPen(look.muted(), 1, Qt::DotLine));
  if (at.y() >= plot.top() && at.y() <= plot.bottom()) {
    painter->drawLine(QPointF(plot.left(), at.y()), QPointF(plot.right(), at.y()));
  }
  painter->drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(look.background(), 1.5));
  painter->setBrush(hit_->color);
  if (plot.contains(at)) painter->drawEllipse(at, 4.5, 4.5);

  painter->setFont(look.font);
  const QRectF box = label_box(QFontMetricsF(look.font));
  const QPalette palette = theme::make_palette(look.dark);
  painter->setPen(QPen(look.muted(), 1));
  painter->setBrush(palette.color(QPalette::ToolTipBase));
  painter->drawRoundedRect(box, 3, 3);
  painter->setPen(look.text());
  painter->drawText(box.adjusted(theme::kGrid, theme::kGrid / 2.0, 0, 0), Qt::AlignLeft | Qt::AlignTop, hit_->text);
}

}  // namespace n2nq::ui::charts
