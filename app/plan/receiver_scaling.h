// How many receivers are there, by how much lies before them: one more comes where that is too much, and one goes where
// it is little. A value, and its line of text ("from 2 above 1000 below 10 every 2s"). Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::plan {

struct ReceiverScaling {
  uint32_t from = 0;   // so many are there at the begin, and never fewer; 0: all are there all the time
  uint64_t above = 0;  // messages that wait: then one more comes
  uint64_t below = 0;  // fewer than these: then the last one goes
  int64_t every_ns = 0;
  bool exists() const { return from > 0; }
  bool operator==(const ReceiverScaling&) const = default;
};
inline constexpr int64_t kShortestLookNs = 200'000'000;  // what waits is known by tenths of a second
inline constexpr int64_t kLongestLookNs = 3'600'000'000'000;
inline constexpr uint64_t kMostWaiting = 1'000'000'000'000;

std::string to_text(const ReceiverScaling& scaling);
// "none" and "" are none.
Result<ReceiverScaling> parse_scaling(std::string_view text);

// How many are there next, of so many.
uint32_t next_count(const ReceiverScaling& scaling, uint32_t there, uint32_t receivers, double waiting);

}  // namespace n2nq::plan
