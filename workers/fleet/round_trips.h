// The round trips between this worker and the broker's host, layer by layer: what the network takes, what TCP on it,
// what a probe of the clock over the broker's port. Thread: the control loop's.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "workers/control/summary.h"
#include "workers/control/telemetry_builder.h"
#include "workers/fleet/latency_figures.h"
#include "workers/measure/histogram.h"

namespace n2nq::fleet {

class RoundTripSeries {
 public:
  // While it is held nothing is recorded: the way is filled on purpose.
  void hold(bool held) { held_ = held; }
  bool held() const { return held_; }
  void record(int64_t ns) {
    if (held_ || ns < 0) return;  // below 0: a clock that was set meanwhile
    total_.record(ns);
    added_.record(ns);
  }
  const measure::Histogram& total() const { return total_; }
  void report(control::TelemetryBuilder& telemetry, std::string_view name) {
    add_histogram(telemetry, name, total_, added_);
    added_.reset();
  }

 private:
  measure::Histogram total_;
  measure::Histogram added_;  // since the last report
  bool held_ = false;
};

struct RoundTrips {
  control::NetworkFigures network{};
  RoundTripSeries network_ns{};
  RoundTripSeries tcp_ns{};    // what the kernel says of connections, TCP_INFO
  RoundTripSeries probe_ns{};  // without the broker's own time

  void report(control::TelemetryBuilder& telemetry) {
    network_ns.report(telemetry, "network_ns");
    tcp_ns.report(telemetry, "tcp_ns");
    probe_ns.report(telemetry, "probe_ns");
  }
  control::RoundTripFigures figures() const {
    return {.network = network,
            .network_ns = measure::summarize(network_ns.total()),
            .tcp_ns = measure::summarize(tcp_ns.total()),
            .probe_ns = measure::summarize(probe_ns.total())};
  }
};

}  // namespace n2nq::fleet
