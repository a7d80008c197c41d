#include "app/figures/quantiles.h"

#include <algorithm>
#include <cmath>

namespace n2nq::figures {
namespace {

// How many values are at most the percentile; a step down first, so that a product rounded up does not ask for one
// more.
uint64_t rank_of(double percentile, uint64_t count) {
  const double below = std::clamp(std::nextafter(percentile / 100, 0.0), 0.0, 1.0);
  const auto rank = std::ceil(static_cast<long double>(below) * static_cast<long double>(count));
  return std::max(static_cast<uint64_t>(rank), uint64_t{1});
}

}  // namespace

std::vector<int64_t> quantiles(const measure::Histogram& histogram, std::span<const double> percentiles) {
  std::vector<int64_t> values;
  if (histogram.count() == 0) return values;
  const measure::Moments& exact = histogram.moments();
  uint64_t reached = 0;
  histogram.for_each([&](const measure::Bucket& bucket) {
    reached += bucket.count;
    while (values.size() < percentiles.size() && rank_of(percentiles[values.size()], histogram.count()) <= reached)
      values.push_back(std::clamp(bucket.highest_ns, exact.min_ns, exact.max_ns));
  });
  values.resize(percentiles.size(), exact.max_ns);
  return values;
}

}  // namespace n2nq::figures
