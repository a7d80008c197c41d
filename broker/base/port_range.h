// Ports from a first to a last one. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq {

struct PortRange {
  uint16_t first = 0, last = 0;  // 0: any
  bool any() const { return first == 0; }
  uint32_t size() const { return any() ? 0 : uint32_t{last} - first + 1; }
  bool operator==(const PortRange&) const = default;
};

std::string to_text(const PortRange& ports);  // "7400-7500", "7400"; empty: any
// The same, or "7400..7500".
Result<PortRange> parse_ports(std::string_view text);

}  // namespace n2nq
