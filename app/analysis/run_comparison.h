// Two sides of several runs each, compared by one figure of every run, such as its p99: Welch's test on the logarithm.
// The sample is the run. The messages within a run are not a sample of other runs: resampling them finds differences
// where there are none (docs/statistics.md). Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "broker/base/result.h"

namespace n2nq::analysis {

inline constexpr size_t kLeastRuns = 3;  // of each side
// Figures come from histograms that know a value to 1 in 1024: no side is taken as steadier than that.
inline constexpr double kResolution = 1.0 / 1024;

struct RunComparison {
  size_t runs_a = 0;
  size_t runs_b = 0;
  double ratio = 1;  // a / b, of the geometric means
  double low = 1;    // its confidence interval
  double high = 1;
  double confidence = 0.95;
  double t = 0;
  double degrees = 0;
  double p_value = 1;

  bool differs() const { return low > 1 || high < 1; }
  // The interval includes none, and its ends are so many times apart.
  bool undecided() const { return !differs() && high >= kUndecided * low; }
  static constexpr double kUndecided = 2;
};
// About how many runs each side has to have for the interval to reach no further than that ratio either way, if they
// scatter as these do; nothing: more than kMostRunsNeeded.
inline constexpr size_t kMostRunsNeeded = 100;
std::optional<size_t> runs_needed(const RunComparison& comparison, double ratio);

// The error says why these runs allow no statement: too few, or figures that are not above 0.
Result<RunComparison> compare_runs(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

// By how much a ratio is off 1, whichever way.
double factor(double ratio);
// Whether its ratios are said in times ("4.1 times as fast"); else in per cent.
bool is_in_times(const RunComparison& comparison);
std::string times_text(double value);  // "4.1", "1,550"

enum class Better { lower, higher };
// How the figure reads: "A is 18 % faster at p99", "A is 18 % lower in rate", "A has 18 % less processor time".
enum class Reads { speed, level, amount };

// "A is 18 % faster at p99, 95 % CI 12 to 23 %, 5 runs each", "no significant difference at p99 (95 % CI: A 3 %
// faster to 4 % slower), 5 runs each", "undecided at p99: A from 33 times as fast to 8.1 times as slow (95 % CI), 3
// runs each".
std::string sentence(const RunComparison& comparison, const std::string& a, const std::string& figure, Reads reads);

}  // namespace n2nq::analysis
