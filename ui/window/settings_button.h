// The button of the settings, with its menu: how the bench looks, import of results, and help. UI thread.
#pragma once

#include "ui/window/rail_button.h"

class QMenu;

namespace n2nq::ui {

class LookChoice;

class SettingsButton : public RailButton {
  Q_OBJECT

 public:
  SettingsButton(LookChoice& look, bool can_import, QWidget* window);

 Q_SIGNALS:
  void import_wanted();
  void help_wanted(const QString& topic);  // empty: the one that was read last
};

}  // namespace n2nq::ui
