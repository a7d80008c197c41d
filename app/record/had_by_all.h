// What all processes of receivers had together, where another bus chose who gets which message: each may have had what
// another had, too. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "workers/control/summary.h"

namespace n2nq::record {

struct HadByAll {
  uint64_t sent = 0;
  uint64_t distinct = 0;  // of these, in any process
  uint64_t doubled = 0;   // deliveries to another process, not marked as made again
};

// Nothing: they do not tell enough, or contradict each other.
std::optional<HadByAll> had_by_all(std::span<const control::ReceiverSummary* const> summaries);

}  // namespace n2nq::record
