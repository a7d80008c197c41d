// How much more one set of runs scatters than another: the ratio of the standard deviations of their logarithms. Each
// group of a set has a mean of its own; how much runs scatter is taken to be the same in all groups of a set. The
// interval is that of Fisher's F, which takes the logarithms of runs to be normal. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "app/analysis/contrast.h"
#include "broker/base/result.h"

namespace n2nq::analysis {

struct SpreadRatio {
  Contrast ratio{};           // of a to b
  double of_a = 0, of_b = 0;  // standard deviations of the logarithms
};

// The error says why these runs allow no statement: fewer than kLeastRuns (run_comparison.h) in a group, figures that
// are not above 0, or a set whose runs do not differ at all.
Result<SpreadRatio> spread_ratio_of(std::span<const std::vector<double>> a, std::span<const std::vector<double>> b,
                                    double confidence = 0.95);

}  // namespace n2nq::analysis
