// For buttons that take each other's place: the second press of a double click on one of them is not for the one that
// is there by then. UI thread; a child of the first button's parent.
#pragma once

#include <QObject>
#include <initializer_list>

class QWidget;

namespace n2nq::ui {

class PressGuard : public QObject {
  Q_OBJECT

 public:
  PressGuard(std::initializer_list<QWidget*> buttons, QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QObject* pressed_ = nullptr;  // the last one that got a first press
};

}  // namespace n2nq::ui
