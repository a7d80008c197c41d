// The Run page: the run above, and below the plan in three cards, or the headline figures, what each role does, and the
// pictures. Plan edits go through the editor; figures are pulled ten times a second while a run is on and the page in
// sight. UI thread.
#pragma once

#include <QSettings>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "app/hosts/host_list.h"
#include "app/plan/permissions.h"
#include "app/plan/plan_editor.h"
#include "app/record/run_record.h"
#include "app/run/run_sequence.h"
#include "ui/run/run_bar.h"

class QAction;

namespace n2nq::ui {

class FilterEditor;
class LiveView;
class QueuePanel;
class Requests;
class RoleColumns;
class RolePanel;
class RunLog;
class RunTiles;
class RepeatsField;
class TileLimits;
class ServiceLogs;
class ServicePanel;
class StartCheck;
class StartForecast;

class RunPage : public QWidget {
  Q_OBJECT

 public:
  RunPage(plan::PlanEditor& editor, run::RunSequence& sequence, plan::Permissions& permissions, QSettings& settings,
          QWidget* parent = nullptr);
  ~RunPage() override;

  // Those that queue, senders and receivers can run on.
  void set_hosts(const hosts::HostList& list);
  // Why no run can be started now, whatever its plan; empty: one can.
  void set_locked(const QString& reason);
  void put_plan_control(QWidget* control);   // at the left of the bar
  void choose_bus(const std::string& kind);  // of the plan
  void set_repeats(uint32_t repeats);
  QWidget& open_bus();  // its field, among the settings of the queue
  void start_all();
  // `then`: once they were started, or could not be. The user may be asked before, and answer that they are not to be.
  void start_all_and(const std::function<void()>& then);
  void stop_all();
  void make_request();
  void change_view();
  void open_selected_log();
  ServiceLogs& logs() { return *logs_; }
  RunTiles& tiles() { return *tiles_; }
  // A key that nothing else has used: Space pauses the charts. False: it is not for this page either.
  bool take_key(const QKeyEvent& event);
  void save_layout();
  void pin_baseline(const record::RunRecord& record);  // behind the charts, from now on

 Q_SIGNALS:
  void show_result(qint64 id);
  void compare_results(const std::vector<int64_t>& ids);
  void show_host(const QString& name);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void connect_panel(RolePanel& panel);
  void connect_sequence();
  void connect_filters();
  void connect_views();
  // By itself: another plan leads to the plan, a start to the figures.
  void show_view(RunView view);
  void go_to(RunView view);  // by the user
  void open_filters();
  void close_filters();
  void build_layout();
  void show_plan();
  void say_whose();
  void show_forecast();
  void show_state();
  void show_role(RolePanel& panel);
  void show_request();
  void show_chart(const std::string& figure_id);
  void show_notes();
  void move_queue(const QString& host);
  void take_filters();
  void take_error(const Result<void>& result);
  // Asks, if it has to be asked. `then` may be empty.
  void if_allowed(const std::function<Result<void>()>& start, const std::function<void()>& then = {});
  const plan::RunPlan& shown_plan() const;
  std::vector<RolePanel*> panels() const;

  plan::PlanEditor& editor_;
  run::RunSequence& sequence_;
  plan::Permissions& permissions_;
  QSettings& settings_;
  RunBar* bar_;
  RunTiles* tiles_;
  RepeatsField* repeats_;
  Requests* requests_;
  ServicePanel* senders_;
  QueuePanel* queue_;
  ServicePanel* receivers_;
  RunLog* log_;
  FilterEditor* filters_;
  TileLimits* limits_;
  LiveView* live_;
  ServiceLogs* logs_;
  StartCheck* check_;
  StartForecast* forecast_;
  QAction* pin_;
  RoleColumns* columns_;
  std::optional<plan::PlanFile> started_;  // that the figures on the page are of
};

}  // namespace n2nq::ui
