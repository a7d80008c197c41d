// Many percentiles of a histogram in one pass over it. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workers/measure/histogram.h"

namespace n2nq::figures {

// One for each of the ascending `percentiles` (0 to 100), as measure::summarize() reads them; nothing without values.
std::vector<int64_t> quantiles(const measure::Histogram& histogram, std::span<const double> percentiles);

}  // namespace n2nq::figures
