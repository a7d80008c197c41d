// How many values it takes until a percentile is known: with fewer nothing bounds it from above with 95 % confidence.
#pragma once

#include <cstdint>

namespace n2nq::measure {

inline constexpr uint64_t kLeastForP99 = 299;    // 0.99^298 > 5 %
inline constexpr uint64_t kLeastForP999 = 2995;  // 0.999^2994 > 5 %; summaries have no p99.9 of fewer

}  // namespace n2nq::measure
