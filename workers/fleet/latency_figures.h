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

}  // namespace n2nq::fleet
