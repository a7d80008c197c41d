#include "ui/window/sleep_guard.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusUnixFileDescriptor>

namespace n2nq::ui {

SleepGuard::SleepGuard(QObject* parent) : QObject(parent) {}

SleepGuard::~SleepGuard() = default;

void SleepGuard::set_active(bool active) {
  if (active == active_) return;
  active_ = active;
  if (active_)
    ask();
  else
    lock_.reset();
}

void SleepGuard::ask() {
  QDBusConnection bus = QDBusConnection::systemBus();
  if (!bus.isConnected()) return;
  auto call = QDBusMessage::createMethodCall("org.freedesktop.login1", "/org/freedesktop/login1",
                                             "org.freedesktop.login1.Manager", "Inhibit");
  call << "sleep:idle" << "N2NQ Bench" << tr("A run is in progress") << "block";
  auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* watcher) {
    const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *watcher;
    if (active_ && reply.isValid()) lock_ = std::make_unique<QDBusUnixFileDescriptor>(reply.value());
    watcher->deleteLater();
  });
}

}  // namespace n2nq::ui

#include "moc_sleep_guard.cpp"
