// What a person chose for all windows of logs: how times are shown, which lines stand out. One for the program, kept in
// the settings where there are any. UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QSettings>
#include <vector>

#include "app/logs/line_rules.h"
#include "app/logs/time_view.h"

namespace n2nq::ui {

class LogPreferences : public QObject {
  Q_OBJECT

 public:
  static LogPreferences& shared();

  void keep_in(QSettings& settings);  // reads what it has, and writes there until the settings go

  logs::TimeBase time_base() const { return time_base_; }
  void choose(logs::TimeBase base);
  const std::vector<logs::LineRule>& rules() const { return rules_; }
  void choose(std::vector<logs::LineRule> rules);

 Q_SIGNALS:
  void time_base_changed();
  void rules_changed();

 private:
  LogPreferences() = default;

  QPointer<QSettings> settings_;
  logs::TimeBase time_base_ = logs::TimeBase::run;
  std::vector<logs::LineRule> rules_ = logs::default_rules();
};

}  // namespace n2nq::ui
