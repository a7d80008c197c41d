// What happened when: a run in slots of equal width, at most kMaxSlots of them however long it takes. When they run out
// neighbours are merged: counts add up, latency histograms add up, so that no peak is lost and no percentile is ever
// averaged. Memory is bounded: of each latency a slot has at most SlotHistogram::kMaxBuckets buckets of 16 bytes,
// which makes 80 MB for a full series whatever comes (140 with replies), and a twentieth of that in an ordinary run.
// One thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/live/slot_histogram.h"
#include "app/plan/role.h"
#include "workers/control/telemetry.h"

namespace n2nq::live {

// A slot of the series as charts and results take it. Latencies are those of messages received in it, from actual
// sending; nothing where none was received.
struct SeriesPoint {
  int64_t start_ns = 0;  // since BEGIN
  int64_t width_ns = 0;
  double sent = 0;  // messages; fractions where a worker tells only how many there were in some other time
  double received = 0;
  double lost = 0;  // deliveries that receivers were told are skipped
  // Since BEGIN; nothing where a worker that received in it does not tell.
  std::optional<int64_t> first_received_ns{}, last_received_ns{};
  std::optional<double> accepted{};  // messages; nothing where the bus answers none
  std::optional<int64_t> p50_ns{}, p95_ns{}, p99_ns{}, max_ns{};
  std::optional<int64_t> scheduled_p50_ns{}, scheduled_p99_ns{};  // from intended sending
  // Request-reply, of requests whose reply came in it; the way back from the replier's send.
  std::optional<double> replies{}, timeouts{};
  std::optional<int64_t> turnaround_p50_ns{}, turnaround_p95_ns{}, turnaround_p99_ns{}, turnaround_max_ns{};
  std::optional<int64_t> scheduled_turnaround_p50_ns{}, scheduled_turnaround_p99_ns{};
  std::optional<int64_t> reply_p50_ns{}, reply_p99_ns{};
  // Of messages that were sent in it: since the one before of the same sender, and behind the schedule.
  std::optional<int64_t> delay_p50_ns{}, delay_p99_ns{};
  std::optional<int64_t> lateness_p50_ns{}, lateness_p99_ns{};
  bool operator==(const SeriesPoint&) const = default;
};

// The latencies that a series has, and what a point has of each.
struct LatencyOverTime {
  using Figure = std::optional<int64_t> SeriesPoint::*;
  Latency latency;
  Figure p50, p99;
  Figure p95 = nullptr, max = nullptr;
};
inline constexpr std::array kLatenciesOverTime{
    LatencyOverTime{Latency::latency, &SeriesPoint::p50_ns, &SeriesPoint::p99_ns, &SeriesPoint::p95_ns,
                    &SeriesPoint::max_ns},
    LatencyOverTime{Latency::scheduled_latency, &SeriesPoint::scheduled_p50_ns, &SeriesPoint::scheduled_p99_ns},
    LatencyOverTime{Latency::turnaround, &SeriesPoint::turnaround_p50_ns, &SeriesPoint::turnaround_p99_ns,
                    &SeriesPoint::turnaround_p95_ns, &SeriesPoint::turnaround_max_ns},
    LatencyOverTime{Latency::scheduled_turnaround, &SeriesPoint::scheduled_turnaround_p50_ns,
                    &SeriesPoint::scheduled_turnaround_p99_ns},
    LatencyOverTime{Latency::reply_latency, &SeriesPoint::reply_p50_ns, &SeriesPoint::reply_p99_ns},
    LatencyOverTime{Latency::delay, &SeriesPoint::delay_p50_ns, &SeriesPoint::delay_p99_ns},
    LatencyOverTime{Latency::lateness, &SeriesPoint::lateness_p50_ns, &SeriesPoint::lateness_p99_ns}};
const LatencyOverTime& over_time(Latency latency);  // one of them

class TimeSeries {
 public:
  static constexpr int64_t kFinestNs = 100'000'000;
  static constexpr size_t kMaxSlots = 2400;
  static constexpr int64_t kLongestNs = 366LL * 24 * 3'600'000'000'000;  // what comes later counts as then

  // Spread evenly over [from, to], since BEGIN. Times before BEGIN count as BEGIN.
  void add_sent(int64_t from_ns, int64_t to_ns, uint64_t messages);
  void add_received(int64_t from_ns, int64_t to_ns, uint64_t messages);
  // Of so many that were added: when the first and the last of them was, both in one slot of the finest width.
  void note_received(int64_t first_ns, int64_t last_ns, uint64_t messages);
  void add_lost(int64_t from_ns, int64_t to_ns, uint64_t deliveries);
  void add_accepted(int64_t from_ns, int64_t to_ns, uint64_t messages);
  void add_replies(int64_t from_ns, int64_t to_ns, uint64_t replies);
  void add_timeouts(int64_t from_ns, int64_t to_ns, uint64_t timeouts);
  using Add = void (TimeSeries::*)(int64_t from_ns, int64_t to_ns, uint64_t count);  // one of these
  // Belongs to the slot in which the interval's middle lies. Of latencies that a series does not have nothing is taken.
  void add_latency(Latency latency, int64_t from_ns, int64_t to_ns, std::span<const control::BucketCount> buckets);

  int64_t width_ns() const { return width_ns_; }
  int64_t end_ns() const;  // of the last slot that holds something
  size_t memory_bytes() const;

  // At most `max_points` of the range, neighbours merged as above. Whole slots only. Points stay where they are while
  // time goes on, and those that nothing was added to are kept: a look ten times a second merges only what is new.
  std::vector<SeriesPoint> points(int64_t from_ns, int64_t to_ns, size_t max_points) const;
  // Slots that were merged for points() so far: what the looks cost.
  uint64_t slots_merged() const { return slots_merged_; }

 private:
  struct Slot {
    double sent = 0;
    double received = 0;
    double timed = 0;  // of those, whose times are within these
    int64_t first_received_ns = kLongestNs, last_received_ns = 0;
    double lost = 0;
    double accepted = 0;
    double replies = 0;
    double timeouts = 0;
    std::array<SlotHistogram, kLatenciesOverTime.size()> latencies{};
  };
  using Points = std::vector<std::optional<SeriesPoint>>;

  void tell(bool& of_these);
  void spread(int64_t from_ns, int64_t to_ns, uint64_t messages, double Slot::* count);
  SlotHistogram sum(size_t first, size_t end, size_t latency) const;
  size_t slot_at(int64_t t_ns);  // the slot is there afterwards
  void halve();
  void touch(size_t slot);
  SeriesPoint merged(size_t first, size_t end) const;
  const SeriesPoint& kept(size_t level, size_t group) const;
  void keep_ahead(size_t level, size_t first, size_t end) const;

  int64_t width_ns_ = kFinestNs;
  bool replies_ = false;  // there were any, or timeouts
  bool accepted_ = false;
  std::vector<Slot> slots_;
  // By level, then group: 2^level slots as one point, where it was asked for since the last change. One level up is
  // what a level becomes when the slots are halved.
  mutable std::vector<Points> kept_;
  mutable uint64_t slots_merged_ = 0;
};

}  // namespace n2nq::live
