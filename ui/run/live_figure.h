// The figures of a run that is under way, built when its charts ask for them. While the charts are paused they show
// what there was then: of this there is a copy, as far as it has no time to be cut at. UI thread.
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

struct HeldFigures;

class LiveCharts : public QObject {
  Q_OBJECT

 public:
  using SessionOf = std::function<const run::RunSession*()>;  // the current one; null: before the first run

  // Belongs to the charts, and is their source.
  LiveCharts(charts::ChartTabs& charts, SessionOf session);
  ~LiveCharts() override;

  void start_anew();  // the session is another one
  // How the load of the next run will be, where there is no other picture, or beside that of a run that is over.
  void show_plan(const plan::RunPlan& plan);

 private:
  void hold(bool paused);
  // Times since BEGIN in ns, of figures over time.
  figures::Figure figure(const std::string& id, double from_x, double to_x) const;

  figures::FigureContext context(const run::RunSession& session) const;
  figures::FigureContext context_before() const;

  struct Known {  // of what happened, and of how much of the run's log
    const run::RunSession* session = nullptr;
    size_t notes = 0;
    size_t requests = 0;
    figures::Landmarks landmarks{};
    record::Pauses pauses{};
    std::vector<record::Pause> receiver_pauses{};
    std::optional<double> due_per_message{};
    std::optional<measure::LoadProfile> asked{};
    std::optional<uint64_t> asked_messages{};
  };

  charts::ChartTabs& charts_;
  SessionOf session_;
  mutable Known known_;
  struct Planned {  // of the plan that is edited
    measure::LoadShape shape{};
    std::optional<uint64_t> messages{};
    bool replies = false;
    plan::BusPlan bus{};
    bool operator==(const Planned&) const = default;
  };
  void draw_planned(figures::Figure& figure, const run::RunSession& session) const;
  Planned planned_;
  std::unique_ptr<HeldFigures> held_;  // while the charts are paused in a run
};

}  // namespace n2nq::ui
