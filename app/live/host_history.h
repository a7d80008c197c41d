// What a host, the processes of the run on it and their connections did over the time of a run. Values; any thread.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workers/control/host_figures.h"

namespace n2nq::bus {
struct BusTraits;
}

namespace n2nq::live {

using control::RecordedOf;

inline constexpr double kNoReading = std::numeric_limits<double>::quiet_NaN();

// Of a history that was stored or written: more is damaged.
inline constexpr size_t kMostStoredSlots = 10'000;
inline constexpr int64_t kLatestSlotNs = int64_t{1} << 60;

struct HostSeries {
  RecordedOf of = RecordedOf::host;
  std::string subject{};  // name of a process, side of connections; empty: the host
  std::string name{};     // of a column of control::columns_of(of)
  // Since BEGIN: of a counter the sum, in its total's unit; else the mean over time, or the least or largest.
  std::optional<double> value{};
  std::string why{};             // a sentence, where there is no value
  std::vector<double> values{};  // by slot, in the column's unit; kNoReading where there was none

  bool operator==(const HostSeries& other) const;
};

struct HostHistory {
  std::string place{};              // as record::ProcessRecord::place
  std::vector<int64_t> start_ns{};  // of the slots, since BEGIN, ascending
  std::vector<int64_t> width_ns{};  // as many
  std::vector<HostSeries> series{};
  std::string awake{};  // how its cores were kept from halting; empty: they were not
  bool operator==(const HostHistory&) const = default;
};

// The name of the process of a run that keeps its servers on a host of their own.
std::string servers_on(const std::string& host);

const HostHistory* find_host(std::span<const HostHistory> hosts, std::string_view place);
const HostSeries* find_series(const HostHistory& host, RecordedOf of, std::string_view subject, std::string_view name);
// The column of a series; a series of an unknown name has none.
const control::HostColumn* column_of(const HostSeries& series);

// What a run's figures are made of. Nothing where any part of it is not known.
// The mean busy share of all cores of a host, in percent: with programs, with the kernel, or with both.
enum class BusyPart : uint8_t { all, programs, kernel };
std::optional<double> busy_percent(const HostHistory& host, BusyPart part = BusyPart::all);
// The same in each slot; kNoReading where it is not known.
std::vector<double> busy_percents(const HostHistory& host);
// What others than the run had of the host.
struct Bystanders {
  double cores = 0;  // that there are
  // With whatever programs. The kernel counts a host's time by ticks and may miss what runs between two of them; that
  // of processes it counts to the nanosecond. A host is no less busy than the processes on it.
  double busy = 0;
  double stolen = 0;  // given to others by the hypervisor
  // Busy with neither the run's processes, nor the bench, nor interrupts; only while all processes of the run live.
  std::optional<double> others{};
};
// In each slot; kNoReading where it is not known, and others below 0 where the kernel's steps of 10 ms make them so.
std::vector<Bystanders> bystanders_by_slot(const HostHistory& host);
// On average over the time of which it is known; nothing where that is less than half a second.
std::optional<Bystanders> bystanders_of(const HostHistory& host);
// In how many slots the recorder of another bench was seen, of how many that tell of it.
struct BenchSightings {
  size_t seen = 0;
  size_t of = 0;
};
BenchSightings bench_sightings(const HostHistory& host);
// The sum over all processes on all hosts; nothing unless there are as many as `processes`.
std::optional<double> sum_of_processes(std::span<const HostHistory> hosts, std::string_view name, size_t processes);

// The sides of connections: the two ends at the queue's port, of whatever program; over another bus those of its
// servers and of the run's processes, where connections to the queue are no messages' way.
inline constexpr const char* kQueueSide = "queue";
inline constexpr const char* kWorkersSide = "workers";
inline constexpr const char* kServersSide = "servers";
inline constexpr const char* kSendersSide = "senders";
inline constexpr const char* kReceiversSide = "receivers";
inline constexpr std::array<std::string_view, 2> kQueueSides{kQueueSide, kWorkersSide};
// All that messages pass by on this bus.
std::span<const std::string_view> sides_of(const bus::BusTraits& bus);
// Connections of one of these sides.
bool is_of(const HostSeries& series, std::span<const std::string_view> sides);
// The sum over these sides on all hosts; each must have had connections.
std::optional<double> sum_of_connections(std::span<const HostHistory> hosts, std::string_view name,
                                         std::span<const std::string_view> sides);

}  // namespace n2nq::live
