#include "ui/window/desktop_notice.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QFile>
#include <QVariantMap>

namespace n2nq::ui {
namespace {

// Without a bus that is there already, asking for one would start one.
bool has_session_bus() {
  if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")) return true;
  const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
  return !runtime.isEmpty() && QFile::exists(runtime + "/bus");
}

}  // namespace

void notify_desktop(const QString& title, const QString& text) {
  if (!has_session_bus()) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  auto call = QDBusMessage::createMethodCall("org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                                             "org.freedesktop.Notifications", "Notify");
  // Servers that know markup read it in the body, and nowhere else.
  call << "N2NQ Bench" << 0u << "n2nq-bench" << title << text.toHtmlEscaped() << QStringList() << QVariantMap() << -1;
  bus.asyncCall(call);
}

}  // namespace n2nq::ui
