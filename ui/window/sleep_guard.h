// Keeps the computer awake while a run is on, where the system offers that. Silent where it does not. UI thread.
#pragma once

#include <QObject>
#include <memory>

class QDBusUnixFileDescriptor;

namespace n2nq::ui {

class SleepGuard : public QObject {
  Q_OBJECT

 public:
  explicit SleepGuard(QObject* parent = nullptr);
  ~SleepGuard() override;

  void set_active(bool active);

 private:
  void ask();

  bool active_ = false;
  std::unique_ptr<QDBusUnixFileDescriptor> lock_;  // held open: awake
};

}  // namespace n2nq::ui
