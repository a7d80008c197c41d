#include "workers/control/service_set.h"

#include <limits>

#include "broker/base/units.h"

namespace n2nq::control {
namespace {

constexpr size_t kMaxRanges = 1024;

std::unexpected<Error> bad(std::string_view part) {
  return fail("\"" + std::string(part) + "\" is not a service or range of services; enter for example 1-5,9");
}

Result<uint32_t> parse_number(std::string_view text) {
  const auto number = parse_whole(text);
  if (!number || *number == 0 || *number > std::numeric_limits<uint32_t>::max()) return bad(text);
  return static_cast<uint32_t>(*number);
}

Result<ServiceSet::Range> parse_range(std::string_view part) {
  size_t dash = part.find("..");
  const size_t width = dash == std::string_view::npos ? 1 : 2;
  if (dash == std::string_view::npos) dash = part.find('-');
  const auto first = parse_number(part.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_number(part.substr(dash + width));
  if (!first || !last || *first > *last) return bad(part);
  return ServiceSet::Range{.first = *first, .last = *last};
}

}  // namespace

Result<ServiceSet> parse_services(std::string_view text) {
  ServiceSet set;
  if (text.empty() || text == "all") return set;
  while (true) {
    const size_t comma = text.find(',');
    const auto range = parse_range(text.substr(0, comma));
    if (!range) return std::unexpected(range.error());
    if (set.ranges.size() == kMaxRanges) return fail("more than 1024 ranges of services; use fewer, larger ones");
    set.ranges.push_back(*range);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  normalise(set.ranges);
  return set;
}

std::string to_text(const ServiceSet& services) {
  if (services.all()) return "all";
  std::string text;
  for (const auto& [first, last] : services.ranges) {
    if (!text.empty()) text += ',';
    text += std::to_string(first);
    if (last != first) text += "-" + std::to_string(last);
  }
  return text;
}

}  // namespace n2nq::control
