#include "broker/base/number_ranges.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace n2nq {

void normalise(NumberRanges& ranges) {
  std::ranges::sort(ranges, {}, &NumberRange::first);
  NumberRanges merged;
  for (const NumberRange& range : ranges) {
    if (!merged.empty() && uint64_t{range.first} <= uint64_t{merged.back().last} + 1)
      merged.back().last = std::max(merged.back().last, range.last);
    else
      merged.push_back(range);
  }
  ranges = std::move(merged);
}

bool contains(const NumberRanges& ranges, uint32_t number) {
  const auto after = std::ranges::upper_bound(ranges, number, {}, &NumberRange::first);
  return after != ranges.begin() && number <= std::prev(after)->last;
}

}  // namespace n2nq
