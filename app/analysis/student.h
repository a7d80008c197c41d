// Student's t distribution. Pure; any thread.
#pragma once

namespace n2nq::analysis {

// Probability that |T| is at least |t|, with so many degrees of freedom (> 0, not necessarily whole).
double student_two_sided(double t, double degrees);
// The t that |T| stays below with this probability (in (0, 1)).
double student_bound(double probability, double degrees);

}  // namespace n2nq::analysis
