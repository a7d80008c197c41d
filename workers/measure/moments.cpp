#include "workers/measure/moments.h"

#include <algorithm>
#include <cmath>

namespace n2nq::measure {

void Moments::add(const Moments& other) {
  count += other.count;
  min_ns = std::min(min_ns, other.min_ns);
  max_ns = std::max(max_ns, other.max_ns);
  sum_ns += other.sum_ns;
  squares += other.squares;
  wild_squares += other.wild_squares;
}

double Moments::mean() const {
  if (count == 0) return 0;
  return static_cast<double>(static_cast<long double>(sum_ns) / static_cast<long double>(count));
}

double Moments::stddev() const {
  if (count == 0) return 0;
  const auto n = static_cast<long double>(count);
  if (wild_squares != 0) {
    const long double average = static_cast<long double>(sum_ns) / n;
    const long double variance = (static_cast<long double>(squares) + wild_squares) / n - average * average;
    return static_cast<double>(std::sqrt(std::max(variance, 0.0L)));
  }
  // Squares about a whole number near the mean, in integers: subtracting two huge floating sums would leave nothing of
  // a small spread. The steps may wrap, the result cannot: it is not negative and no larger than `squares` allows.
  const int128 near_mean = sum_ns / static_cast<int128>(count);
  const auto m = static_cast<uint128>(near_mean);
  const uint128 about = squares - 2 * m * static_cast<uint128>(sum_ns) + static_cast<uint128>(count) * m * m;
  const long double rest = static_cast<long double>(sum_ns - near_mean * static_cast<int128>(count)) / n;
  const long double variance = static_cast<long double>(about) / n - rest * rest;
  return static_cast<double>(std::sqrt(std::max(variance, 0.0L)));
}

}  // namespace n2nq::measure
