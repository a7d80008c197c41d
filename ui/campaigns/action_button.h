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

}  // namespace n2nq::ui
