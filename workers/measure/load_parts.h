// The parts of a load shape between which its rate changes: a ramp, steps, a spike or bursts, and the time between.
// Pure; any thread.
#pragma once

#include <cstdint>

#include "workers/measure/load_shape.h"

namespace n2nq::measure {

// How long the part takes in which that time since the begin lies.
int64_t part_length_ns(const LoadShape& shape, int64_t t_ns);
// How long so many messages take at the most, wherever they begin; what lies before the first and after the last one
// too.
int64_t longest_ns(const LoadShape& shape, double messages);

}  // namespace n2nq::measure
