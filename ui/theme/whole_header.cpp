#include "ui/theme/whole_header.h"

#include <QPainter>
#include <QStyleOptionHeader>

namespace n2nq::theme {

WholeHeader::WholeHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
}

void WholeHeader::paintEvent(QPaintEvent* event) {
  QHeaderView::paintEvent(event);
  const int end = length() - offset();
  if (end >= viewport()->width()) return;
  QStyleOptionHeader rest;
  initStyleOption(&rest);
  rest.rect = QRect(end, 0, viewport()->width() - end, viewport()->height());
  QPainter painter(viewport());
  style()->drawControl(QStyle::CE_HeaderSection, &rest, &painter, this);
}

}  // namespace n2nq::theme
