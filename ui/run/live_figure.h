// The figures of a run that is under way, built when its charts ask for them: of what there is now, or, while the
// charts are paused, of what there was then; before the first run, of its plan. UI thread.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/figures/figures.h"
#include "app/run/run_session.h"

namespace n2nq::ui::charts {
class ChartTabs;
}

namespace n2nq::ui {

class LiveCharts : public QObject {
  Q_OBJECT

 public:
  using SessionOf = std::function<const run::RunSession*()>;  // the current one; null: before the first run

  // Belongs to the charts, and is their source.
  LiveCharts(charts::ChartTabs& charts, SessionOf session);

  void start_anew();  // the session is another one
  // Of the next run: where there is no other picture, and its load beside that of a run that is over.
  void show_plan(const plan::RunPlan& plan);

 private:
  void hold(bool paused);
  // Times since BEGIN in ns, of figures over time.
  figures::Figure figure(const std::string& id, double from_x, double to_x) const;
  std::string happened(double at_x) const;
  figures::FigureContext context(const figures::RunView& run) const;
  void draw_planned(figures::Figure& figure, const run::RunSession& session) const;

  charts::ChartTabs& charts_;
  SessionOf session_;
  record::RunRecord planned_;                        // the next run: the plan that is edited
  const live::LiveFigures nobody_{0, 0};             // has said anything in it
  std::unique_ptr<const figures::HeldView> held_{};  // while the charts are paused in a run
  struct Known {
    size_t notes = 0;
    size_t requests = 0;
    int64_t until_ns = 0;  // what lasts is known up to then
    int64_t second = -1;   // then others on the hosts were looked for
    std::vector<figures::Stretch> others{};
    figures::FigureContext context{};
  };
  mutable std::optional<Known> known_{};  // of the run that is drawn, up to so many notes and requests
};

}  // namespace n2nq::ui
