// Sums, differences and means of stamps that strangers sent: they stop at the ends of the range instead of running over
// it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace n2nq::measure {

inline int64_t plus(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

inline int64_t minus(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// The mean of what came between two readings of a sum and its count; nothing where nothing came.
inline std::optional<int64_t> mean_between(int64_t sum, int64_t sum_before, uint64_t count, uint64_t count_before) {
  if (count <= count_before) return std::nullopt;
  return minus(sum, sum_before) / static_cast<int64_t>(count - count_before);
}

}  // namespace n2nq::measure
