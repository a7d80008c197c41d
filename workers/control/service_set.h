// A choice of services of one fleet as people type it: "1-5,9" or "1..5,9", inclusive. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::control {

struct ServiceSet {
  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;
    bool operator==(const Range&) const = default;
  };
  std::vector<Range> ranges;  // ascending, not touching; empty: every service

  bool all() const { return ranges.empty(); }
  bool contains(uint32_t service) const;
  bool operator==(const ServiceSet&) const = default;
};

// "" and "all" are every service.
Result<ServiceSet> parse_services(std::string_view text);
std::string to_text(const ServiceSet& services);  // "all", "1-5,9"

}  // namespace n2nq::control
