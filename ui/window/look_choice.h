// How the window looks: what the user selected, light or dark or as the desktop has it, and the typeface. The desktop
// is asked through the settings portal, and followed while the bench runs; where there is none, its palette tells. UI
// thread.
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QSettings>
#include <optional>

#include "ui/theme/theme.h"

namespace n2nq::ui {

class LookChoice : public QObject {
  Q_OBJECT

 public:
  // Applies what was selected last.
  explicit LookChoice(QSettings& settings, QObject* parent = nullptr);

  theme::Appearance appearance() const;
  theme::Typeface typeface() const;
  void select(theme::Appearance appearance);
  void select(theme::Typeface typeface);
  std::optional<bool> desktop_is_dark() const { return desktop_is_dark_; }  // nothing: it does not say

 private Q_SLOTS:
  void on_setting_changed(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void ask_desktop();
  void take_scheme(QVariant value);
  void apply();

  QSettings& settings_;
  std::optional<bool> desktop_is_dark_;
};

}  // namespace n2nq::ui
