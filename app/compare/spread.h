// How the messages of runs are spread, from their histograms: boxes, densities, and what is left of them where those at
// either end are not looked at. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/figure.h"
#include "broker/base/result.h"
#include "workers/measure/histogram.h"

namespace n2nq::compare {

// How far the whiskers of a box reach: from this percentile to that one, of which 0 and 100 are the shortest and the
// longest; from_percent < 0: to the last value within 1.5 times the box's height from it.
struct Whiskers {
  double from_percent = -1;
  double to_percent = -1;
  bool operator==(const Whiskers&) const = default;
};
inline constexpr Whiskers kTukey{};
// "1.5 boxes", "5 to 95 %"; either way.
std::string to_text(const Whiskers& whiskers);
Result<Whiskers> parse_whiskers(std::string_view text);

// Shares of a run's messages that are left out of a picture, 0 to 0.49.
struct Without {
  double fastest = 0;
  double slowest = 0;
  bool any() const { return fastest > 0 || slowest > 0; }
  bool operator==(const Without&) const = default;
};
// "the slowest 5 %", "the fastest and the slowest 1 %", "the fastest 1 % and the slowest 5 %"; either way.
std::string to_text(const Without& without);
Result<Without> parse_without(std::string_view text);

// The part of the axis of latencies that is in sight, in ns; all of it where it has no end.
struct AxisPart {
  int64_t from_ns = 0;
  int64_t to_ns = 0;
  bool any() const { return to_ns > 0; }
  bool operator==(const AxisPart&) const = default;
};
// "100us to 5ms"; either way. No text is the whole axis.
std::string to_text(const AxisPart& part);
Result<AxisPart> parse_axis_part(std::string_view text);

// Beyond the whiskers at most kMostOutside values, the extremes among them. Nothing without values.
struct Box {
  double median = 0;
  figures::BoxMarks marks{};
};
inline constexpr size_t kMostOutside = 40;
std::optional<Box> box_of(const measure::Histogram& histogram, const Whiskers& whiskers);

// How dense the values are from the shortest to the longest, by value or by its logarithm, ascending by y; the widest
// place has x = 1.
std::vector<figures::Point> outline_of(const measure::Histogram& histogram, bool by_decades);

// What is left; in whole values, so that something is.
measure::Histogram left_of(const measure::Histogram& histogram, const Without& without);

}  // namespace n2nq::compare
