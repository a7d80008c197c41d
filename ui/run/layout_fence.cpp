#include "ui/run/layout_fence.h"

#include <QEvent>

namespace n2nq::ui {

LayoutFence::LayoutFence(QWidget* content, QWidget* parent) : QWidget(parent), content_(content) {
  content_->setParent(this);
  setSizePolicy(content_->sizePolicy());
}

bool LayoutFence::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest && content_->minimumSizeHint() != least_) {
    least_ = content_->minimumSizeHint();
    updateGeometry();
  }
  return QWidget::event(event);
}

void LayoutFence::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  content_->setGeometry(rect());
}

}  // namespace n2nq::ui

#include "moc_layout_fence.cpp"
