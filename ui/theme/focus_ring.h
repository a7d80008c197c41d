// The ring around the control that has the focus. Text fields and lists show it always; buttons unless it came by the
// mouse, which shows where it is itself. And the keys that press what has the ring. UI thread.
#pragma once

#include <QColor>
#include <QObject>
#include <QPointer>
#include <QRectF>

class QAbstractButton;
class QPainter;
class QWidget;

namespace n2nq::ui::theme {

inline constexpr int kFocusWidth = 2;

// At least 3 to 1 on all that it may stand on.
QColor focus_color();
void draw_focus_ring(QPainter& painter, const QRectF& rect, double radius);
// On a ground that may be of the same colour: a line in the colour of cards keeps them apart.
void draw_focus_ring_apart(QPainter& painter, const QRectF& rect, double radius);

// Knows of the buttons that it follows which one got the focus by the mouse.
class FocusWatch : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  bool is_by_mouse(const QWidget* widget) const { return widget != nullptr && widget == by_mouse_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPointer<QObject> by_mouse_;
};

// Enter presses the button that has the focus, as Space does. Not one that is ticked: there Enter goes to the dialog.
class EnterPress : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  static void press(QAbstractButton& button);
};

// A field under the wheel of somebody who scrolls past must not change: a list never, a number only while it is edited.
class WheelGuard : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace n2nq::ui::theme
