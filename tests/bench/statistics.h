// Quantiles of a handful of numbers.
#pragma once

#include <algorithm>
#include <vector>

namespace n2nq::bench {

struct Spread {
  double low = 0;  // 5 %
  double median = 0;
  double high = 0;  // 95 %
};

// Between the two nearest values, linearly; of nothing it is 0.
inline double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return 0;
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

inline Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  return {.low = quantile(values, 0.05), .median = quantile(values, 0.5), .high = quantile(values, 0.95)};
}

}  // namespace n2nq::bench
