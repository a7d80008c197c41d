// A histogram as the percentile distribution of HdrHistogram (.hgrm), which its plotters read. Pure; any thread.
#pragma once

#include <string>

#include "workers/measure/histogram.h"

namespace n2nq::figures {

// Values in microseconds, five steps for each half of what is left up to 100 %, as HdrHistogram writes them.
std::string distribution_text(const measure::Histogram& histogram);

}  // namespace n2nq::figures
