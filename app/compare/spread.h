// How the messages of runs are spread, from their histograms: boxes, densities, and what is left of them where the
// slowest are not looked at. Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "app/analysis/box.h"
#include "app/figures/figure.h"
#include "workers/measure/histogram.h"

namespace n2nq::compare {

// Quartiles, whiskers and mean of all values; beyond the whiskers at most kMostOutside values, the extremes among them.
inline constexpr size_t kMostOutside = 40;
std::optional<analysis::Box> box_of(const measure::Histogram& histogram, analysis::Whiskers whiskers);

// How dense the values are from the shortest to the longest, by value or by its logarithm, ascending by y; the widest
// place has x = 1.
std::vector<figures::Point> outline_of(const measure::Histogram& histogram, bool by_decades);

// Without the slowest share (0 to 1) of the values; rounded to whole values, so that something is left.
measure::Histogram without_slowest(const measure::Histogram& histogram, double share);

}  // namespace n2nq::compare
