#include "ui/logs/log_preferences.h"

#include <utility>

#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr const char* kTimesKey = "logs/times";
constexpr const char* kRulesKey = "logs/rules";

}  // namespace

LogPreferences& LogPreferences::shared() {
  static LogPreferences preferences;
  return preferences;
}

void LogPreferences::keep_in(QSettings& settings) {
  settings_ = nullptr;
  const int base = settings.value(kTimesKey, static_cast<int>(logs::TimeBase::run)).toInt();
  const bool known = base >= static_cast<int>(logs::TimeBase::file) && base <= static_cast<int>(logs::TimeBase::line);
  choose(known ? static_cast<logs::TimeBase>(base) : logs::TimeBase::run);
  choose(settings.contains(kRulesKey) ? logs::parse_rules(theme::utf8(settings.value(kRulesKey).toString()))
                                      : logs::default_rules());
  settings_ = &settings;
}

void LogPreferences::choose(logs::TimeBase base) {
  if (settings_) settings_->setValue(kTimesKey, static_cast<int>(base));
  if (std::exchange(time_base_, base) != base) Q_EMIT time_base_changed();
}

void LogPreferences::choose(std::vector<logs::LineRule> rules) {
  if (settings_) settings_->setValue(kRulesKey, theme::qt(logs::rules_text(rules)));
  if (rules == rules_) return;
  rules_ = std::move(rules);
  Q_EMIT rules_changed();
}

}  // namespace n2nq::ui

#include "moc_log_preferences.cpp"
