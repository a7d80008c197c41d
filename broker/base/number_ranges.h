// Sets of numbers as ranges: ascending, not touching, so that equal sets compare equal.
#pragma once

#include <cstdint>
#include <vector>

namespace n2nq {

struct NumberRange {
  uint32_t first = 0;
  uint32_t last = 0;
  bool operator==(const NumberRange&) const = default;
};
using NumberRanges = std::vector<NumberRange>;

// Sorts and merges any ranges.
void normalise(NumberRanges& ranges);
bool contains(const NumberRanges& ranges, uint32_t number);

}  // namespace n2nq
