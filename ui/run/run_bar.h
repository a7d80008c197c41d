// The run at a glance: the plan's name, whether the page shows the plan or the figures of its run, what the run is
// doing, for how long, how far it is, and the next sensible step; below one line of what a person must know now: why it
// cannot start, a warning, the verdict. UI thread.
#pragma once

#include <QPushButton>
#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/live/warnings.h"
#include "app/run/run_sequence.h"
#include "ui/run/growing_label.h"
#include "ui/run/run_words.h"
#include "ui/run/start_forecast.h"
#include "ui/theme/theme.h"

class QButtonGroup;
class QHBoxLayout;
class QLabel;

namespace n2nq::ui::theme {
class Chip;
class MessageLine;
class ProgressLine;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

enum class RunView { plan, figures };

class RunBar : public QWidget {
  Q_OBJECT

 public:
  explicit RunBar(QWidget* parent = nullptr);

  void put_first(QWidget* plan);  // the plan, whose run it is
  void show_view(RunView view);   // a changed plan hides the state and the verdict of the last run
  RunView view() const { return view_; }
  bool tells_of_run() const { return active_ || view_ == RunView::figures || whose_.isEmpty(); }
  QAbstractButton& button_of(RunView view) const;
  void add_before_start(QWidget& widget);  // there whenever a run can be started
  // Why nothing can be started; empty: it can. A plan that is wrong is told from one that has to wait.
  void set_blocked(const QString& reason, bool waits);
  void set_forecast(const Forecast& forecast);  // of the next start
  // Whose the figures on the page are, where they are not of the plan in the form; empty: they are.
  void set_whose(const QString& text);
  void show_state(const run::RunSequence& sequence);  // after each change of it
  // Ten times a second, with the tables: all that is counted beside each other is of one moment.
  void show_progress(const run::RunSequence& sequence);
  void show_warnings(const std::vector<live::LiveWarning>& warnings);
  // The request of the receivers: whether there is any to make, and whether it has filters that were not sent yet.
  void show_request(bool on, bool unsent, bool running);
  // The second press of a double click on Stop, or one that came as the run ended, does not mean what comes next.
  bool takes_stop() const { return active_ && !say_later_.isActive(); }
  QPushButton& log_button() { return *log_; }
  QSize minimumSizeHint() const override;  // without the words that give way to icons

 Q_SIGNALS:
  void view_chosen(RunView view);
  void start_all();
  void stop_all();
  void make_request();
  void show_result(qint64 id);
  void compare_results(const std::vector<int64_t>& ids);
  void show_host(const QString& name);
  void move_queue(const QString& host);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_views(QHBoxLayout& row);
  void build_state(QHBoxLayout& row);
  void build_buttons(QHBoxLayout& row);
  void build_figures(QHBoxLayout& row);
  // What stands beside an icon, or by itself, only where there is room.
  struct Word {
    QPushButton* button = nullptr;
    QLabel* label = nullptr;  // the word itself, where there is no button
    QString text{};
    bool is_shown() const;
    int width() const;
    void show(bool on) const;
  };
  std::vector<Word> words() const;
  int width_of_shown_words() const;
  int width_of_head() const;
  void fit_words();
  void show_buttons(const run::RunSequence& sequence);
  enum class StopMeans { stop, kill, finish };
  void set_stop(StopMeans means);
  void show_stop_button();
  void show_start_help();
  void show_message();
  void show_what_is_told();
  void follow_link(const QString& target);

  QHBoxLayout* head_;
  QButtonGroup* views_;
  RunView view_ = RunView::plan;
  theme::Chip* state_;
  GrowingLabel* time_;
  GrowingLabel* run_;
  QPushButton* log_;
  QPushButton* request_;
  QPushButton* result_;
  QPushButton* compare_;
  QPushButton* start_;
  QPushButton* stop_;
  theme::ProgressLine* progress_;
  GrowingLabel* sent_;
  GrowingLabel* received_;
  theme::MessageLine* message_;
  QString blocked_;
  bool waits_ = false;
  bool active_ = false;
  qint64 result_id_ = 0;
  std::vector<int64_t> saved_;  // results of the last start
  QWidget* before_start_ = nullptr;
  QHBoxLayout* buttons_ = nullptr;
  std::optional<StopMeans> stop_means_;
  QTimer say_later_;  // runs as long as a press may be meant for what the button did before
  std::vector<live::LiveWarning> warnings_;
  std::optional<theme::Status> verdict_;
  QString verdict_text_;
  std::optional<RunsBeside> beside_{};  // of the runs that are over
  QString detail_;                      // of the state
  QString whose_;
  Forecast forecast_;
};

}  // namespace n2nq::ui
