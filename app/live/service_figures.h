// The figures of one service, or of all services of a role: of the last look while the run is on, and of the whole run
// after it (LiveFigures::of_whole_run). Plain values, as the UI's tables show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/plan/role.h"
#include "workers/control/counts.h"

namespace n2nq::live {

enum class ServiceState {
  absent,
  connecting,
  joined,
  running,
  paused,
  away,     // receiver: not at the bus
  stopped,  // sender: told to, before it had sent all
  done,
  gone
};
std::string to_text(ServiceState state);

struct ServiceFigures : control::Counts {
  Role role = Role::receiver;
  uint32_t number = 0;  // 0: all services of the role
  uint32_t worker = 0;  // which process it lives in
  ServiceState state = ServiceState::absent;
  double rate_per_s = 0;      // over about the last second, in whole intervals between messages; or the whole run
  int64_t open_requests = 0;  // of a sender, that wait for their reply now; 0 of a run that is over
  std::optional<int64_t> delay_ns{};     // sender: measured between messages, mean of the last look, or of the run
  std::optional<int64_t> lateness_ns{};  // sender: behind its schedule, the same
  std::optional<int64_t> latency_ns{};   // receiver: from actual sending, the same
  std::optional<int64_t> scheduled_latency_ns{};  // receiver: from intended sending
  std::optional<int64_t> latency_p50_ns{};        // receiver: since BEGIN, without warm-up
  std::optional<int64_t> latency_p99_ns{};
  std::optional<int64_t> turnaround_ns{};  // sender: from actual sending to the reply, as latency_ns
  bool operator==(const ServiceFigures&) const = default;
};

// A sender's, or all senders', as they were so many messages ago.
void take_back(ServiceFigures& sender, uint64_t messages);

// Of a receiver that confirms what it gets: deliveries without a response so far. Nothing where there cannot be so many
// responses.
std::optional<int64_t> outstanding(const ServiceFigures& figures);

}  // namespace n2nq::live
