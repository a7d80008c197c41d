// The small things that the rows of the log window are made of. UI thread.
#pragma once

#include <QString>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QWidget;

namespace n2nq::ui {

// A button with an icon only: what it does is its accessible name and, with the key, its tooltip.
QToolButton* make_button(const char* icon, const QString& does, const QString& key);
QLabel* make_note();  // muted text that gives way where there is no room
QHBoxLayout* make_row(QWidget* bar);

}  // namespace n2nq::ui
