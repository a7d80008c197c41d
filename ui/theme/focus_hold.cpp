#include "ui/theme/focus_hold.h"

#include <QApplication>
#include <QWidget>

namespace n2nq::ui::theme {

// A widget's own focusWidget() is the last one in it, also where the focus has long been elsewhere.
FocusHold::FocusHold(QWidget& area) : area_(area), typing_(QApplication::focusWidget()) {
  QWidget* of_window = area.window()->focusWidget();
  if (area.isAncestorOf(of_window)) had_ = of_window;
}

FocusHold::~FocusHold() {
  if (had_ != nullptr && (!had_->isEnabled() || !had_->isVisibleTo(&area_))) area_.setFocus(Qt::OtherFocusReason);
  const bool elsewhere = typing_ != nullptr && typing_ != had_ && typing_ != QApplication::focusWidget();
  if (elsewhere && typing_->isVisible()) typing_->setFocus(Qt::OtherFocusReason);
}

}  // namespace n2nq::ui::theme
