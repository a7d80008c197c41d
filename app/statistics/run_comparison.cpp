#include "app/statistics/run_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/statistics/mean_interval.h"
#include "app/statistics/student.h"

namespace n2nq::statistics {
namespace {

// Values within one step of the resolution are spread evenly over it.
constexpr double kLeastVariance = kResolution * kResolution / 12;

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

std::string percent(double part) {
  const double value = std::abs(part) * 100;
  char text[32];
  std::snprintf(text, sizeof text, value < 9.95 ? "%.1f" : "%.0f", value);
  return text;
}

std::string runs_text(const RunComparison& comparison) {
  if (comparison.runs_a == comparison.runs_b) return std::to_string(comparison.runs_a) + " runs each";
  return std::to_string(comparison.runs_a) + " and " + std::to_string(comparison.runs_b) + " runs";
}

std::string confidence_text(const RunComparison& comparison) {
  char text[32];
  std::snprintf(text, sizeof text, "%g %% CI", comparison.confidence * 100);
  return text;
}

const char* word_of(double ratio, Better better) {
  if (better == Better::higher) return ratio > 1 ? "higher" : "lower";
  return ratio < 1 ? "faster" : "slower";
}

// Beyond this a ratio is a number of times.
constexpr double kTimes = 3;

std::string difference(double ratio, Better better) {
  const double times = std::max(ratio, 1 / ratio);
  if (times < kTimes) return percent(ratio - 1) + " % " + word_of(ratio, better);
  char text[32];
  std::snprintf(text, sizeof text, times < 9.95 ? "%.1f" : "%.0f", times);
  const bool high = better == Better::higher;
  return std::string(text) + " times as " + (high ? (ratio > 1 ? "high" : "low") : (ratio < 1 ? "fast" : "slow"));
}

}  // namespace

Result<RunComparison> compare_runs(std::span<const double> a, std::span<const double> b, double confidence) {
  if (a.empty() || b.empty()) return fail("nothing to compare: a side has no run");
  if (a.size() == 1 && b.size() == 1) return fail("one run each: no statement");
  if (std::min(a.size(), b.size()) < kLeastRuns)
    return fail("fewer than " + std::to_string(kLeastRuns) + " runs on a side: no statement");
  const auto unusable = [](double value) { return !(value > 0) || !std::isfinite(value); };
  if (std::ranges::any_of(a, unusable) || std::ranges::any_of(b, unusable))
    return fail("a run's figure is not above 0: its ratio to others means nothing, no statement");

  const std::vector<double> logs_a = logarithms(a);
  const std::vector<double> logs_b = logarithms(b);
  const auto runs_a = static_cast<double>(a.size());
  const auto runs_b = static_cast<double>(b.size());
  const double part_a = std::max(variance_of(logs_a), kLeastVariance) / runs_a;
  const double part_b = std::max(variance_of(logs_b), kLeastVariance) / runs_b;
  const double error = std::sqrt(part_a + part_b);
  const double difference = mean_of(logs_a) - mean_of(logs_b);

  RunComparison result{.runs_a = a.size(), .runs_b = b.size(), .ratio = std::exp(difference), .confidence = confidence};
  result.t = difference / error;
  result.degrees =
      (part_a + part_b) * (part_a + part_b) / (part_a * part_a / (runs_a - 1) + part_b * part_b / (runs_b - 1));
  result.p_value = student_two_sided(result.t, result.degrees);
  const double reach = student_bound(confidence, result.degrees) * error;
  result.low = std::exp(difference - reach);
  result.high = std::exp(difference + reach);
  return result;
}

std::string sentence(const RunComparison& comparison, const std::string& a, const std::string& figure, Better better) {
  const std::string tail = confidence_text(comparison) + ", " + runs_text(comparison);
  const std::string of_figure = (better == Better::lower ? " at " : " in ") + figure;
  if (!comparison.differs())
    return "no difference" + of_figure + " that these runs can show: " + a + " is between " +
           difference(comparison.low, better) + " and " + difference(comparison.high, better) + ", " + tail;
  const bool above = comparison.ratio > 1;
  const double near = above ? comparison.low : comparison.high;
  const double far = above ? comparison.high : comparison.low;
  const std::string bounds = std::max(far, 1 / far) < kTimes
                                 ? percent(near - 1) + " to " + percent(far - 1) + " %"
                                 : difference(near, better) + " to " + difference(far, better);
  return a + " is " + difference(comparison.ratio, better) + of_figure + ", " + confidence_text(comparison) + " " +
         bounds + ", " + runs_text(comparison);
}

}  // namespace n2nq::statistics
