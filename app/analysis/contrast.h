// A weighted sum of the means of several groups of runs, and how far it may be off: one group against another, the
// slope over many. Each group has a spread of its own (Welch, Satterthwaite). Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::analysis {

struct Group {
  std::vector<double> values{};  // one of each run
  double weight = 1;
};

// linear: sum of weight x mean. logarithm: the exponential of that sum over the logarithms: with weights 1 and -1 the
// ratio of two geometric means, as compare_runs() has it.
enum class Scale { linear, logarithm };

struct Contrast {
  double estimate = 0;
  double low = 0;  // its confidence interval
  double high = 0;
  double confidence = 0.95;
  size_t runs = 0;
};

// The error says why these runs allow no statement: fewer than kLeastRuns (run_comparison.h) in a group, or figures
// that are not above 0 where logarithms are taken.
Result<Contrast> contrast_of(std::span<const Group> groups, Scale scale, double confidence = 0.95);

// The weights by which the means at these x give the slope of the straight line through them; of at least two x that
// differ.
std::vector<double> slope_weights(std::span<const double> x);

}  // namespace n2nq::analysis
