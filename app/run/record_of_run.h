// What is kept of a run, from what its workers said: their summaries where there are any, else their last telemetry.
// UI thread.
#pragma once

#include "app/live/live_figures.h"
#include "app/results/run_record.h"
#include "app/run/worker_group.h"

namespace n2nq::run {

struct Groups {
  const WorkerGroup& broker;
  const WorkerGroup& senders;
  const WorkerGroup& receivers;
};

// Totals, latencies, services, losses, processes, series, histograms and clocks; the rest is left as it is.
void fill_record(results::RunRecord& record, const Groups& groups, const live::LiveFigures& live);

}  // namespace n2nq::run
