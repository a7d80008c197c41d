// The headline of a run: what is sent and received each second, the latency, what was lost, each with its course over
// about the last minute. A click on one asks for its chart. UI thread.
#pragma once

#include <QWidget>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/record/shown_latency.h"
#include "app/run/run_session.h"

namespace n2nq::ui::theme {
class Tile;
}

namespace n2nq::ui {

enum class RunFigure : uint8_t { sent, received, mean, p50, p99, lost };  // mean: with the trimmed mean beside it
inline constexpr std::array kRunFigures{RunFigure::sent, RunFigure::received, RunFigure::mean,
                                        RunFigure::p50,  RunFigure::p99,      RunFigure::lost};

// Whose value it is, as limits and results name it.
std::string_view metric_of(RunFigure figure, bool replies);

class RunTiles : public QWidget {
  Q_OBJECT

 public:
  explicit RunTiles(QWidget* parent = nullptr);

  theme::Tile& tile(RunFigure figure) { return *tiles_[static_cast<size_t>(figure)]; }
  void start_anew();  // another session: nothing of the last one stays
  // Ten times a second, with the tables: all that is shown is of one moment.
  void look_at(const run::RunSession& session);
  // Of the run, or of the plan before one: requests and replies have names and figures of their own.
  void show_mode(bool replies);
  bool replies() const { return replies_; }

 Q_SIGNALS:
  void chart_wanted(const std::string& figure_id);

 private:
  void show(RunFigure figure, const std::string& with_unit);
  void show_values(const figures::RunView& run);
  void show_means(const measure::LatencySummary& latency);
  void show_rate(RunFigure figure, const figures::RunView& run);
  std::optional<double> lost_of(const figures::RunView& run) const;  // in request-reply mode requests that timed out
  void show_lost(const figures::RunView& run);
  void show_course(const run::RunSession& session, const figures::RunView& run);
  void choose_latency(const live::TimeSeries& series, const figures::RunView& run);
  void name_tiles();
  void push_latencies(const live::SeriesPoint& point);

  std::array<theme::Tile*, kRunFigures.size()> tiles_{};
  bool replies_ = false;
  bool intended_ = false;      // which latencies they show
  int64_t told_until_ns_ = 0;  // since BEGIN: up to there the courses are shown
};

}  // namespace n2nq::ui
