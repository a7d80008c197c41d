// What the workers of a run have said so far, as it is kept. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/live/live_figures.h"
#include "app/record/run_record.h"

namespace n2nq::record {

// Latencies, services, layers, series, hosts, and how far clocks may be off; the rest is left as it is.
void take_figures(RunRecord& record, const live::LiveFigures& live);

// Host by host, in each the layers that something is known of, from the network up.
std::vector<LayerRecord> layers_of(const live::LiveFigures& live);

// The worst of all clocks is that of the run.
void take_clocks(RunRecord& record, const std::string& kind, const std::optional<uint64_t>& bound_ns);

}  // namespace n2nq::record
