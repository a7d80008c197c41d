#include "app/analysis/spread_ratio.h"

#include <gsl/gsl_cdf.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/analysis/run_comparison.h"

namespace n2nq::analysis {
namespace {

struct Spread {
  double squares = 0;  // of the distances from the means
  size_t runs = 0;
  double degrees = 0;
  double deviation() const { return std::sqrt(squares / degrees); }
};

Result<Spread> spread_of(std::span<const std::vector<double>> groups) {
  Spread spread;
  for (const std::vector<double>& group : groups) {
    if (group.size() < kLeastRuns)
      return fail("fewer than " + std::to_string(kLeastRuns) + " runs of a point: no statement");
    double sum = 0;
    for (const double value : group) {
      if (value <= 0) return fail("a figure that is not above 0: no statement");
      sum += std::log(value);
    }
    const double mean = sum / static_cast<double>(group.size());
    for (const double value : group) spread.squares += std::pow(std::log(value) - mean, 2);
    spread.runs += group.size();
    spread.degrees += static_cast<double>(group.size() - 1);
  }
  if (spread.squares <= 0) return fail("runs do not vary at all: no statement");
  return spread;
}

}  // namespace

Result<SpreadRatio> spread_ratio_of(std::span<const std::vector<double>> a, std::span<const std::vector<double>> b,
                                    double confidence) {
  const auto of_a = spread_of(a);
  if (!of_a) return std::unexpected(of_a.error());
  const auto of_b = spread_of(b);
  if (!of_b) return std::unexpected(of_b.error());
  const double tail = (1 - confidence) / 2;
  const double ratio = of_a->deviation() / of_b->deviation();
  return SpreadRatio{.ratio = {.estimate = ratio,
                               .low = ratio / std::sqrt(gsl_cdf_fdist_Qinv(tail, of_a->degrees, of_b->degrees)),
                               .high = ratio / std::sqrt(gsl_cdf_fdist_Pinv(tail, of_a->degrees, of_b->degrees)),
                               .confidence = confidence,
                               .runs = of_a->runs + of_b->runs},
                     .of_a = of_a->deviation(),
                     .of_b = of_b->deviation()};
}

}  // namespace n2nq::analysis
