// What a run means beyond the window: the computer stays awake, and the end of a long one is told to who looks
// elsewhere. UI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <chrono>

#include "app/run/run_sequence.h"
#include "ui/window/sleep_guard.h"

class QWidget;

namespace n2nq::ui {

class RunWatch : public QObject {
  Q_OBJECT

 public:
  // A run that takes longer than `long_run` is one that nobody watches to its end.
  RunWatch(run::RunSequence& sequence, QWidget* window, std::chrono::milliseconds long_run = std::chrono::minutes(1));

 private:
  void on_changed();
  void tell_end() const;

  run::RunSequence& sequence_;
  QWidget* window_;
  std::chrono::milliseconds long_run_;
  SleepGuard awake_;
  QElapsedTimer since_start_;
  bool active_ = false;
};

}  // namespace n2nq::ui
