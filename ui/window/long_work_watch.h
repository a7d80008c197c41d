// What long work means beyond the window: the computer stays awake, and its end is told to who looks elsewhere. UI
// thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <chrono>
#include <functional>
#include <optional>

#include "app/campaign/campaign_desk.h"
#include "app/run/run_sequence.h"
#include "ui/window/sleep_guard.h"

namespace n2nq::ui {

class LongWorkWatch : public QObject {
  Q_OBJECT

 public:
  struct End {
    QString title{};
    QString text{};
  };
  static constexpr std::chrono::milliseconds kLong = std::chrono::minutes(1);

  // What takes longer than `long_while` is watched by nobody to its end. `end`: nothing where there is none to tell.
  LongWorkWatch(std::function<std::optional<End>()> end, QWidget* window, std::chrono::milliseconds long_while);
  void set_active(bool active);

 private:
  std::function<std::optional<End>()> end_;
  QWidget* window_;
  std::chrono::milliseconds long_while_;
  SleepGuard awake_;
  QElapsedTimer since_start_;
  bool active_ = false;
};

// Each belongs to the window. Of several runs the gravest end is told.
LongWorkWatch* watch(run::RunSequence& sequence, QWidget* window,
                     std::chrono::milliseconds long_while = LongWorkWatch::kLong);
LongWorkWatch* watch(campaign::CampaignDesk& desk, QWidget* window,
                     std::chrono::milliseconds long_while = LongWorkWatch::kLong);

}  // namespace n2nq::ui
