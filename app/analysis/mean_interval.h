// The mean of one figure over the repeats of a run, and how far it may be off. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace n2nq::analysis {

struct MeanInterval {
  size_t runs = 0;
  double mean = 0;
  double low = 0;  // the mean's confidence interval, by Student's t; of one run: the mean itself
  double high = 0;
  double smallest = 0;
  double largest = 0;
};

// Nothing without values.
std::optional<MeanInterval> mean_interval(std::span<const double> values, double confidence = 0.95);
// For what cannot be below 0, as latencies of one clock, rates and counts: where all values are above 0, by Student's t
// of the mean's logarithm, so that it is above 0 too and reaches further up than down; else as above, cut off at 0
// where no value is below.
std::optional<MeanInterval> positive_mean_interval(std::span<const double> values, double confidence = 0.95);

double mean_of(std::span<const double> values);      // of at least one
double variance_of(std::span<const double> values);  // of the sample (n - 1); of at least two

}  // namespace n2nq::analysis
