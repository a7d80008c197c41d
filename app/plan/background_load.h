// What loads the network beside a run: from a host to another for a time since BEGIN, in a plan, and in one line of
// text ("vm1 to vm2 at 5s for 10s; vm2 to vm1 at 20s for 5s"). Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::plan {

struct BackgroundLoad {
  std::string from{};  // as in the list of hosts, or "this computer"
  std::string to{};
  int64_t at_ns = 0;
  int64_t for_ns = 0;
  int64_t ends_ns() const { return at_ns + for_ns; }
  bool operator==(const BackgroundLoad&) const = default;
};

std::string to_text(const BackgroundLoad& load);  // "vm1 to vm2 at 5s for 10s"
std::string to_text(const std::vector<BackgroundLoad>& loads);
Result<BackgroundLoad> parse_load(std::string_view text);
// "none" and "" are no loads.
Result<std::vector<BackgroundLoad>> parse_loads(std::string_view text);

// Why a run cannot have these, whatever its hosts; nothing: it can.
std::optional<std::string> trouble_with(const std::vector<BackgroundLoad>& loads);

}  // namespace n2nq::plan
