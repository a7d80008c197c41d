// The last line of a program: what happened, in names that scripts rely on. Plain values and their JSON. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workers/control/network.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::control {

// How this worker's clock stood to the broker's, and with it to the senders'.
struct ClockFigures {
  struct Interval {
    int64_t from_ns = 0;  // this worker's monotonic clock
    int64_t offset_ns = 0;
    uint64_t bound_ns = 0;
    bool operator==(const Interval&) const = default;
  };
  std::string kind = "same";  // same: one clock; measured: by probes; unknown: a sender's clock could not be told
  std::optional<int64_t> offset_ns{};  // added to this worker's stamps gives the broker's clock; the last one measured
  std::optional<uint64_t> bound_ns{};  // every latency is right within this; null if unknown
  // Measured only: the part of the bound that is this worker's clock, no more than half of the smallest round trip of
  // its probes and what is allowed for drift.
  std::optional<uint64_t> own_bound_ns{};
  std::optional<uint64_t> round_trip_ns{};
  std::optional<uint64_t> drift_ns{};
  uint64_t probes = 0;
  std::vector<Interval> intervals{};  // measured only
  bool operator==(const ClockFigures&) const = default;
};

// The round trips between a worker and the broker's host, since it joined.
struct RoundTripFigures {
  NetworkFigures network{};
  measure::LatencySummary network_ns{};
  measure::LatencySummary
      tcp_ns{};  // of the services' connections, from TCP_INFO, once a second; while telemetry is on
  measure::LatencySummary probe_ns{};  // of the clock's probes over the broker's port, without the broker's own time
  bool operator==(const RoundTripFigures&) const = default;
};

// What all summaries have.
struct Outcome {
  uint32_t services = 0;
  uint64_t cpu_ns = 0;
  uint64_t peak_rss_bytes = 0;
  std::optional<uint64_t> disk_written_bytes{};
  std::optional<WireFigures> wire{};  // of workers
  int exit_code = 0;
  std::string verdict{};  // complete, incomplete, failed
  std::string reason{};   // for people: why not complete; may be empty
  bool operator==(const Outcome&) const = default;
};

// Messages of one sender that the broker said it skipped.
struct LossFigures {
  uint32_t sender = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  bool operator==(const LossFigures&) const = default;
};

// For receivers with a service time: what became of the messages in their lines. Without warm-up, but for `served`.
struct ServiceSummary {
  uint64_t served = 0;                     // messages whose service has ended
  measure::LatencySummary waiting_ns{};    // from when a message was due to the begin of its service
  measure::LatencySummary service_ns{};    // from there to its end
  measure::LatencySummary in_system_ns{};  // both
  measure::LatencySummary handover_ns{};   // the part of waiting while the receiver was free: what the bus took
  measure::LatencySummary occupied_ns{};   // how long a message kept the receiver from the next one that waited
  bool operator==(const ServiceSummary&) const = default;
};

// For senders in request-reply mode: what became of their requests. Times without warm-up, but for `warmup_`.
struct TurnaroundSummary {
  uint64_t replies = 0;   // requests that were answered; with replies from all, the replies that counted
  uint64_t timeouts = 0;  // requests whose reply did not come in time
  uint64_t late = 0;      // replies after that
  uint64_t doubles = 0;   // replies beyond those that were asked for
  uint64_t corrupt = 0;   // replies with a wrong checksum
  measure::LatencySummary turnaround_ns{};            // from the actual send to the reply, by one clock
  measure::LatencySummary scheduled_turnaround_ns{};  // from the intended send; in closed loop there is none
  measure::LatencySummary warmup_turnaround_ns{};
  measure::LatencySummary reply_latency_ns{};  // the way back: from the replier's send, within the clocks' bound
  uint32_t closed_loop = 0;                    // so many requests outstanding at a time; 0: sent by schedule
  bool operator==(const TurnaroundSummary&) const = default;
};

struct ReceiverSummary {
  Outcome outcome{};
  std::optional<uint64_t> expected{};  // null without END
  uint64_t received = 0;
  std::optional<uint64_t> lost{};
  uint64_t duplicates = 0;
  uint64_t reordered = 0;
  uint64_t corrupt = 0;
  uint64_t redelivered = 0;
  uint64_t requests = 0;
  uint64_t responses = 0;
  measure::LatencySummary latency_ns{};
  measure::LatencySummary scheduled_latency_ns{};
  measure::LatencySummary warmup_latency_ns{};
  ClockFigures clock{};
  uint64_t bytes = 0;  // of payload, of the distinct messages
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t log_stalls = 0;  // times that the log could not keep up and a service waited
  std::vector<LossFigures> losses{};
  std::optional<ServiceSummary> service{};
  std::optional<uint64_t> replies{};  // sent; request-reply only
  RoundTripFigures round_trips{};
  bool operator==(const ReceiverSummary&) const = default;
};

struct SenderSummary {
  Outcome outcome{};
  uint64_t sent = 0;
  uint64_t accepted = 0;
  uint64_t bytes = 0;
  measure::LatencySummary delay_ns{};
  measure::LatencySummary lateness_ns{};
  bool rate_reached = true;
  uint64_t log_stalls = 0;
  std::optional<TurnaroundSummary> turnaround{};  // request-reply only
  ClockFigures clock{};
  RoundTripFigures round_trips{};
  bool operator==(const SenderSummary&) const = default;
};

// For controllers: the broker writes this line by itself.
struct BrokerSummary {
  Outcome outcome{};
  uint64_t accepted = 0;
  uint64_t owed = 0;
  uint64_t delivered = 0;
  uint64_t confirmed = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t in_doubt = 0;
  uint64_t redelivered = 0;
  uint64_t requests = 0;
  uint64_t refused_connections = 0;
  uint64_t senders_vanished = 0;
  uint64_t receivers_vanished = 0;
  bool operator==(const BrokerSummary&) const = default;
};

std::string to_line(const ReceiverSummary& summary);
std::string to_line(const SenderSummary& summary);

}  // namespace n2nq::control
