#include "ui/theme/card.h"

#include <QPainter>
#include <QVBoxLayout>

#include "ui/theme/shapes.h"

namespace n2nq::ui::theme {

Card::Card(QWidget* parent, std::optional<figures::Hue> top_edge)
    : QFrame(parent), top_edge_(top_edge), body_(new QVBoxLayout(this)) {
  body_->setContentsMargins(kCardInside, kSpace3, kCardInside, kCardInside);
  body_->setSpacing(kSpace2);
}

void Card::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF all = rect();
  if (top_edge_) {
    painter.save();
    painter.setClipRect(QRectF(all.topLeft(), QSizeF(all.width(), kRoleEdge)));
    draw_round(painter, all, kRadius, series_color(*top_edge_), Qt::transparent);
    painter.restore();
    painter.setClipRect(all.adjusted(0, kRoleEdge, 0, 0));
  }
  draw_round(painter, all, kRadius, surface(Surface::card), surface(Surface::line));
}

}  // namespace n2nq::ui::theme

#include "moc_card.cpp"
