#include "ui/run/column_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace n2nq::ui {
namespace {

constexpr int kLeastHeight = 120;

}  // namespace

ColumnScroll::ColumnScroll(QWidget* content, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  setWidget(content);
  // QScrollArea paints its own background over the window's otherwise.
  viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);
  content->installEventFilter(this);
}

QSize ColumnScroll::sizeHint() const {
  return {minimumSizeHint().width(), widget()->sizeHint().height()};
}

QSize ColumnScroll::minimumSizeHint() const {
  return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), kLeastHeight};
}

bool ColumnScroll::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace n2nq::ui

#include "moc_column_scroll.cpp"
