// What the workers of a run have said so far, as results have it. UI thread, as live figures.
#pragma once

#include <string>
#include <vector>

#include "app/live/live_figures.h"
#include "app/record/run_record.h"

namespace n2nq::record {

// Latencies, services, layers, hosts, and how far clocks may be off; the rest is left as it is.
void take_figures(RunRecord& record, const live::LiveFigures& live);

// As far as workers tell them while they go on. What the queue alone knows of, and tells at its end, is not in them.
// `record`: of the run, with what its plan means to be sent.
RunTotals totals_of(const live::LiveFigures& live, const RunRecord& record);

// Host by host, in each the layers that something is known of, from the network up.
std::vector<LayerRecord> layers_of(const live::LiveFigures& live);

// The worst of all clocks is that of the run.
void add_clock(RunRecord& record, const std::string& kind, const std::optional<uint64_t>& bound_ns);

}  // namespace n2nq::record
