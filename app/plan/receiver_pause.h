// When receivers take nothing: windows since BEGIN, in a plan, and in one line of text ("2s..5s; 1-3:7s..8s"). One from
// 0s is a receiver that starts late. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"
#include "workers/control/service_set.h"

namespace n2nq::plan {

struct ReceiverPause {
  control::ServiceSet receivers{};
  int64_t from_ns = 0;
  int64_t to_ns = 0;
  bool operator==(const ReceiverPause&) const = default;
};

std::string to_text(const ReceiverPause& pause);  // "2s..5s", "1-3:2s..5s"
std::string to_text(const std::vector<ReceiverPause>& pauses);
Result<ReceiverPause> parse_pause(std::string_view text);
// "none" and "" are no pauses.
Result<std::vector<ReceiverPause>> parse_pauses(std::string_view text);

// The longest time that some receiver takes nothing, by windows of its own that touch.
int64_t longest_pause_ns(const std::vector<ReceiverPause>& pauses);
// Why a run cannot have these, with so many receivers; nothing: it can.
std::optional<std::string> trouble_with(const std::vector<ReceiverPause>& pauses, uint32_t receivers);

}  // namespace n2nq::plan
