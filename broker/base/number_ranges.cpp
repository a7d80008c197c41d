#include "broker/base/number_ranges.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "broker/base/join.h"
#include "broker/base/units.h"

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

uint64_t count(const NumberRanges& ranges) {
  uint64_t all = 0;
  for (const auto& [first, last] : ranges) all += uint64_t{last} - first + 1;
  return all;
}

std::optional<NumberRange> parse_range(std::string_view text) {
  size_t dash = text.find("..");
  const size_t width = dash == std::string_view::npos ? 1 : 2;
  if (dash == std::string_view::npos) dash = text.find('-');
  const auto first = parse_whole(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_whole(text.substr(dash + width));
  if (!first || !last || *first == 0 || *first > *last || *last > std::numeric_limits<uint32_t>::max())
    return std::nullopt;
  return NumberRange{.first = static_cast<uint32_t>(*first), .last = static_cast<uint32_t>(*last)};
}

std::string to_text(const NumberRanges& ranges, std::string_view between) {
  return join(ranges, between, [](const NumberRange& range) {
    const std::string first = std::to_string(range.first);
    return range.last == range.first ? first : first + "-" + std::to_string(range.last);
  });
}

}  // namespace n2nq
