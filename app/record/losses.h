// Which services a run's losses are of: whose messages were not accepted or were skipped, who did not get them, who got
// them again. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/plan/role.h"
#include "app/record/run_record.h"

namespace n2nq::record {

// Nothing where that is not known of it, or where the role has no such thing.
struct ServiceLosses {
  Role role = Role::sender;
  uint32_t number = 0;
  std::optional<uint64_t> messages{};                  // sent, or received
  std::optional<uint64_t> not_accepted{};              // sender: refused by the bus, or without its answer
  std::optional<uint64_t> expired{}, undeliverable{};  // sender: deliveries that the queue skipped
  std::optional<uint64_t> lost{};                      // receiver: due to it
  std::optional<uint64_t> doubled{};                   // receiver: deliveries beyond the first of a message
  bool any() const;
  bool operator==(const ServiceLosses&) const = default;
};

// Senders, then receivers, by number; those of which there is something to say.
std::vector<ServiceLosses> losses_by_service(const RunRecord& record);

}  // namespace n2nq::record
