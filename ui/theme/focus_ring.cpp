#include "ui/theme/focus_ring.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPalette>
#include <QWidget>

#include "ui/theme/palette.h"
#include "ui/theme/shapes.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::theme {

// The dark accent is the ground of white words, and too dark for a line on dark buttons.
QColor focus_color() {
  return is_dark() ? make_palette(true).color(QPalette::Link) : surface(Surface::accent);
}

void draw_focus_ring(QPainter& painter, const QRectF& rect, double radius) {
  draw_round(painter, rect, radius, Qt::transparent, focus_color(), kFocusWidth);
}

void draw_focus_ring_apart(QPainter& painter, const QRectF& rect, double radius) {
  const double in = kFocusWidth;
  draw_round(painter, rect.adjusted(in, in, -in, -in), radius - in, Qt::transparent, surface(Surface::card),
             kFocusWidth);
  draw_focus_ring(painter, rect, radius);
}

// One that comes back to a window or from a menu is what it was.
bool FocusWatch::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::FocusIn) return false;
  const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
  const bool comes_back = reason == Qt::ActiveWindowFocusReason || reason == Qt::PopupFocusReason;
  if (reason == Qt::MouseFocusReason)
    by_mouse_ = watched;
  else if (watched == by_mouse_ && !comes_back)
    by_mouse_ = nullptr;
  return false;
}

// What is held down was meant for something else.
bool EnterPress::eventFilter(QObject* watched, QEvent* event) {
  auto* button = qobject_cast<QAbstractButton*>(watched);
  if (event->type() != QEvent::KeyPress || button == nullptr || !button->isEnabled()) return false;
  const auto& key = static_cast<QKeyEvent&>(*event);
  const bool enters = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
  const Qt::KeyboardModifiers modifiers = key.modifiers() & ~Qt::KeypadModifier;
  if (!enters || modifiers != Qt::NoModifier) return false;
  if (!key.isAutoRepeat()) press(*button);
  return true;
}

// A menu that it opened takes the keys from then on; an editor over the window that it is in does not.
void EnterPress::press(QAbstractButton& button) {
  const QPointer<QAbstractButton> still(&button);
  const QPointer<QWidget> around(QApplication::activePopupWidget());
  QKeyEvent down(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier);
  QApplication::sendEvent(&button, &down);
  const QWidget* now = QApplication::activePopupWidget();
  if (still == nullptr || (now != nullptr && now != around)) return;
  QKeyEvent up(QEvent::KeyRelease, Qt::Key_Space, Qt::NoModifier);
  QApplication::sendEvent(still, &up);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel) return false;
  const auto* number = qobject_cast<QAbstractSpinBox*>(watched);
  if (number != nullptr && number->hasFocus()) return false;
  event->ignore();
  return true;
}

}  // namespace n2nq::ui::theme

#include "moc_focus_ring.cpp"
