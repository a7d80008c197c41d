#include "ui/run/press_guard.h"

#include <QEvent>
#include <QWidget>

namespace n2nq::ui {

PressGuard::PressGuard(std::initializer_list<QWidget*> buttons, QObject* parent) : QObject(parent) {
  for (QWidget* button : buttons) button->installEventFilter(this);
}

bool PressGuard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress) pressed_ = watched;
  if (event->type() == QEvent::MouseButtonDblClick && pressed_ != watched) return true;
  return QObject::eventFilter(watched, event);
}

}  // namespace n2nq::ui

#include "moc_press_guard.cpp"
