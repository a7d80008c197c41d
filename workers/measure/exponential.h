// Spans of time that are exponentially distributed, as between the arrivals of a Poisson process. A pure function: the
// same dice give the same span.
#pragma once

#include <cmath>
#include <cstdint>

namespace n2nq::measure {

// `dice`: 64 random bits, of which the upper 53 count. At most 37 times the mean.
inline int64_t exponential_ns(int64_t mean_ns, uint64_t dice) {
  const double uniform = static_cast<double>((dice >> 11) + 1) * 0x1p-53;  // in (0, 1]
  return std::llround(-static_cast<double>(mean_ns) * std::log(uniform));
}

}  // namespace n2nq::measure
