#include "ui/theme/card.h"

#include <QPaintEvent>
#include <QPainter>

#include "ui/theme/layouts.h"
#include "ui/theme/shapes.h"

namespace n2nq::ui::theme {

Card::Card(QWidget* parent, std::optional<figures::Hue> top_edge)
    : QFrame(parent),
      top_edge_(top_edge),
      body_(column_in(this, kSpace2, {kCardInside, kSpace3, kCardInside, kCardInside})) {}

void Card::lie_on_page() {
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void Card::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  if (testAttribute(Qt::WA_OpaquePaintEvent)) painter.fillRect(event->rect(), surface(Surface::page));
  const QRect below = rect().adjusted(0, top_edge_ ? kRoleEdge : 0, 0, 0);
  if (top_edge_ && !below.contains(event->rect())) {
    painter.save();
    painter.setClipRect(QRect(0, 0, width(), kRoleEdge));
    draw_round(painter, rect(), kRadius, series_color(*top_edge_), Qt::transparent);
    painter.restore();
    painter.setClipRect(below);
  }
  draw_ground(painter, event->region(), rect(), kRadius, surface(Surface::card), surface(Surface::line));
}

}  // namespace n2nq::ui::theme

#include "moc_card.cpp"
