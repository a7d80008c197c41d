// While controls change. Qt hands the keys of what is disabled or hidden to its neighbour, which nobody chose: Space
// would press that. At the end they belong to the area, if the control that had them is gone; and a field in which
// somebody types, here or in a window of its own, still has them. UI thread.
#pragma once

#include <QPointer>

class QWidget;

namespace n2nq::ui::theme {

class FocusHold {
 public:
  explicit FocusHold(QWidget& area);
  ~FocusHold();
  FocusHold(const FocusHold&) = delete;
  FocusHold& operator=(const FocusHold&) = delete;

 private:
  QWidget& area_;
  QPointer<QWidget> typing_;  // gets the keys
  QPointer<QWidget> had_;     // in the area: gets them while its window is active
};

}  // namespace n2nq::ui::theme
