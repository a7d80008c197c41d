// When the loops of a fleet told what they had measured, by the machine's clock: what was before `from_ns` is in every
// report, what came after `until_ns` in none. A value.
#pragma once

#include <algorithm>
#include <cstdint>

namespace n2nq::fleet {

struct Told {
  int64_t from_ns = 0;
  int64_t until_ns = 0;  // 0: there was no report
};

inline Told united(const Told& one, const Told& other) {
  if (one.until_ns == 0) return other;
  return {std::min(one.from_ns, other.from_ns), std::max(one.until_ns, other.until_ns)};
}

}  // namespace n2nq::fleet
