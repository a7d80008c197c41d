// The figures of a run that is in progress, built from its live figures when a chart asks. UI thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/results/figures.h"
#include "app/run/run_session.h"

namespace n2nq::run {

// What the figures showed when the charts were paused: of what has no time to be cut at, a copy.
struct HeldFigures {
  results::FigureContext context{};
  int64_t until_ns = 0;
  measure::Histogram latency{};
  measure::Histogram scheduled_latency{};
  std::vector<live::ServiceFigures> receivers{};
  std::vector<results::LayerRecord> layers{};
  results::Figure waiting{};
  results::Figure queue_length{};
};
HeldFigures hold_figures(const RunSession& session);

// `from_x` and `to_x` are times since BEGIN in ns, of figures over time. `held`: as they were then; null: as they are.
results::Figure live_figure(const RunSession& session, const HeldFigures* held, const std::string& id, double from_x,
                            double to_x);
// Before the first run: axes, and what to do.
results::Figure no_figure(const std::string& id);

}  // namespace n2nq::run
