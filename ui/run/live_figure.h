// The figures of a run that is under way, built from its live figures when a chart asks. UI thread.
#pragma once

#include <string>

#include "app/results/figures.h"
#include "app/run/run_session.h"

namespace n2nq::run {

// `from_x` and `to_x` are times since BEGIN in ns, of figures over time.
results::Figure live_figure(const RunSession& session, const std::string& id, double from_x, double to_x);
// Before the first run: axes, and what to do.
results::Figure no_figure(const std::string& id);

}  // namespace n2nq::run
