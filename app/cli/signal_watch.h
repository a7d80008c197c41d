// SIGINT, SIGTERM and SIGHUP as a Qt signal. One at a time in a program; before it starts threads. Thread of its
// owner's event loop. What was set before is set again when it goes.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSocketNotifier>
#include <array>
#include <csignal>
#include <memory>

#include "broker/base/fd.h"

namespace n2nq::cli {

class SignalWatch : public QObject {
  Q_OBJECT

 public:
  explicit SignalWatch(QObject* parent = nullptr);
  ~SignalWatch() override;

 Q_SIGNALS:
  void asked_to_stop(int signal);  // those within half a second are one

 private:
  void read_signals();

  Fd reader_;
  std::unique_ptr<QSocketNotifier> notifier_;
  QElapsedTimer last_;  // since the last one that counted
  std::array<struct sigaction, 3> former_{};
};

}  // namespace n2nq::cli
