// What was measured of each latency, and how the control protocol carries it. Values and pure functions; any thread.
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "workers/bus/link.h"
#include "workers/control/latencies.h"
#include "workers/control/summary.h"
#include "workers/control/telemetry_builder.h"
#include "workers/measure/histogram.h"
#include "workers/measure/hlog.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::fleet {

inline control::WireFigures to_figures(const bus::LinkCounters& counters) {
  return {.sent_bytes = counters.sent_bytes,
          .received_bytes = counters.received_bytes,
          .connections = counters.connections};
}

struct LatencyHistograms : control::ByLatency<measure::Histogram> {
  void reset() {
    for (const control::LatencyRow& row : control::kLatencies) (*this)[row.latency].reset();
  }
  void merge(const LatencyHistograms& other) {
    for (const control::LatencyRow& row : control::kLatencies) (*this)[row.latency].merge(other[row.latency]);
  }
};

// Those that a fleet measures.
struct MeasuredLatencies {
  control::Role role;
  bool answers = false;
  bool service_time = false;
  bool replies = false;
  bool has(const control::LatencyRow& row) const {
    if (row.role != role) return false;
    switch (row.needs) {
      case control::Needs::nothing:
        return true;
      case control::Needs::answers:
        return answers;
      case control::Needs::service_time:
        return service_time;
      case control::Needs::replies:
        return replies;
    }
    return false;
  }
};

// `total` since BEGIN, `added` since the last call.
inline void add_histogram(control::TelemetryBuilder& telemetry, std::string_view name, const measure::Histogram& total,
                          const measure::Histogram& added) {
  const measure::Moments& moments = total.moments();
  std::vector<control::BucketCount> buckets;
  added.for_each(
      [&](const measure::Bucket& bucket) { buckets.push_back({.index = bucket.index, .count = bucket.count}); });
  telemetry.add_histogram(name,
                          {.count = moments.count,
                           .min = moments.min_ns,
                           .max = moments.max_ns,
                           .sum = static_cast<double>(moments.sum_ns),
                           .sum_squares = static_cast<double>(moments.squares) + moments.wild_squares},
                          buckets);
}
inline void add_histograms(control::TelemetryBuilder& telemetry, const LatencyHistograms& total,
                           const LatencyHistograms& added, const MeasuredLatencies& measured) {
  for (const control::LatencyRow& row : control::kLatencies)
    if (measured.has(row)) add_histogram(telemetry, row.name, total[row.latency], added[row.latency]);
}

inline Result<void> write_hlog(measure::HlogWriter& hlog, int64_t start_ns, int64_t length_ns,
                               const LatencyHistograms& latencies, const MeasuredLatencies& measured) {
  for (const control::LatencyRow& row : control::kLatencies) {
    if (row.tag.empty() || !measured.has(row)) continue;
    if (auto written = hlog.interval(row.tag, start_ns, length_ns, latencies[row.latency]); !written) return written;
  }
  return {};
}

}  // namespace n2nq::fleet
