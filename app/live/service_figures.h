// The figures of one service, or of all services of a role: of the last look while the run is on, and of the whole run
// after it (LiveFigures::of_whole_run). Plain values, as the UI's tables show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/plan/role.h"

namespace n2nq::live {

enum class ServiceState {
  absent,
  connecting,
  joined,
  running,
  paused,
  stopped,  // sender: told to, before it had sent all
  done,
  gone
};
std::string to_text(ServiceState state);

struct ServiceFigures {
  Role role = Role::receiver;
  uint32_t number = 0;  // 0: all services of the role
  uint32_t worker = 0;  // which process it lives in
  ServiceState state = ServiceState::absent;
  int64_t count = 0;      // messages sent, or received (distinct)
  int64_t bytes = 0;      // of payload
  double rate_per_s = 0;  // over about the last second, in whole intervals between messages; or the whole run
  int64_t accepted = 0;   // sender: by the broker
  int64_t lost = 0;       // receiver: that the broker said it skipped
  int64_t duplicates = 0;
  int64_t reordered = 0;
  int64_t corrupt = 0;
  int64_t redelivered = 0;
  int64_t requests = 0;
  int64_t responses = 0;
  int64_t deliveries = 0;  // receiver: that came, whatever became of them
  int64_t log_stalls = 0;
  int64_t replies = 0;  // request-reply: of a sender requests answered, of a receiver replies sent
  int64_t timeouts = 0;
  int64_t late_replies = 0;
  int64_t double_replies = 0;
  int64_t open_requests = 0;             // of a sender, that wait for their reply now; 0 of a run that is over
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
