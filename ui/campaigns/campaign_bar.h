// The chosen campaign at a glance: start or resume, stop, what it is doing, its progress, how long it will take, and
// one line of what a person must know now. Shows what it is given. UI thread.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "ui/theme/theme.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace n2nq::ui::theme {
class StatusLabel;
}
namespace n2nq::ui {
class GrowingLabel;
}

namespace n2nq::ui {

struct BarState {
  QString start = {};  // "Start", "Resume"; empty: there is nothing to start
  QString start_help = {};
  QString blocked = {};  // why it cannot be started now
  bool stops = false;    // it runs
  bool kills = false;    // it was stopped already
  QString state = {};
  std::optional<double> progress{};  // 0 to 1
  QString runs = {};
  QString left = {};
  std::optional<theme::Status> status{};  // of the message; nothing: it is plain
  QString message = {};
};

class CampaignBar : public QWidget {
  Q_OBJECT

 public:
  explicit CampaignBar(QWidget* parent = nullptr);

  void show_state(const BarState& state);

 Q_SIGNALS:
  void start();
  void start_in_vain();  // pressed while it is blocked
  void stop();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void set_kills(bool kills);
  void show_stop();

  QPushButton* start_;
  QPushButton* stop_;
  QLabel* state_;
  QProgressBar* progress_;
  GrowingLabel* runs_;
  GrowingLabel* left_;
  theme::StatusLabel* message_;
  bool kills_ = false;
  QTimer say_later_;  // runs as long as a press may be meant for what the button did before
};

}  // namespace n2nq::ui
