// A choice of services of one fleet as people type it: "1-5,9" or "1..5,9", inclusive. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "broker/base/number_ranges.h"
#include "broker/base/result.h"

namespace n2nq::control {

struct ServiceSet {
  using Range = NumberRange;
  NumberRanges ranges;  // empty: every service

  bool all() const { return ranges.empty(); }
  bool contains(uint32_t service) const { return all() || n2nq::contains(ranges, service); }
  bool operator==(const ServiceSet&) const = default;
};

// "" and "all" are every service.
Result<ServiceSet> parse_services(std::string_view text);
std::string to_text(const ServiceSet& services);  // "all", "1-5,9"

}  // namespace n2nq::control
