// The layers of a run as they are kept: from what its workers have said so far. Pure; any thread.
#pragma once

#include <vector>

#include "app/live/live_figures.h"
#include "app/record/run_record.h"

namespace n2nq::record {

// Host by host, in each the layers that something is known of, from the network up.
std::vector<LayerRecord> layers_of(const live::LiveFigures& live);

}  // namespace n2nq::record
