// The part of a report that sets runs side by side: the repeats of each plan together, each of them measured against
// the first. Pure; any thread.
#pragma once

#include <vector>

#include "app/compare/side.h"
#include "app/record/run_record.h"
#include "app/report/report.h"

namespace n2nq::report {

// Latency by percentile of each side's merged histograms.
figures::Figure overlay_figure(const std::vector<compare::Side>& sides);
// A metric of every run, side beside side.
figures::Figure runs_figure(const std::vector<compare::Side>& sides, const char* metric);
// What each side promises, and of the settings those in which they differ; for a few sides.
void add_promises(Report& report, const std::vector<compare::Side>& sides);
void add_comparisons(Report& report, const std::vector<compare::Side>& sides);

}  // namespace n2nq::report
