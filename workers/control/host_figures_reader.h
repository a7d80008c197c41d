// Reads what a recorder has said back from its line. Any thread.
#pragma once

#include "workers/control/host_figures.h"
#include "workers/control/json_fields.h"

namespace n2nq::control {

// At most 1,024 processes, 8 sides of connections and 256 reasons; counters and gauges are 0 or more.
Recorded read_recorded(Fields& fields);

}  // namespace n2nq::control
