// Count, sum, sum of squares and extremes of a set of nanosecond values, all exact: no bucket rounds them.
// A value; one thread at a time.
#pragma once

#include <cstdint>
#include <limits>

#include "broker/base/random.h"

namespace n2nq::measure {

__extension__ using int128 = __int128;

struct Moments {
  uint64_t count = 0;
  int64_t min_ns = std::numeric_limits<int64_t>::max();
  int64_t max_ns = std::numeric_limits<int64_t>::min();
  int128 sum_ns = 0;
  uint128 squares = 0;      // of add(); room for 10^13 values of an hour
  double wild_squares = 0;  // of add_wild()

  // A value of at most an hour either way.
  void add(int64_t ns) {
    add_value(ns);
    squares += static_cast<uint128>(static_cast<int128>(ns) * ns);
  }
  // Any value: its square may be too large to be kept exactly.
  void add_wild(int64_t ns) {
    add_value(ns);
    wild_squares += static_cast<double>(ns) * static_cast<double>(ns);
  }
  void add(const Moments& other);

  // For the population (divided by count); 0 without values.
  double mean() const;
  double stddev() const;

  bool operator==(const Moments&) const = default;

 private:
  void add_value(int64_t ns) {
    count++;
    sum_ns += ns;
    min_ns = ns < min_ns ? ns : min_ns;
    max_ns = ns > max_ns ? ns : max_ns;
  }
};

}  // namespace n2nq::measure
