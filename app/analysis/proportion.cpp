#include "app/analysis/proportion.h"

#include <gsl/gsl_cdf.h>

namespace n2nq::analysis {

Proportion proportion_of(size_t found, size_t of, double confidence) {
  Proportion share{.found = found, .of = of};
  const double tail = (1 - confidence) / 2;
  const auto yes = static_cast<double>(found);
  const auto no = static_cast<double>(of - found);
  if (found > 0) share.low = gsl_cdf_beta_Pinv(tail, yes, no + 1);
  if (found < of) share.high = gsl_cdf_beta_Pinv(1 - tail, yes + 1, no);
  return share;
}

}  // namespace n2nq::analysis
