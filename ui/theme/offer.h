// A control that can be used, or the reason why not, in one way everywhere. UI thread.
#pragma once

#include <QString>

class QWidget;

namespace n2nq::ui::theme {

// Enabled unless there is a reason against it, which its tip and what a screen reader says then give in place of its
// help.
void offer(QWidget& control, const QString& help, const QString& why_not);

}  // namespace n2nq::ui::theme
