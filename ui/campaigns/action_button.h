// The buttons of the row above the list of campaigns. UI thread.
#pragma once

#include <QString>

class QHBoxLayout;
class QPushButton;
class QWidget;

namespace n2nq::ui {

struct ActionButton {
  const char* icon;
  QString text;
  QString name;         // accessible
  bool begins = false;  // is there without any campaign, too
};
QPushButton* add_button(QHBoxLayout& row, QWidget* page, const ActionButton& button);

void show_actions(const QHBoxLayout& row, bool any);  // `any`: there are campaigns

// Enabled where nothing blocks it; else its tip says what does.
void show_blocked(QPushButton& button, const QString& why_not, const QString& help);

}  // namespace n2nq::ui
