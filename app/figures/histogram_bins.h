// The bins of a histogram as it is drawn: equally wide, at most kMaxBins, negative values included. Where a long tail
// would squeeze the rest into a few bins it is left out, and counted; where it is too much to be left out, each bin is
// as many times as wide as the one before, and all is there. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "workers/measure/histogram.h"

namespace n2nq::figures {

inline constexpr size_t kMaxBins = 120;

struct HistogramBin {
  int64_t lowest_ns = 0;
  int64_t highest_ns = 0;
  uint64_t count = 0;
  bool operator==(const HistogramBin&) const = default;
};
struct HistogramBins {
  std::vector<HistogramBin> bins{};  // ascending, without gaps; none without values
  uint64_t above = 0;                // values that are not in a bin
  uint64_t below = 0;
  bool by_decades = false;  // bins grow, so many to each power of ten
};
HistogramBins bins_of(const measure::Histogram& histogram);

}  // namespace n2nq::figures
