// The figures of a run that is under way, built when its charts ask for them. While the charts are paused they show
// what there was then: of this there is a copy, as far as it has no time to be cut at. UI thread.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <string>

#include "app/figures/figures.h"
#include "app/run/run_session.h"

namespace n2nq::ui::charts {
class ChartTabs;
}

namespace n2nq::ui {

struct HeldFigures;

class LiveCharts : public QObject {
  Q_OBJECT

 public:
  using SessionOf = std::function<const run::RunSession*()>;  // the current one; null: before the first run

  // Belongs to the charts, and is their source.
  LiveCharts(charts::ChartTabs& charts, SessionOf session);
  ~LiveCharts() override;

  void start_anew();  // the session is another one

 private:
  void hold(bool paused);
  // Times since BEGIN in ns, of figures over time.
  figures::Figure figure(const std::string& id, double from_x, double to_x) const;

  figures::FigureContext context(const run::RunSession& session) const;

  struct Known {  // of what happened, and of how much of the run's log
    const run::RunSession* session = nullptr;
    size_t notes = 0;
    size_t requests = 0;
    std::vector<figures::Landmark> landmarks{};
  };

  charts::ChartTabs& charts_;
  SessionOf session_;
  mutable Known known_;
  std::unique_ptr<HeldFigures> held_;  // while the charts are paused in a run
};

}  // namespace n2nq::ui
