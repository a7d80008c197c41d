#include "ui/theme/scrolled_card.h"

#include <QScrollArea>
#include <QStyle>

#include "ui/theme/layouts.h"

namespace n2nq::ui::theme {

Card* scrolled_card(QWidget* content, QWidget* parent) {
  auto* card = new Card(parent);
  auto* area = new QScrollArea(card);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(content);
  content->setAutoFillBackground(false);
  area->viewport()->setAutoFillBackground(false);
  const int bar = area->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, area);
  area->setMinimumWidth(content->minimumSizeHint().width() + bar);
  card->body()->addWidget(area);
  return card;
}

QWidget* card_below(QLayout& actions, QWidget* content) {
  auto* both = new QWidget;
  auto* card = new Card(both);
  card->body()->addWidget(content);
  QVBoxLayout* column = column_in(both, kCardApart);
  column->addLayout(&actions);
  column->addWidget(card, 1);
  return both;
}

}  // namespace n2nq::ui::theme
