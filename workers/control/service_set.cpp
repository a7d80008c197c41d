#include "workers/control/service_set.h"

namespace n2nq::control {
namespace {

constexpr size_t kMaxRanges = 1024;

}  // namespace

Result<ServiceSet> parse_services(std::string_view text) {
  ServiceSet set;
  if (text.empty() || text == "all") return set;
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const auto range = parse_range(part);
    if (!range)
      return fail("\"" + std::string(part) + "\" is not a service or range of services; enter for example 1-5,9");
    if (set.ranges.size() == kMaxRanges) return fail("more than 1024 ranges of services; use fewer, larger ones");
    set.ranges.push_back(*range);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  normalise(set.ranges);
  return set;
}

std::string to_text(const ServiceSet& services) {
  return services.all() ? "all" : n2nq::to_text(services.ranges, ",");
}

}  // namespace n2nq::control
