// Tells the desktop that something is over while the window is not looked at. Silent where there is no such service.
// UI thread.
#pragma once

#include <QString>

namespace n2nq::ui {

void notify_desktop(const QString& title, const QString& text);

}  // namespace n2nq::ui
