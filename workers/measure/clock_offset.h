// How far a remote clock is from the local one, and how wrong that may be, from four-timestamp probes: each confines
// the offset to an interval as wide as its round trip; all intervals of a window, moved by the drift since, are
// intersected. One thread (hand copies of Estimate to others). States: unknown until the first probe was taken, then
// known for good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace n2nq::measure {

struct Probe {
  int64_t local_send_ns = 0;
  int64_t remote_receive_ns = 0;
  int64_t remote_send_ns = 0;
  int64_t local_receive_ns = 0;

  int64_t round_trip_ns() const {  // without the time the remote side held it
    return (local_receive_ns - local_send_ns) - (remote_send_ns - remote_receive_ns);
  }
};

// A line through the offset at at_ns, good for the time around it.
struct OffsetEstimate {
  int64_t at_ns = 0;
  int64_t offset_ns = 0;       // added to a local time gives the remote time
  int64_t bound_ns = 0;        // |true offset - offset_ns| is no larger
  double drift_ppb = 0;        // by which the offset grows
  double drift_bound_ppb = 0;  // and how wrong that may be: what the bound grows by
  uint64_t probes = 0;         // taken so far
  int64_t min_rtt_ns = 0;      // in the window
  // What the clocks may have drifted apart since the probe with that round trip; bound_ns <= min_rtt_ns / 2 + drift_ns.
  int64_t drift_ns = 0;

  OffsetEstimate moved_to(int64_t local_ns) const;
};

// What the offset was from start_ns to the next one's start: a summary of the estimates that were in force.
struct OffsetInterval {
  int64_t start_ns = 0;
  int64_t offset_ns = 0;
  int64_t bound_ns = 0;
};

class OffsetEstimator {
 public:
  struct Options {
    int64_t window_ns = 30'000'000'000;
    size_t window_probes = 64;
    // No two clocks drift apart faster (two crystals of 100 ppm, and the kernel's 500 ppm to slew each of them).
    double max_drift_ppb = 1'200'000;
    // By how much drift may change within a window; the fit is widened by as much.
    double drift_wander_ppb = 1'000;
    int64_t interval_ns = 1'000'000'000;  // of the history, doubled whenever it is full
    size_t max_intervals = 4096;
  };

  OffsetEstimator() : OffsetEstimator(Options{}) {}
  explicit OffsetEstimator(const Options& options);

  // False for a probe whose stamps cannot be (time going back, a negative round trip): it is only counted. Probes come
  // in the order of local_receive_ns.
  bool add(const Probe& probe);

  bool known() const { return latest_.probes > 0; }
  // Cheap; asserts known(). Good from the window's start on; the further from the last probe, the wider.
  OffsetEstimate at(int64_t local_ns) const;

  uint64_t rejected() const { return rejected_; }
  // How often the probes contradicted each other beyond max_drift (a clock was set or a machine suspended) and the
  // estimate began anew.
  uint64_t restarts() const { return restarts_; }

  // For the report: bounded in number, the last one ending at until_ns.
  std::vector<OffsetInterval> intervals(int64_t until_ns) const;

 private:
  struct Range {
    double lowest = 0;
    double highest = 0;
  };
  // All the offset can be at one time; empty when low > high.
  struct Span {
    int64_t low = 0;
    int64_t high = 0;
  };
  struct Envelope {
    int64_t start_ns = 0;
    Span span;
  };

  void keep_within_window(int64_t now_ns);
  void thin_out();
  Range fitted_drift() const;
  Span span_at(int64_t local_ns, const Range& drift) const;
  void estimate();
  void remember(int64_t now_ns);
  static void widen(Span& span, const OffsetEstimate& estimate);
  void halve_history();

  Options options_;
  std::vector<Probe> window_;
  OffsetEstimate latest_;
  std::vector<Envelope> history_;
  int64_t history_step_ns_;
  uint64_t rejected_ = 0;
  uint64_t restarts_ = 0;
};

}  // namespace n2nq::measure
