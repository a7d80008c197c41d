// The live figures of a worker, as one telemetry line carries them. Plain values; any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workers/control/counts.h"
#include "workers/control/events.h"
#include "workers/control/network.h"
#include "workers/control/summary.h"
#include "workers/measure/slot_counts.h"

namespace n2nq::control {

inline constexpr int64_t kNoFigure = std::numeric_limits<int64_t>::min();  // null in the line

enum ServiceState : int64_t {
  kConnecting = 0,
  kJoined = 1,
  kRunning = 2,
  kPaused = 3,
  kDone = 4,
  kGone = 5,
  kAway = 6
};

// The figures of one service, or of all (totals). Means are of the time since the last look. A role uses the members
// that columns_of() lists.
struct ServiceRow : Counts {
  int64_t service = 0;  // number; 0 for totals
  int64_t state = kConnecting;
  int64_t delay_ns = kNoFigure;              // sender: measured between messages, mean
  int64_t lateness_ns = kNoFigure;           // sender: actual behind intended send time, mean
  int64_t latency_ns = kNoFigure;            // receiver: from the actual send time, mean
  int64_t scheduled_latency_ns = kNoFigure;  // receiver: from the intended send time, mean
  int64_t latency_p50_ns = kNoFigure;        // receiver: of all latencies from the actual send time, since BEGIN
  int64_t latency_p99_ns = kNoFigure;
  int64_t outstanding = 0;            // requests that wait for their reply now
  int64_t turnaround_ns = kNoFigure;  // from a request's actual send to its reply, mean
  int64_t last_ns = kNoFigure;  // when its last counted message was sent or received, by this worker's monotonic clock
  bool operator==(const ServiceRow&) const = default;
};

struct ServiceColumn {
  std::string_view name{};
  int64_t ServiceRow::* value;
};
// In the order of the line; the first two are service and state. Those of request-reply come last, and lines of other
// modes have none of them.
std::span<const ServiceColumn> columns_of(Role role, bool request_reply = false);

// Counts by bucket. index i >= 0: bucket i of values; i < 0: bucket -(i + 1) of negated negative values.
struct BucketCount {
  int32_t index = 0;
  uint64_t count = 0;
  bool operator==(const BucketCount&) const = default;
};
// Since BEGIN, exact but for the rounding of a double.
struct HistogramMoments {
  uint64_t count = 0;
  int64_t min = 0;  // with count 0: null
  int64_t max = 0;
  double sum = 0;
  double sum_squares = 0;
  static void fields(auto& visit, auto& row) {
    visit("count", row.count);
    visit.figure("min", row.min, row.count > 0);
    visit.figure("max", row.max, row.count > 0);
    visit("sum", row.sum);
    visit("sum_squares", row.sum_squares);
  }
  bool operator==(const HistogramMoments&) const = default;
};
struct HistogramDelta {
  std::string name{};  // of latencies.h; of both roles also network_ns, tcp_ns, probe_ns
  HistogramMoments moments{};
  std::vector<BucketCount> buckets{};  // what was added since the line before
  bool operator==(const HistogramDelta&) const = default;
};

// Messages by the tenth of a second since BEGIN in which they were sent, received or answered, since the line before.
using SlotList = std::vector<measure::SlotCount>;

struct TcpFigures {
  uint64_t connections = 0;
  uint64_t rtt_us = 0;  // mean over the connections
  uint64_t rtt_us_max = 0;
  uint64_t cwnd = 0;         // segments, mean
  uint64_t retransmits = 0;  // segments, of all connections since they were made
  static void fields(auto& visit, auto& row) {
    visit("connections", row.connections);
    visit("rtt_us", row.rtt_us);
    visit("rtt_us_max", row.rtt_us_max);
    visit("cwnd", row.cwnd);
    visit("retransmits", row.retransmits);
  }
  bool operator==(const TcpFigures&) const = default;
};

struct ProcessFigures {
  TcpFigures tcp{};
  NetworkFigures network{};
  uint64_t cpu_ns = 0;  // user and system, since the process began
  uint64_t rss_bytes = 0;
  uint64_t log_lines_not_written = 0;
  uint64_t dropped_lines = 0;         // important lines that did not fit in the output queue
  std::optional<WireFigures> wire{};  // absent: nothing is known yet
  // Without intervals; absent: one clock with the broker (a receiver's senders too), or nothing is known yet.
  std::optional<ClockFigures> clock{};
  static void fields(auto& visit, auto& row) {
    visit("tcp", row.tcp);
    visit("network", row.network);
    visit("cpu_ns", row.cpu_ns);
    visit("rss_bytes", row.rss_bytes);
    visit("log_lines_not_written", row.log_lines_not_written);
    visit("dropped_lines", row.dropped_lines);
    visit.maybe("wire", row.wire);
    visit.maybe("clock", row.clock);
  }
  bool operator==(const ProcessFigures&) const = default;
};

inline constexpr std::string_view kTelemetryBegin = "{\"type\":\"telemetry\"";  // of each line
struct Telemetry {
  Role role = Role::receiver;
  uint64_t sequence = 0;  // 1, 2, 3 ... of the lines sent
  // This worker's monotonic clock: of senders when the figures were asked for, so that all that was sent until then is
  // in them; of receivers when they had come, so that nothing that was received later is.
  int64_t time_ns = 0;
  int64_t interval_ns = 0;    // since the line before
  uint64_t merged = 0;        // lines so far that the output could not take, or that had no budget
  uint64_t waiting = 0;       // services that changed and wait for the next line
  double messages_per_s = 0;  // over interval_ns
  double bytes_per_s = 0;
  ServiceRow totals{};
  ProcessFigures process{};
  std::optional<SlotList> slots{};        // absent: the worker does not tell
  bool slot_times = false;                // of those the first and the last time are known
  std::optional<SlotList> reply_slots{};  // the same; request-reply alone
  std::vector<ServiceRow> services{};     // changed ones only, whole rows
  std::vector<HistogramDelta> histograms{};
  static void fields(auto& visit, auto& row) {
    visit("role", row.role);
    visit("sequence", row.sequence);
    visit("time_ns", row.time_ns);
    visit("interval_ns", row.interval_ns);
    visit("merged", row.merged);
    visit("messages_per_s", row.messages_per_s);
    visit("bytes_per_s", row.bytes_per_s);
  }
  bool operator==(const Telemetry&) const = default;
};

}  // namespace n2nq::control
