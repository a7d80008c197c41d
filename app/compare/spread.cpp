#include "app/compare/spread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "app/plan/exact_text.h"
#include "app/text/number.h"
#include "broker/base/units.h"

namespace n2nq::compare {
namespace {

using measure::Bucket;
using measure::Histogram;

constexpr size_t kCloudSteps = 80;
constexpr double kMostLeftOut = 49;  // percent, at either end
constexpr std::string_view kTukeyText = "1.5 boxes";
constexpr std::string_view kTo = " to ";

std::string plain(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", number);
  return digits;
}

struct Reach {
  double low = 0;
  double high = 0;
};

// To the last values within 1.5 boxes.
Reach tukey_reach(const Histogram& histogram, const figures::BoxMarks& box) {
  const double far = 1.5 * (box.upper_quartile - box.lower_quartile);
  Reach reach{.low = box.lower_quartile, .high = box.upper_quartile};
  histogram.for_each([&](const Bucket& bucket) {
    const auto value = static_cast<double>(bucket.highest_ns);
    if (value >= box.lower_quartile - far) reach.low = std::min(reach.low, value);
    if (value <= box.upper_quartile + far) reach.high = std::max(reach.high, value);
  });
  return reach;
}

Reach reach_of(const Histogram& histogram, const figures::BoxMarks& box, const Whiskers& whiskers) {
  if (whiskers == kTukey) return tukey_reach(histogram, box);
  const auto at = [&histogram](double percent) {
    if (percent <= 0) return static_cast<double>(histogram.moments().min_ns);
    if (percent >= 100) return static_cast<double>(histogram.moments().max_ns);
    return static_cast<double>(histogram.quantile(percent / 100));
  };
  return {at(whiskers.from_percent), at(whiskers.to_percent)};
}

// Evenly from all of them, first and last included.
std::vector<double> some_of(const std::vector<double>& values) {
  if (values.size() <= kMostOutside) return values;
  std::vector<double> some;
  for (size_t i = 0; i < kMostOutside; i++) some.push_back(values[i * (values.size() - 1) / (kMostOutside - 1)]);
  return some;
}

}  // namespace

std::string to_text(const Whiskers& whiskers) {
  if (whiskers == kTukey) return std::string(kTukeyText);
  return plain(whiskers.from_percent) + " to " + plain(whiskers.to_percent) + " %";
}

Result<Whiskers> parse_whiskers(std::string_view text) {
  if (text == kTukeyText) return kTukey;
  const size_t to = text.find(kTo);
  const bool percent = to != std::string_view::npos && text.ends_with(" %");
  const auto low = text::parse_real(percent ? text.substr(0, to) : "");
  const auto high = text::parse_real(percent ? text.substr(to + kTo.size(), text.size() - to - kTo.size() - 2) : "");
  // Beyond the box, which ends at the quartiles.
  if (!low || !high || *low < 0 || *low > 25 || *high < 75 || *high > 100)
    return fail("\"" + std::string(text) +
                "\" is not how far whiskers reach; give \"1.5 boxes\" or percentiles outside of "
                "the box, such as \"10 to 90 %\" (\"0 to 100 %\": from the shortest to the longest)");
  return Whiskers{.from_percent = *low, .to_percent = *high};
}

std::string to_text(const Without& without) {
  const std::string fastest = plain(without.fastest * 100) + " %", slowest = plain(without.slowest * 100) + " %";
  if (without.fastest == 0) return "the slowest " + slowest;
  if (without.slowest == 0) return "the fastest " + fastest;
  if (without.fastest == without.slowest) return "the fastest and the slowest " + slowest;
  return "the fastest " + fastest + " and the slowest " + slowest;
}

Result<Without> parse_without(std::string_view text) {
  constexpr std::string_view kFastest = "the fastest ", kAnd = "and ", kSlowest = "the slowest ";
  const std::string all(text);
  const auto take = [&text](std::string_view words) {
    const bool there = text.starts_with(words);
    if (there) text.remove_prefix(words.size());
    return there;
  };
  // "5 %", and a space where more follows.
  const auto take_share = [&text](double& share) {
    const size_t end = text.find(" %");
    const auto percent = text::parse_real(text.substr(0, end));
    const bool good = end != std::string_view::npos && percent && *percent > 0 && *percent <= kMostLeftOut;
    if (!good) return false;
    share = *percent / 100;
    text.remove_prefix(end + 2);
    if (text.starts_with(' ')) text.remove_prefix(1);
    return true;
  };
  Without without;
  bool good = true;
  if (take(kFastest)) {
    const bool both = take(kAnd);
    if (!both) good = take_share(without.fastest);
    if (both || take(kAnd)) good = good && take(kSlowest) && take_share(without.slowest);
    if (both) without.fastest = without.slowest;
  } else {
    good = take(kSlowest) && take_share(without.slowest);
  }
  if (good && text.empty()) return without;
  return fail(
      "\"" + all +
      "\" is not what is left out; give \"the slowest 5 %\", \"the fastest 5 %\", \"the fastest and the slowest "
      "5 %\" or \"the fastest 1 % and the slowest 5 %\", up to 49 % each");
}

std::string to_text(const AxisPart& part) {
  if (!part.any()) return "";
  return plan::exact_duration(part.from_ns) + std::string(kTo) + plan::exact_duration(part.to_ns);
}

Result<AxisPart> parse_axis_part(std::string_view text) {
  if (text.empty()) return AxisPart{};
  const size_t to = text.find(kTo);
  const bool both = to != std::string_view::npos;
  const auto from_ns = parse_duration(plain_quantity(both ? text.substr(0, to) : ""));
  const auto to_ns = parse_duration(plain_quantity(both ? text.substr(to + kTo.size()) : ""));
  if (!from_ns || !to_ns || *from_ns < 0 || *to_ns <= *from_ns)
    return fail("\"" + std::string(text) + "\" is no part of the latency axis; give two latencies such as \"100us to " +
                "5ms\", the shorter one first, or nothing for all of it");
  return AxisPart{.from_ns = *from_ns, .to_ns = *to_ns};
}

std::optional<Box> box_of(const Histogram& histogram, const Whiskers& whiskers) {
  if (histogram.count() == 0) return std::nullopt;
  const auto quantile = [&](double q) { return static_cast<double>(histogram.quantile(q)); };
  Box box{.median = quantile(0.5), .marks = {.lower_quartile = quantile(0.25), .upper_quartile = quantile(0.75)}};
  const Reach reach = reach_of(histogram, box.marks, whiskers);
  box.marks.low_whisker = reach.low;
  box.marks.high_whisker = reach.high;
  std::vector<double> outside;
  histogram.for_each([&](const Bucket& bucket) {
    const auto value = static_cast<double>(bucket.highest_ns);
    if (value < reach.low || static_cast<double>(bucket.lowest_ns) > reach.high) outside.push_back(value);
  });
  box.marks.outside = some_of(outside);
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

Histogram left_of(const Histogram& histogram, const Without& without) {
  Histogram kept;
  const auto values = [&histogram](double share) {
    return static_cast<uint64_t>(
        std::floor(static_cast<double>(histogram.count()) * std::clamp(share, 0.0, kMostLeftOut / 100)));
  };
  uint64_t skipped = values(without.fastest);
  uint64_t left = histogram.count() - skipped - values(without.slowest);
  measure::Moments moments;
  histogram.for_each([&](const Bucket& bucket) {
    const uint64_t over = std::min(skipped, bucket.count);
    skipped -= over;
    const uint64_t count = std::min(left, bucket.count - over);
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
