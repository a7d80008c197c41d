#include "app/figures/histogram_bins.h"

#include <algorithm>
#include <array>
#include <bit>

#include "app/figures/quantiles.h"

namespace n2nq::figures {
namespace {

// What is drawn is at most so many times as wide as its middle 80 %.
constexpr int64_t kWidest = 12;

struct Span {
  int64_t lowest_ns = 0;
  int64_t highest_ns = 0;
};

// From the widest on, the first that leaves the body of the values enough room.
Span drawn_span(const measure::Histogram& histogram) {
  constexpr std::array<double, 10> percentiles = {0, 0.1, 1, 2.5, 10, 90, 97.5, 99, 99.9, 100};
  const auto values = quantiles(histogram, percentiles);
  const int64_t body = std::max<int64_t>(values[5] - values[4], 1);
  for (size_t cut = 0; cut < 3; cut++) {
    const Span span{.lowest_ns = values[cut], .highest_ns = values[percentiles.size() - 1 - cut]};
    if ((span.highest_ns - span.lowest_ns) / kWidest <= body) return span;
  }
  return {.lowest_ns = values[3], .highest_ns = values[6]};
}

// Bins are 2^k ns wide and start at multiples of that, so that each bucket of the histogram lies in one of them.
// Buckets of negative values mirror, and so do the bins.
int64_t bin_of(int64_t value_ns, int k) {
  return value_ns >= 0 || k == 0 ? value_ns >> k : -1 - (-value_ns >> k);
}
HistogramBin make_bin(int64_t bin, int k) {
  if (bin >= 0 || k == 0) return {.lowest_ns = bin << k, .highest_ns = ((bin + 1) << k) - 1};
  return {.lowest_ns = -((-bin << k) - 1), .highest_ns = -((-1 - bin) << k)};
}

int bits_for(const Span& span) {
  const auto furthest = static_cast<uint64_t>(std::max(std::abs(span.lowest_ns), std::abs(span.highest_ns)));
  int k = std::max(0, static_cast<int>(std::bit_width(furthest)) - 11);  // as wide as the widest bucket
  while (bin_of(span.highest_ns, k) - bin_of(span.lowest_ns, k) + 1 > static_cast<int64_t>(kMaxBins)) k++;
  return k;
}

}  // namespace

HistogramBins bins_of(const measure::Histogram& histogram) {
  HistogramBins result;
  if (histogram.count() == 0) return result;
  const Span span = drawn_span(histogram);
  const int k = bits_for(span);
  const int64_t first = bin_of(span.lowest_ns, k);
  const int64_t last = bin_of(span.highest_ns, k);
  for (int64_t bin = first; bin <= last; bin++) result.bins.push_back(make_bin(bin, k));
  histogram.for_each([&](const measure::Bucket& bucket) {
    const int64_t bin = bin_of(bucket.index >= 0 ? bucket.lowest_ns : bucket.highest_ns, k);
    if (bin < first)
      result.below += bucket.count;
    else if (bin > last)
      result.above += bucket.count;
    else
      result.bins[static_cast<size_t>(bin - first)].count += bucket.count;
  });
  return result;
}

}  // namespace n2nq::figures
