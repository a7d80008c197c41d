#include "app/compare/spread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace n2nq::compare {
namespace {

using analysis::Box;
using analysis::Whiskers;
using measure::Bucket;
using measure::Histogram;

constexpr size_t kCloudSteps = 80;

struct Reach {
  double low = 0;
  double high = 0;
};

// To the last values within 1.5 boxes.
Reach tukey_reach(const Histogram& histogram, const Box& box) {
  const double far = 1.5 * (box.upper_quartile - box.lower_quartile);
  Reach reach{.low = box.lower_quartile, .high = box.upper_quartile};
  histogram.for_each([&](const Bucket& bucket) {
    const auto value = static_cast<double>(bucket.highest_ns);
    if (value >= box.lower_quartile - far) reach.low = std::min(reach.low, value);
    if (value <= box.upper_quartile + far) reach.high = std::max(reach.high, value);
  });
  return reach;
}

Reach reach_of(const Histogram& histogram, const Box& box, Whiskers whiskers) {
  const auto quantile = [&](double q) { return static_cast<double>(histogram.quantile(q)); };
  switch (whiskers) {
    case Whiskers::extremes:
      return {static_cast<double>(histogram.moments().min_ns), static_cast<double>(histogram.moments().max_ns)};
    case Whiskers::p5_p95:
      return {quantile(0.05), quantile(0.95)};
    case Whiskers::p1_p99:
      return {quantile(0.01), quantile(0.99)};
    case Whiskers::tukey:
      break;
  }
  return tukey_reach(histogram, box);
}

// Evenly from all of them, first and last included.
std::vector<double> some_of(const std::vector<double>& values) {
  if (values.size() <= kMostOutside) return values;
  std::vector<double> some;
  for (size_t i = 0; i < kMostOutside; i++) some.push_back(values[i * (values.size() - 1) / (kMostOutside - 1)]);
  return some;
}

}  // namespace

std::optional<Box> box_of(const Histogram& histogram, Whiskers whiskers) {
  if (histogram.count() == 0) return std::nullopt;
  const auto quantile = [&](double q) { return static_cast<double>(histogram.quantile(q)); };
  Box box{.count = histogram.count(),
          .lower_quartile = quantile(0.25),
          .median = quantile(0.5),
          .upper_quartile = quantile(0.75),
          .mean = histogram.moments().mean()};
  const Reach reach = reach_of(histogram, box, whiskers);
  box.low_whisker = reach.low;
  box.high_whisker = reach.high;
  std::vector<double> outside;
  histogram.for_each([&](const Bucket& bucket) {
    const auto value = static_cast<double>(bucket.highest_ns);
    if (value < reach.low || static_cast<double>(bucket.lowest_ns) > reach.high) outside.push_back(value);
  });
  box.outside = some_of(outside);
  return box;
}

std::vector<figures::Point> outline_of(const Histogram& histogram, bool by_decades) {
  double lowest = 0, highest = 0;
  bool any = false;
  histogram.for_each([&](const Bucket& bucket) {
    if (!std::exchange(any, true)) lowest = static_cast<double>(bucket.lowest_ns);
    highest = static_cast<double>(bucket.highest_ns);
  });
  if (!any) return {};
  const auto along = [by_decades](double ns) { return by_decades ? std::log10(std::max(ns, 1.0)) : ns; };
  const double from = along(lowest), length = along(highest) - from;
  std::array<double, kCloudSteps + 2> counts{};  // an empty one at each end
  histogram.for_each([&](const Bucket& bucket) {
    const double middle = (static_cast<double>(bucket.lowest_ns) + static_cast<double>(bucket.highest_ns)) / 2;
    const double step = length > 0 ? (along(middle) - from) / length * kCloudSteps : 0;
    counts[1 + std::min(static_cast<size_t>(std::max(step, 0.0)), kCloudSteps - 1)] +=
        static_cast<double>(bucket.count);
  });
  std::vector<figures::Point> outline;
  double widest = 1;
  for (size_t i = 1; i <= kCloudSteps; i++) {
    // With its neighbours: steps are small, and what they count wobbles.
    const double width = counts[i - 1] + 2 * counts[i] + counts[i + 1];
    widest = std::max(widest, width);
    const double middle = from + (static_cast<double>(i) - 0.5) * length / kCloudSteps;
    outline.push_back({.x = width, .y = by_decades ? std::pow(10, middle) : middle});
  }
  // From the shortest to the longest: nothing is left out.
  outline.front().y = lowest;
  outline.back().y = highest;
  for (figures::Point& at : outline) at.x /= widest;
  return outline;
}

Histogram without_slowest(const Histogram& histogram, double share) {
  Histogram kept;
  const auto all = static_cast<double>(histogram.count());
  uint64_t left = histogram.count() - static_cast<uint64_t>(std::floor(all * std::clamp(share, 0.0, 0.99)));
  measure::Moments moments;
  histogram.for_each([&](const Bucket& bucket) {
    const uint64_t count = std::min(left, bucket.count);
    if (count == 0) return;
    left -= count;
    kept.add_bucket(bucket.index, count);
    const int64_t middle = bucket.lowest_ns + (bucket.highest_ns - bucket.lowest_ns) / 2;
    if (moments.count == 0) moments.min_ns = std::max(histogram.moments().min_ns, bucket.lowest_ns);
    moments.max_ns = std::min(histogram.moments().max_ns, bucket.highest_ns);
    moments.count += count;
    moments.sum_ns += static_cast<measure::int128>(middle) * count;
    moments.squares += static_cast<uint128>(static_cast<measure::int128>(middle) * middle) * count;
  });
  kept.add_moments(moments, 0);
  return kept;
}

}  // namespace n2nq::compare
