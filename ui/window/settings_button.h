// The button of the settings, with its menu: how the bench looks, import of results, and help. UI thread.
#pragma once

#include <QSettings>
#include <QToolButton>

class QMenu;

namespace n2nq::ui {

class SettingsButton : public QToolButton {
  Q_OBJECT

 public:
  SettingsButton(QSettings& settings, bool can_import, QWidget* window);

  static void apply_appearance(const QSettings& settings);  // the one that was selected last

 Q_SIGNALS:
  void import_wanted();
  void help_wanted(const QString& topic);  // empty: the one that was read last

 private:
  void add_appearance(QMenu& menu);

  QSettings& settings_;
};

}  // namespace n2nq::ui
