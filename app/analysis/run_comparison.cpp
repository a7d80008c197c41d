#include "app/analysis/run_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "app/analysis/mean_interval.h"
#include "app/analysis/student.h"
#include "app/text/quantity.h"

namespace n2nq::analysis {
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

const char* word_of(double ratio, Reads reads) {
  if (reads == Reads::level) return ratio > 1 ? "higher" : "lower";
  if (reads == Reads::amount) return ratio > 1 ? "more" : "less";
  return ratio < 1 ? "faster" : "slower";
}

// Where anything in a sentence is beyond this, all of it is in times, else all is in per cent.
constexpr double kTimes = 3;

// What a sentence says of ratios, in its one form.
class Wording {
 public:
  Wording(const RunComparison& comparison, Reads reads) : reads_(reads), in_times_(is_in_times(comparison)) {}

  std::string difference(double ratio) const { return number(ratio) + unit() + word(ratio); }
  // Both above 1, or both below; the one that is nearer to 1 first, unless they are said as they are.
  std::string range(double near, double far) const {
    if (in_times_ && reads_ == Reads::amount && near > far) std::swap(near, far);
    return number(near) + " to " + number(far) + (in_times_ ? unit() + word(far) : " %");
  }

 private:
  // Of speeds and levels both ways have a word; "0.25 times as much" is a quarter.
  std::string number(double ratio) const {
    if (!in_times_) return percent(ratio - 1);
    return times_text(reads_ == Reads::amount ? ratio : factor(ratio));
  }
  std::string unit() const { return in_times_ ? " times as " : " % "; }
  const char* word(double ratio) const {
    if (!in_times_) return word_of(ratio, reads_);
    if (reads_ == Reads::amount) return "much";
    if (reads_ == Reads::level) return ratio > 1 ? "high" : "low";
    return ratio < 1 ? "fast" : "slow";
  }

  Reads reads_;
  bool in_times_;
};

}  // namespace

double factor(double ratio) {
  return std::max(ratio, 1 / ratio);
}

bool is_in_times(const RunComparison& comparison) {
  return std::max({factor(comparison.ratio), factor(comparison.low), factor(comparison.high)}) >= kTimes;
}

std::string times_text(double value) {
  if (value >= 1000) return text::count(std::llround(value));
  return text::decimals(value, value < 0.1 ? 3 : value < 1.95 ? 2 : value < 9.95 ? 1 : 0);
}

Result<RunComparison> compare_runs(std::span<const double> a, std::span<const double> b, double confidence) {
  if (a.empty() || b.empty()) return fail("nothing to compare: a side has no such figure");
  if (a.size() == 1 && b.size() == 1) return fail("one run each: no statement");
  if (std::min(a.size(), b.size()) < kLeastRuns)
    return fail("fewer than " + std::to_string(kLeastRuns) + " runs on a side: no statement");
  const auto unusable = [](double value) { return !(value > 0) || !std::isfinite(value); };
  if (std::ranges::any_of(a, unusable) || std::ranges::any_of(b, unusable))
    return fail("a run's figure is not above 0: its ratio to others is meaningless, no statement");

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

std::optional<size_t> runs_needed(const RunComparison& comparison, double ratio) {
  const auto runs_a = static_cast<double>(comparison.runs_a), runs_b = static_cast<double>(comparison.runs_b);
  const double reach = std::log(comparison.high / comparison.ratio);
  const double error = reach / student_bound(comparison.confidence, comparison.degrees);
  const double runs = 2 / (1 / runs_a + 1 / runs_b);
  // One side may scatter more: then there are fewer degrees of freedom than of equal ones.
  const double degrees_a_run = std::clamp(comparison.degrees / (runs - 1), 1.0, 2.0);
  for (size_t each = kLeastRuns; each <= kMostRunsNeeded; each++) {
    const auto wanted = static_cast<double>(each);
    if (student_bound(comparison.confidence, degrees_a_run * (wanted - 1)) * error * std::sqrt(runs / wanted) <=
        std::log(ratio))
      return each;
  }
  return {};
}

std::string sentence(const RunComparison& comparison, const std::string& a, const std::string& figure, Reads reads) {
  const Wording wording(comparison, reads);
  const std::string of_figure = (reads == Reads::speed ? " at " : " in ") + figure;
  if (comparison.undecided())
    return "undecided" + of_figure + ": " + a + " from " + wording.difference(comparison.low) + " to " +
           wording.difference(comparison.high) + " (" + confidence_text(comparison) + "), " + runs_text(comparison);
  if (!comparison.differs())
    return "no significant difference" + of_figure + " (" + confidence_text(comparison) + ": " + a + " " +
           wording.difference(comparison.low) + " to " + wording.difference(comparison.high) + "), " +
           runs_text(comparison);
  const bool above = comparison.ratio > 1;
  const double near = above ? comparison.low : comparison.high;
  const double far = above ? comparison.high : comparison.low;
  const bool amount = reads == Reads::amount;
  return a + (amount ? " has " : " is ") + wording.difference(comparison.ratio) + (amount ? " " + figure : of_figure) +
         ", " + confidence_text(comparison) + " " + wording.range(near, far) + ", " + runs_text(comparison);
}

}  // namespace n2nq::analysis
