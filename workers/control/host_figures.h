// What a recorder says of its host, of the processes of the run there and of their connections: which figures there are
// (one table for each of the three, behind the line, JSON, CSV, the store, OpenMetrics and the docs), and the line that
// carries them. Plain values; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "workers/control/telemetry.h"

namespace n2nq::control {

// Of whom a figure is.
enum class RecordedOf { host, process, connections };
// How two neighbours in time become one.
enum class Merge { mean, least, largest };

struct HostColumn {
  std::string_view name{};   // "cpu_user": in JSON, files and the store
  std::string_view field{};  // "cpu_user_ns": in the line
  // A counter grows from an unknown beginning on; what is shown is how fast: nanoseconds of processor as cores, bytes
  // and counts a second. Else what is in the line is shown.
  bool counter = false;
  std::string_view unit{};   // of what is shown: "cores", "bytes", "bytes/s", "1/s", "ns"
  std::string_view total{};  // of a counter: the unit of its sum
  std::string_view help{};
  Merge merge = Merge::mean;
  bool on_line = true;  // false: the bench knows it from the workers there
};

inline constexpr auto kHostColumns = std::to_array<HostColumn>({
    {"cpu_user", "cpu_user_ns", true, "cores", "ns", "Processor time of programs, of all cores"},
    {"cpu_system", "cpu_system_ns", true, "cores", "ns", "Processor time of the kernel, interrupts included"},
    {"cpu_iowait", "cpu_iowait_ns", true, "cores", "ns", "Idle processor time while a disk was waited for"},
    {"cpu_steal", "cpu_steal_ns", true, "cores", "ns", "Time that the hypervisor gave to others"},
    {"cpu_idle", "cpu_idle_ns", true, "cores", "ns", "Idle processor time"},
    {"cpu_interrupts", "cpu_interrupts_ns", true, "cores", "ns", "Of the kernel's: interrupts, of anybody's traffic"},
    {"cpu_bench", "cpu_bench_ns", true, "cores", "ns", "Processor time of the bench itself and of its recorder"},
    {"other_benches", "other_benches", false, "count", "", "Recorders of other benches, which measure there as well",
     Merge::largest},
    {"memory_used", "memory_used_bytes", false, "bytes", "", "Memory that is not available to a new program"},
    {"disk_read", "disk_read_bytes", true, "bytes/s", "bytes", "Read from disks"},
    {"disk_written", "disk_written_bytes", true, "bytes/s", "bytes", "Written to disks"},
    {"disk_reads", "disk_reads", true, "1/s", "operations", "Read operations of disks"},
    {"disk_writes", "disk_writes", true, "1/s", "operations", "Write operations of disks"},
    {"network_received", "network_received_bytes", true, "bytes/s", "bytes", "Received over the network"},
    {"network_sent", "network_sent_bytes", true, "bytes/s", "bytes", "Sent over the network"},
    {"network_received_packets", "network_received_packets", true, "1/s", "packets", "Packets received"},
    {"network_sent_packets", "network_sent_packets", true, "1/s", "packets", "Packets sent"},
    {"network_drops", "network_drops", true, "1/s", "packets", "Packets dropped by the network interfaces"},
    {"loopback", "loopback_bytes", true, "bytes/s", "bytes", "Sent over the loopback interface, in no other figure"},
    {"tcp_retransmits", "tcp_retransmits", true, "1/s", "segments", "TCP segments sent again, of all connections"},
    {"network_round_trip", "network_round_trip_ns", false, "ns", "",
     "Round trip of the network to the queue's host, as the workers measured it last", Merge::mean, false},
});

inline constexpr auto kProcessColumns = std::to_array<HostColumn>({
    {"cpu", "cpu_ns", true, "cores", "ns", "Processor time, to the nanosecond"},
    {"cpu_user", "cpu_user_ns", true, "cores", "ns", "Processor time outside the kernel, in steps of 10 ms"},
    {"cpu_system", "cpu_system_ns", true, "cores", "ns", "Processor time in the kernel, in steps of 10 ms"},
    {"memory", "rss_bytes", false, "bytes", "", "Resident memory"},
    {"context_switches", "context_switches", true, "1/s", "switches", "Context switches of all threads"},
    {"disk_read", "disk_read_bytes", true, "bytes/s", "bytes", "Read from disks"},
    {"disk_written", "disk_written_bytes", true, "bytes/s", "bytes", "Made dirty in files on disks"},
    {"descriptors", "descriptors", false, "count", "", "Open descriptors"},
});

inline constexpr auto kConnectionColumns = std::to_array<HostColumn>({
    {"connections", "connections", false, "count", "",
     "Established connections: with the queue's port, also of programs that are not of the run; over another bus those "
     "of the run's processes"},
    {"rtt", "rtt_ns", false, "ns", "",
     "Smoothed round trip, mean of the connections, with the delays of acknowledgements"},
    {"rtt_max", "rtt_max_ns", false, "ns", "", "Smoothed round trip, largest, with the delays of acknowledgements",
     Merge::largest},
    {"rtt_least", "rtt_least_ns", false, "ns", "",
     "Least round trip of any connection, without the delays of acknowledgements", Merge::least},
    {"rtt_deviation", "rtt_deviation_ns", false, "ns", "", "Mean deviation of the smoothed round trip, mean"},
    {"cwnd", "cwnd_segments", false, "segments", "", "Congestion window, mean"},
    {"threshold", "threshold_segments", false, "segments", "",
     "Congestion window at which slow start ends, mean of the connections that have left it"},
    {"unacknowledged", "unacknowledged_segments", false, "segments", "", "Segments sent and not acknowledged, mean"},
    {"retransmits", "retransmits", true, "1/s", "segments", "Segments sent again"},
    {"delivery_rate", "delivery_rate_bytes_per_s", false, "bytes/s", "",
     "Delivery rate that the kernel estimates, mean"},
    {"pacing_rate", "pacing_rate_bytes_per_s", false, "bytes/s", "",
     "Pacing rate that the kernel reckons, and keeps to under fq or BBR, mean of the connections that have one"},
});

std::span<const HostColumn> columns_of(RecordedOf of);
std::string_view to_text(RecordedOf of);  // "host", "process", "connections"
std::optional<RecordedOf> recorded_of(std::string_view word);
std::string_view to_text(Merge merge);  // "mean", "least", "largest": what a figure over time comes to

// The index of a column, when compiling.
template <size_t N>
consteval size_t at(const std::array<HostColumn, N>& columns, std::string_view name) {
  for (size_t i = 0; i < N; i++)
    if (columns[i].name == name) return i;
  throw "no such column";
}

// In the order of the columns; kNoFigure: it is not known.
using HostValues = std::vector<int64_t>;
inline HostValues no_values(RecordedOf of) {
  return HostValues(columns_of(of).size(), kNoFigure);
}

// Those that are in the line, of a list of them or a const one.
template <class Visit, class Values>
void figures(Visit& visit, RecordedOf of, Values& values) {
  const auto columns = columns_of(of);
  if constexpr (!std::is_const_v<Values>) values.resize(columns.size(), kNoFigure);
  for (size_t i = 0; i < columns.size(); i++)
    if (columns[i].on_line) visit.figure(columns[i].field, values[i], values[i] != kNoFigure);
}

struct RecordedSubject {
  std::string name{};  // of a process as `watch` called it; of connections the side: "queue", "senders"
  HostValues values{};
  bool operator==(const RecordedSubject&) const = default;
};

// Series that this host does not give, and why.
struct Lacking {
  RecordedOf of = RecordedOf::host;
  std::string subject{};              // of a process or side; empty: of all
  std::vector<std::string> series{};  // names of columns
  std::string why{};                  // a sentence for people
  static void fields(auto& visit, auto& row) {
    visit("of", row.of);
    visit("name", row.subject);
    visit("series", row.series);
    visit("why", row.why);
  }
  bool operator==(const Lacking&) const = default;
};

// One line of a recorder.
struct Recorded {
  static constexpr std::string_view kType = "record";
  uint64_t sequence = 0;
  int64_t time_ns = 0;  // CLOCK_MONOTONIC of the host, as in the lines of the workers there
  uint64_t merged = 0;  // lines so far that the output could not take
  HostValues host = no_values(RecordedOf::host);
  std::vector<RecordedSubject> processes{};    // those of `watch` that are still there, with their children
  std::vector<RecordedSubject> connections{};  // established ones
  std::vector<Lacking> lacking{};
  std::optional<std::string> not_awake{};  // why the cores are not kept from halting any more
  static void fields(auto& visit, auto& row) {
    const auto subjects_of = [](RecordedOf of) {
      return [of](auto& inner, auto& subject) {
        inner("name", subject.name);
        figures(inner, of, subject.values);
      };
    };
    visit("sequence", row.sequence);
    visit("time_ns", row.time_ns);
    visit.maybe("merged", row.merged);
    visit.object("host", [&row](auto& host) { figures(host, RecordedOf::host, row.host); });
    visit.objects("processes", row.processes, subjects_of(RecordedOf::process));
    visit.objects("connections", row.connections, subjects_of(RecordedOf::connections));
    visit.maybe("lacking", row.lacking);
    visit.maybe("not_awake", row.not_awake);
  }
  bool operator==(const Recorded&) const = default;
};

// The last line of a recorder.
struct RecorderSummary {
  static constexpr std::string_view kType = "summary";
  static constexpr Role kRole = Role::recorder;
  Outcome outcome{};
  uint64_t readings = 0;
  static void fields(auto& visit, auto& row) {
    Outcome::fields_of_end(visit, row.outcome);
    Outcome::fields_of_process(visit, row.outcome);
    visit("readings", row.readings);
  }
  bool operator==(const RecorderSummary&) const = default;
};

}  // namespace n2nq::control
