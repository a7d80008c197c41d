// Moments as they travel in telemetry and results (doubles), turned back into those of a histogram. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "workers/control/telemetry.h"
#include "workers/measure/moments.h"

namespace n2nq::live {

// Nothing where no set of values has such moments. With `counted` values of them in buckets (0 < counted <= count) the
// sums are those of so many values of the same mean and spread: histograms read percentiles off their count.
std::optional<measure::Moments> moments_of(const control::HistogramMoments& exported, uint64_t counted);
control::HistogramMoments export_moments(const measure::Moments& moments);

}  // namespace n2nq::live
