// What a campaign means beyond the window: the computer stays awake, and its end is told to who looks elsewhere. UI
// thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <chrono>

#include "app/campaign/campaign_desk.h"
#include "ui/window/sleep_guard.h"

class QWidget;

namespace n2nq::ui {

class CampaignWatch : public QObject {
  Q_OBJECT

 public:
  // One that takes longer than `long_while` is one that nobody watches to its end.
  CampaignWatch(campaign::CampaignDesk& desk, QWidget* window,
                std::chrono::milliseconds long_while = std::chrono::minutes(1));

 private:
  void on_changed();

  campaign::CampaignDesk& desk_;
  QWidget* window_;
  std::chrono::milliseconds long_while_;
  SleepGuard awake_;
  QElapsedTimer since_start_;
  bool active_ = false;
};

}  // namespace n2nq::ui
