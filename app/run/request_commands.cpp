#include "app/run/request_commands.h"

#include <algorithm>
#include <cstdint>

#include "broker/base/assert.h"

namespace n2nq::run {
namespace {

using Range = control::ServiceSet::Range;

// Bounds of docs/control.md, with room for the rest of the line.
constexpr size_t kMostRanges = 1024;
constexpr size_t kMostBytes = 60'000;
constexpr size_t kRangeBytes = 22;  // "4294967295-4294967295,"

std::vector<Range> cut_to(const Share& share, const control::ServiceSet& services) {
  const Range all{.first = share.first, .last = share.first + share.count - 1};
  if (services.all()) return {all};
  std::vector<Range> ranges;
  for (const Range& range : services.ranges)
    if (range.first <= all.last && range.last >= all.first)
      ranges.push_back({.first = std::max(range.first, all.first), .last = std::min(range.last, all.last)});
  return ranges;
}

std::vector<Range> without(const std::vector<bool>& named, const Share& share) {
  std::vector<Range> ranges;
  for (uint32_t i = 0; i < share.count; i++) {
    if (named[i]) continue;
    const uint32_t number = share.first + i;
    if (!ranges.empty() && ranges.back().last + 1 == number)
      ranges.back().last = number;
    else
      ranges.push_back({.first = number, .last = number});
  }
  return ranges;
}

void add(std::vector<control::RequestCommand>& commands, const std::vector<Range>& ranges, const std::string& filter) {
  const size_t room = kMostBytes - std::min(filter.size(), kMostBytes);
  const size_t most = std::clamp<size_t>(room / kRangeBytes, 1, kMostRanges);
  for (size_t from = 0; from < ranges.size(); from += most) {
    const auto first = ranges.begin() + static_cast<ptrdiff_t>(from);
    const auto last = first + static_cast<ptrdiff_t>(std::min(most, ranges.size() - from));
    commands.push_back({.services = {.ranges = std::vector<Range>(first, last)}, .filter = filter});
  }
}

}  // namespace

std::vector<control::RequestCommand> request_commands(const std::vector<plan::ReceiverFilter>& filters,
                                                      const Share& share) {
  N2NQ_ASSERT(share.count > 0);
  std::vector<control::RequestCommand> rules;
  std::vector<bool> named(share.count, false);
  for (const plan::ReceiverFilter& rule : filters) {
    const std::vector<Range> ranges = cut_to(share, rule.receivers);
    for (const Range& range : ranges)
      std::fill(named.begin() + (range.first - share.first), named.begin() + (range.last - share.first + 1), true);
    add(rules, ranges, rule.filter);
  }
  std::vector<control::RequestCommand> commands;
  add(commands, without(named, share), "");
  commands.insert(commands.end(), rules.begin(), rules.end());
  return commands;
}

}  // namespace n2nq::run
