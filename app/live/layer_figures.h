// What the way between the hosts of a run takes, layer by layer, merged for each host with workers: round trips to the
// queue's host by the network, by TCP, by probes of the clock; and the latency of the messages received there. Worker
// numbers are those of LiveFigures, which owns it. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/live/merged_histogram.h"
#include "workers/control/network.h"
#include "workers/control/telemetry.h"

namespace n2nq::live {

struct HostLayers {
  std::string host{};
  MergedHistogram network{}, tcp{}, probe{}, latency{};
};

class LayerFigures {
 public:
  void add_worker(const std::string& host);
  // False when something of it cannot be; then that was not taken.
  bool take(uint32_t worker, const control::Telemetry& telemetry);
  // For messages, without warm-up; LiveFigures has found it to be possible.
  void take_latency(uint32_t worker, const control::HistogramDelta& delta) {
    hosts_[host_of_[worker]].latency.take(worker, delta);
  }

  // In the order in which workers were added.
  const std::deque<HostLayers>& hosts() const { return hosts_; }
  // Sums of a host's workers. `mixed`: they ask in different ways.
  struct Asked {
    control::NetworkMethod method = control::NetworkMethod::none;
    bool mixed = false;
    uint64_t sent = 0;
    uint64_t lost = 0;
  };
  Asked asked(const HostLayers& host) const;
  // The mean of the last round trips of the network that the workers of a host had answers for since this was asked
  // before; nothing: there was no answer.
  std::optional<int64_t> take_round_trip(const std::string& host);

 private:
  std::deque<HostLayers> hosts_;                   // grows without moving any
  std::vector<size_t> host_of_;                    // by worker
  std::vector<control::NetworkFigures> networks_;  // by worker, as it said last
  std::vector<uint64_t> answers_;                  // by worker, of the network
  std::vector<uint64_t> answers_taken_;            // by worker
};

}  // namespace n2nq::live
