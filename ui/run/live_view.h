// What the run shows of itself, pulled at each tick of one clock that runs only while a run is on: tables, totals,
// charts, the bar, the tiles. Out of sight only the trends of rows go on; a last look follows the end. UI thread.
#pragma once

#include <QSettings>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

#include "app/live/warnings.h"
#include "app/run/run_sequence.h"
#include "ui/charts/chart_tabs.h"
#include "ui/run/run_totals.h"
#include "ui/services/service_table.h"
#include "ui/services/told_figures.h"

namespace n2nq::ui {

class RolePanel;
class RunBar;
class LiveCharts;
class QueueFlow;
class RunTiles;
class TileLimits;

class LiveView : public QObject {
  Q_OBJECT

 public:
  // What is refreshed with the tables and charts.
  struct Parts {
    RunBar& bar;
    RunTiles& tiles;
    TileLimits& limits;
    QueueFlow& flow;
    std::vector<RolePanel*> panels;
  };
  LiveView(run::RunSequence& sequence, Parts parts, QWidget* page);

  RunTotals& totals() { return totals_; }
  ServiceTable* sender_table() { return sender_table_; }
  ServiceTable* receiver_table() { return receiver_table_; }
  charts::ChartTabs* charts() { return charts_; }

  void follow();  // after each change of the sequence
  void look();    // once, where the page is in sight
  // Each warning once: the bar has the first of them, the cards the others. After the run the bar has the verdict
  // instead, which names the limits that one run exceeded.
  static std::vector<live::LiveWarning> for_cards(std::vector<live::LiveWarning> warnings, bool active, size_t runs);
  void show_plan(const plan::RunPlan& plan);  // before the first run: which figures there will be
  // What a person chose of tables and charts.
  void save(QSettings& settings) const;
  void restore(const QSettings& settings);

 Q_SIGNALS:
  void open_log(n2nq::Role role, uint32_t service);
  void slowest_wanted(n2nq::Role role, uint32_t service);
  void second_passed(const n2nq::ui::ToldRates& sent, const n2nq::ui::ToldRates& received);  // when it is over, none

 private:
  bool in_sight() const;
  void show_session();
  void remember_figures();
  void highlight();
  void tick();
  void pass_by();
  void look_at_warnings();
  void show_warnings();
  void tell_rates();
  FiguresSource source(Role role) const;
  void take_rows(const run::RunSession& session);
  static void take_back_to(std::vector<live::ServiceFigures>& senders, std::span<const int64_t> sent);

  run::RunSequence& sequence_;
  Parts parts_;
  QWidget* page_;
  // As they were at the last look: a row that is painted later is of the same moment as the figures above it.
  // Before the tables, which ask for them as soon as they are made.
  std::vector<live::ServiceFigures> sender_rows_;
  std::vector<live::ServiceFigures> receiver_rows_;
  RunTotals totals_;
  ServiceTable* sender_table_;
  ServiceTable* receiver_table_;
  charts::ChartTabs* charts_;
  LiveCharts* figures_;                      // that the charts show
  std::vector<live::LiveWarning> warnings_;  // of the last second that was looked at
  std::vector<figures::Figure> previous_;    // of the last run that ended
  QTimer clock_;
  int ticks_ = 0;
};

}  // namespace n2nq::ui
