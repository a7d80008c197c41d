// How often something was so, and how often it may be so in general. Pure; any thread.
#pragma once

#include <cstddef>

namespace n2nq::analysis {

struct Proportion {
  size_t found = 0;
  size_t of = 0;
  double low = 0;  // the exact (Clopper-Pearson) confidence interval of the share
  double high = 1;
};

// `found` of `of`, independent of each other.
Proportion proportion_of(size_t found, size_t of, double confidence = 0.95);

}  // namespace n2nq::analysis
