#include "app/statistics/proportion.h"

#include <gsl/gsl_cdf.h>

#include <algorithm>
#include <cmath>

namespace n2nq::statistics {

Share share_interval(size_t held, size_t runs, double confidence) {
  if (runs == 0) return {};
  const auto n = static_cast<double>(runs);
  const double share = static_cast<double>(held) / n;
  const double z = gsl_cdf_ugaussian_Pinv(0.5 + confidence / 2);
  const double scale = 1 + z * z / n;
  const double middle = (share + z * z / (2 * n)) / scale;
  const double half = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale;
  return {.low = held == 0 ? 0 : std::max(0.0, middle - half), .high = held == runs ? 1 : std::min(1.0, middle + half)};
}

}  // namespace n2nq::statistics
