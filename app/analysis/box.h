// What a box plot shows of a handful of numbers. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace n2nq::analysis {

// How far the whiskers reach: to the last value within 1.5 times the box's height from it, to the smallest and largest
// value, or to percentiles.
enum class Whiskers { tukey, extremes, p5_p95, p1_p99 };

struct Box {
  size_t count = 0;
  double low_whisker = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double high_whisker = 0;
  double mean = 0;
  std::vector<double> outside{};  // beyond the whiskers, ascending
};

// Nothing without values.
std::optional<Box> box_of(std::span<const double> values, Whiskers whiskers);

// Between the two nearest of the ascending values, linearly; q in [0, 1]; of at least one value.
double quantile_of(std::span<const double> ascending, double q);

}  // namespace n2nq::analysis
