// Sets of numbers as ranges: ascending, not touching, so that equal sets compare equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
uint64_t count(const NumberRanges& ranges);
// "7", "1-5" or "1..5", inclusive and from 1 on.
std::optional<NumberRange> parse_range(std::string_view text);
std::string to_text(const NumberRanges& ranges, std::string_view between);  // "1-5,9"

}  // namespace n2nq
