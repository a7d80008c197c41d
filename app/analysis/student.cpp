#include "app/analysis/student.h"

#include <gsl/gsl_cdf.h>

#include <cmath>

namespace n2nq::analysis {

double student_two_sided(double t, double degrees) {
  return 2 * gsl_cdf_tdist_Q(std::abs(t), degrees);
}

double student_bound(double probability, double degrees) {
  return gsl_cdf_tdist_Qinv((1 - probability) / 2, degrees);
}

}  // namespace n2nq::analysis
