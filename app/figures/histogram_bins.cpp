#include "app/figures/histogram_bins.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

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

// A tail that is still far beyond the median once its outermost part was left out.
bool is_heavy(const measure::Histogram& histogram, const Span& span) {
  constexpr int64_t kFar = 10;        // times the median
  constexpr int64_t kLeastNs = 1000;  // below, whole nanoseconds are wider than the bins
  return span.lowest_ns >= kLeastNs && span.highest_ns > kFar * histogram.quantile(0.5);
}

HistogramBins growing_bins(const measure::Histogram& histogram, int64_t lowest_ns) {
  const auto per_decade = [&](double wanted) {
    const double decades = std::log10(static_cast<double>(histogram.moments().max_ns) / static_cast<double>(lowest_ns));
    return decades * wanted + 2 > static_cast<double>(kMaxBins) ? wanted / 2 : wanted;
  }(20);
  const auto bin_at = [&](int64_t ns) {
    return static_cast<int64_t>(std::floor(std::log10(static_cast<double>(std::max<int64_t>(ns, 1))) * per_decade));
  };
  const auto edge = [&](int64_t bin) { return std::llround(std::pow(10.0, static_cast<double>(bin) / per_decade)); };
  HistogramBins result{.by_decades = true};
  const int64_t first = bin_at(lowest_ns);
  const int64_t last = bin_at(histogram.moments().max_ns);
  for (int64_t bin = first; bin <= last; bin++)
    result.bins.push_back({.lowest_ns = edge(bin), .highest_ns = edge(bin + 1) - 1});
  histogram.for_each([&](const measure::Bucket& bucket) {
    const int64_t bin = bin_at(bucket.lowest_ns + (bucket.highest_ns - bucket.lowest_ns) / 2);
    if (bucket.lowest_ns <= 0 || bin < first)
      result.below += bucket.count;
    else
      result.bins[static_cast<size_t>(std::min(bin, last) - first)].count += bucket.count;
  });
  return result;
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
  if (is_heavy(histogram, span)) return growing_bins(histogram, span.lowest_ns);
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
