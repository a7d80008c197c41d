// The run at a glance: start and stop all, what it is doing, its progress, what was lost, and one line of what a
// person must know now: why it cannot start, a warning, the verdict. UI thread.
#pragma once

#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/live/warnings.h"
#include "app/run/run_sequence.h"
#include "ui/run/growing_label.h"
#include "ui/theme/status_label.h"

class QHBoxLayout;

namespace n2nq::ui {

class RunBar : public QWidget {
  Q_OBJECT

 public:
  explicit RunBar(QWidget* parent = nullptr);

  // Why nothing can be started; empty: it can. A plan that is wrong is told from one that has to wait.
  void set_blocked(const QString& reason, bool waits);
  void show_state(const run::RunSequence& sequence);  // after each change of it
  // Ten times a second, with the tables: all that is counted beside each other is of one moment.
  void show_progress(const run::RunSequence& sequence);
  void show_warnings(const std::vector<live::LiveWarning>& warnings);
  // The second press of a double click on Stop, or one that came as the run ended, does not mean what comes next.
  bool takes_stop() const { return !say_later_.isActive(); }
  QToolButton& log_button() { return *log_; }

 Q_SIGNALS:
  void start_all();
  void stop_all();
  void show_result(qint64 id);
  void show_host(const QString& name);
  void move_queue(const QString& host);

 private:
  void build_controls(QHBoxLayout& row);
  void build_figures(QHBoxLayout& row);
  void show_buttons(const run::RunSequence& sequence);
  enum class StopMeans { stop, kill, finish };
  void set_stop(StopMeans means);
  void show_stop_button();
  void show_message();
  QString verdict_text(const run::RunSequence& sequence) const;
  void follow_link(const QString& target);

  QPushButton* start_;
  QPushButton* stop_;
  QLabel* state_;
  GrowingLabel* time_;
  GrowingLabel* run_;
  QToolButton* log_;
  QProgressBar* progress_;
  GrowingLabel* sent_;
  GrowingLabel* received_;
  GrowingLabel* lost_;
  GrowingLabel* left_;
  theme::StatusLabel* message_;
  QString blocked_;
  bool waits_ = false;
  bool active_ = false;
  std::optional<StopMeans> stop_means_;
  QTimer say_later_;  // runs as long as a press may be meant for what the button did before
  std::vector<live::LiveWarning> warnings_;
  std::optional<theme::Status> verdict_;
  QString verdict_text_;
};

}  // namespace n2nq::ui
