#include "ui/charts/value_item.h"

#include <QFontMetricsF>
#include <QPainter>
#include <utility>

#include "ui/charts/figure_chart.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {

ValueItem::ValueItem(FigureChart* chart) : QGraphicsItem(chart), chart_(chart) {
  setZValue(70);
  setAcceptedMouseButtons(Qt::NoButton);
}

// With the bars, which ask the scene: all is painted once.
void ValueItem::show(std::vector<ValueText> texts) {
  if (texts == texts_) return;
  texts_ = std::move(texts);
  update();
}

QRectF ValueItem::boundingRect() const {
  return chart_->rect();
}

void ValueItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  if (texts_.empty()) return;
  const ChartLook& look = chart_->look();
  const QFontMetricsF metrics(look.font);
  painter->save();
  painter->setFont(look.font);
  painter->setPen(look.text());
  for (const ValueText& one : texts_) {
    const double left = one.at.x() - metrics.horizontalAdvance(one.text) / 2;
    painter->drawText(QPointF(left, one.at.y() - theme::kGrid / 2.0), one.text);
  }
  painter->restore();
}

}  // namespace n2nq::ui::charts
