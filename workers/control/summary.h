// The last line of a program: what happened, in names that scripts rely on. Plain values that list their fields
// (fields.h); any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workers/control/counts.h"
#include "workers/control/events.h"
#include "workers/control/network.h"
#include "workers/measure/latency_summary.h"
#include "workers/measure/message_set.h"

namespace n2nq::control {

// How this worker's clock stood to the broker's, and with it to the senders'.
struct ClockFigures {
  struct Interval {
    int64_t from_ns = 0;  // this worker's monotonic clock
    int64_t offset_ns = 0;
    uint64_t bound_ns = 0;
    static void fields(auto& visit, auto& row) {
      visit("from_ns", row.from_ns);
      visit("offset_ns", row.offset_ns);
      visit("bound_ns", row.bound_ns);
    }
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
  static void fields(auto& visit, auto& row) {
    visit("kind", row.kind);
    visit("offset_ns", row.offset_ns);
    visit("bound_ns", row.bound_ns);
    visit("own_bound_ns", row.own_bound_ns);
    visit("round_trip_ns", row.round_trip_ns);
    visit("drift_ns", row.drift_ns);
    visit("probes", row.probes);
  }
  // As summaries have it.
  static void with_intervals(auto& visit, auto& row) {
    visit.object("clock", [&row](auto& clock) {
      fields(clock, row);
      clock("intervals", row.intervals);
    });
  }
  bool operator==(const ClockFigures&) const = default;
};

// The round trips between a worker and the broker's host, since it joined.
struct RoundTripFigures {
  NetworkFigures network{};
  measure::LatencySummary network_ns{};
  measure::LatencySummary
      tcp_ns{};  // of the services' connections, from TCP_INFO, once a second; while telemetry is on
  measure::LatencySummary probe_ns{};  // of the clock's probes over the broker's port, without the broker's own time
  static void fields(auto& visit, auto& row) {
    NetworkFigures::fields(visit, row.network);
    visit("network_ns", row.network_ns);
    visit("tcp_ns", row.tcp_ns);
    visit("probe_ns", row.probe_ns);
  }
  bool operator==(const RoundTripFigures&) const = default;
};

// What all summaries have.
struct Outcome {
  uint32_t services = 0;
  uint64_t cpu_ns = 0;
  uint64_t peak_rss_bytes = 0;
  std::optional<uint64_t> disk_written_bytes{};
  // Of all threads there have been; cpu_ns is both of the first two.
  std::optional<uint64_t> cpu_user_ns{}, cpu_system_ns{}, context_switches{}, disk_read_bytes{};
  std::optional<WireFigures> wire{};  // of workers
  int exit_code = 0;
  std::string verdict{};             // complete, incomplete, failed
  std::string reason{};              // for people: why not complete, or who stopped it; may be empty
  std::optional<std::string> end{};  // how the run ended, as the event `end` has it; nothing: it was not told
  bool stopped = false;              // it was told to stop before that, or lost whoever tells it
  static void fields_of_end(auto& visit, auto& row) {
    visit("services", row.services);
    visit("exit_code", row.exit_code);
    visit("verdict", row.verdict);
    visit("reason", row.reason);
    visit.maybe("end", row.end);
    visit.maybe("stopped", row.stopped, row.stopped);
  }
  static void fields_of_process(auto& visit, auto& row) {
    visit("cpu_ns", row.cpu_ns);
    visit("peak_rss_bytes", row.peak_rss_bytes);
    visit.maybe("disk_written_bytes", row.disk_written_bytes);
    visit.maybe("cpu_user_ns", row.cpu_user_ns);
    visit.maybe("cpu_system_ns", row.cpu_system_ns);
    visit.maybe("context_switches", row.context_switches);
    visit.maybe("disk_read_bytes", row.disk_read_bytes);
    visit.maybe("wire", row.wire);
  }
  bool operator==(const Outcome&) const = default;
};

// Messages of one sender that the broker said it skipped.
struct LossFigures {
  uint32_t sender = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  static void fields(auto& visit, auto& row) {
    visit("sender", row.sender);
    visit("expired", row.expired);
    visit("undeliverable", row.undeliverable);
  }
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
  static void fields(auto& visit, auto& row) {
    visit("served", row.served);
    visit("waiting_ns", row.waiting_ns);
    visit("service_ns", row.service_ns);
    visit("in_system_ns", row.in_system_ns);
    visit("handover_ns", row.handover_ns);
    visit("occupied_ns", row.occupied_ns);
  }
  bool operator==(const ServiceSummary&) const = default;
};

// For senders in request-reply mode: what became of their requests. Times without warm-up, but for `warmup_`.
struct TurnaroundSummary {
  Counts counts{};                                    // those of request-reply
  measure::LatencySummary turnaround_ns{};            // from the actual send to the reply, by one clock
  measure::LatencySummary scheduled_turnaround_ns{};  // from the intended send; in closed loop there is none
  measure::LatencySummary warmup_turnaround_ns{};
  measure::LatencySummary reply_latency_ns{};  // the way back: from the replier's send, within the clocks' bound
  uint32_t closed_loop = 0;                    // so many requests outstanding at a time; 0: sent by schedule
  static void fields(auto& visit, auto& row) {
    summed_counts(visit, Role::sender, true, row.counts);
    visit("turnaround_ns", row.turnaround_ns);
    visit("scheduled_turnaround_ns", row.scheduled_turnaround_ns);
    visit("warmup_turnaround_ns", row.warmup_turnaround_ns);
    visit("reply_latency_ns", row.reply_latency_ns);
    visit("closed_loop", row.closed_loop);
  }
  bool operator==(const TurnaroundSummary&) const = default;
};

// Of a sender that has not said how many messages it sent: the last of them that came.
struct HighestIndex {
  uint32_t sender = 0;
  uint64_t index = 0;
  static void fields(auto& visit, auto& row) {
    visit("sender", row.sender);
    visit("index", row.index);
  }
  bool operator==(const HighestIndex&) const = default;
};

// Of a sender's messages: as text (measure::read_set), those that a process had as they were sent, and those that it
// only had marked as sent again.
struct HadSet {
  uint32_t sender = 0;
  std::string first{};
  std::string again{};
  static void fields(auto& visit, auto& row) {
    visit("sender", row.sender);
    visit("first", row.first);
    visit("again", row.again);
  }
  bool operator==(const HadSet&) const = default;
};
// Which messages a process of receivers had where another bus chose who gets which, for others to put together.
struct HadFigures {
  measure::MessageSums sums{};  // of what it had
  measure::MessageSums due{};   // of all that was sent
  // None where it had all, or nothing, or they are too large for a line.
  std::vector<HadSet> sets{};
  static void fields(auto& visit, auto& row) {
    visit("sums", row.sums);
    visit("due", row.due);
    visit("sets", row.sets);
  }
  bool operator==(const HadFigures&) const = default;
};

struct ReceiverSummary {
  static constexpr std::string_view kType = "summary";
  static constexpr Role kRole = Role::receiver;
  Outcome outcome{};
  Counts counts{};
  std::optional<uint64_t> expected{};  // null without END
  std::optional<uint64_t> lost{};      // expected, and not received
  measure::LatencySummary latency_ns{};
  measure::LatencySummary scheduled_latency_ns{};
  measure::LatencySummary warmup_latency_ns{};
  ClockFigures clock{};
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  std::vector<LossFigures> losses{};
  std::optional<ServiceSummary> service{};
  std::optional<uint64_t> replies{};  // sent; request-reply only
  // Over another bus, where all senders have said what they sent: deliveries of messages that it had refused, that
  // nobody had answered for, and that no sender sent.
  std::optional<uint64_t> refused_received{}, unanswered_received{}, unsent{};
  std::vector<HighestIndex> highest{};  // over another bus, of all senders if one of them has not said how many it sent
  std::optional<HadFigures> had{};      // where these are known and the bus chose the receivers
  RoundTripFigures round_trips{};
  static void fields(auto& visit, auto& row) {
    Outcome::fields_of_end(visit, row.outcome);
    visit("expected", row.expected);
    visit("lost", row.lost);
    summed_counts(visit, kRole, false, row.counts);
    visit("latency_ns", row.latency_ns);
    visit("scheduled_latency_ns", row.scheduled_latency_ns);
    visit("warmup_latency_ns", row.warmup_latency_ns);
    ClockFigures::with_intervals(visit, row.clock);
    visit("expired", row.expired);
    visit("undeliverable", row.undeliverable);
    visit("losses", row.losses);
    visit.maybe("service", row.service);
    visit.maybe("replies", row.replies);
    visit.maybe("refused_received", row.refused_received);
    visit.maybe("unanswered_received", row.unanswered_received);
    visit.maybe("unsent", row.unsent);
    visit.maybe("highest", row.highest, !row.highest.empty());
    visit.maybe("had", row.had);
    visit("round_trips", row.round_trips);
    Outcome::fields_of_process(visit, row.outcome);
  }
  bool operator==(const ReceiverSummary&) const = default;
};

struct SenderSummary {
  static constexpr std::string_view kType = "summary";
  static constexpr Role kRole = Role::sender;
  Outcome outcome{};
  Counts counts{};
  // On a bus that answers: messages that it refused, and that it had neither accepted nor refused when all was over.
  std::optional<uint64_t> refused{}, unanswered{};
  measure::LatencySummary delay_ns{};
  measure::LatencySummary lateness_ns{};
  std::optional<measure::LatencySummary> publish_ns{};  // from the actual send to the bus's answer, where that is timed
  bool rate_reached = true;
  std::optional<TurnaroundSummary> turnaround{};  // request-reply only
  ClockFigures clock{};
  RoundTripFigures round_trips{};
  static void fields(auto& visit, auto& row) {
    Outcome::fields_of_end(visit, row.outcome);
    summed_counts(visit, kRole, false, row.counts);
    visit.maybe("refused", row.refused);
    visit.maybe("unanswered", row.unanswered);
    visit("delay_ns", row.delay_ns);
    visit("lateness_ns", row.lateness_ns);
    visit.maybe("publish_ns", row.publish_ns);
    visit("rate_reached", row.rate_reached);
    visit.maybe("turnaround", row.turnaround);
    ClockFigures::with_intervals(visit, row.clock);
    visit("round_trips", row.round_trips);
    Outcome::fields_of_process(visit, row.outcome);
  }
  bool operator==(const SenderSummary&) const = default;
};

// For controllers, what they need of it: the broker writes this line, which says more, by itself.
struct BrokerSummary {
  static constexpr std::string_view kType = "summary";
  static constexpr Role kRole = Role::broker;
  Outcome outcome{};
  uint64_t accepted = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t in_doubt = 0;
  std::optional<uint64_t> untaken{};  // where another bus chose the receivers: what none of them has had
  uint64_t refused_connections = 0;
  uint64_t senders_vanished = 0;
  uint64_t receivers_vanished = 0;
  std::optional<uint64_t> senders_cut_off{}, receivers_cut_off{};  // from another bus
  static void fields(auto& visit, auto& row) {
    Outcome::fields_of_end(visit, row.outcome);
    visit("accepted", row.accepted);
    visit("expired", row.expired);
    visit("undeliverable", row.undeliverable);
    visit("in_doubt", row.in_doubt);
    visit("untaken", row.untaken);
    visit("refused_connections", row.refused_connections);
    visit("senders_vanished", row.senders_vanished);
    visit("receivers_vanished", row.receivers_vanished);
    visit.maybe("senders_cut_off", row.senders_cut_off);
    visit.maybe("receivers_cut_off", row.receivers_cut_off);
    Outcome::fields_of_process(visit, row.outcome);
  }
  bool operator==(const BrokerSummary&) const = default;
};

}  // namespace n2nq::control
