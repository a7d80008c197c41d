#include "ui/window/look_choice.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace n2nq::ui {
namespace {

using theme::Appearance;
using theme::Typeface;

constexpr const char* kAppearanceKey = "window/appearance";
constexpr const char* kTypefaceKey = "window/typeface";
constexpr const char* kService = "org.freedesktop.portal.Desktop";
constexpr const char* kPath = "/org/freedesktop/portal/desktop";
constexpr const char* kInterface = "org.freedesktop.portal.Settings";
constexpr const char* kGroup = "org.freedesktop.appearance";
constexpr const char* kScheme = "color-scheme";
constexpr uint kDark = 1;
constexpr uint kLight = 2;

}  // namespace

LookChoice::LookChoice(QSettings& settings, QObject* parent) : QObject(parent), settings_(settings) {
  apply();
  ask_desktop();
}

Appearance LookChoice::appearance() const {
  const QString word = settings_.value(kAppearanceKey).toString();
  return word == "light" ? Appearance::light : word == "dark" ? Appearance::dark : Appearance::system;
}

Typeface LookChoice::typeface() const {
  return settings_.value(kTypefaceKey).toString() == "system" ? Typeface::system : Typeface::inter;
}

void LookChoice::select(Appearance appearance) {
  settings_.setValue(kAppearanceKey, appearance == Appearance::light  ? "light"
                                     : appearance == Appearance::dark ? "dark"
                                                                      : "system");
  apply();
}

void LookChoice::select(Typeface typeface) {
  settings_.setValue(kTypefaceKey, typeface == Typeface::system ? "system" : "inter");
  apply();
}

void LookChoice::ask_desktop() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  bus.connect(kService, kPath, kInterface, "SettingChanged", this,
              SLOT(on_setting_changed(QString, QString, QDBusVariant)));
  auto call = QDBusMessage::createMethodCall(kService, kPath, kInterface, "Read");
  call << QString(kGroup) << QString(kScheme);
  auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* watcher) {
    const QDBusPendingReply<QDBusVariant> reply = *watcher;
    if (reply.isValid()) take_scheme(reply.value().variant());
    watcher->deleteLater();
  });
}

void LookChoice::on_setting_changed(const QString& group, const QString& key, const QDBusVariant& value) {
  if (group == kGroup && key == kScheme) take_scheme(value.variant());
}

// An answer to Read has it in a variant of a variant.
void LookChoice::take_scheme(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  const uint scheme = value.toUInt();
  const auto dark = scheme == kDark || scheme == kLight ? std::optional(scheme == kDark) : std::nullopt;
  if (dark == desktop_is_dark_) return;
  desktop_is_dark_ = dark;
  if (appearance() == Appearance::system) apply();
}

void LookChoice::apply() {
  Appearance wanted = appearance();
  if (wanted == Appearance::system && desktop_is_dark_)
    wanted = *desktop_is_dark_ ? Appearance::dark : Appearance::light;
  theme::apply(*qApp, wanted, typeface());
}

}  // namespace n2nq::ui

#include "moc_look_choice.cpp"
