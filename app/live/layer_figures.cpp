#include "app/live/layer_figures.h"

#include <algorithm>

namespace n2nq::live {

void LayerFigures::add_worker(const std::string& host) {
  const auto found = std::ranges::find(hosts_, host, &HostLayers::host);
  host_of_.push_back(static_cast<size_t>(found - hosts_.begin()));
  if (found == hosts_.end()) hosts_.push_back({.host = host});
  networks_.emplace_back();
  answers_.push_back(0);
  answers_taken_.push_back(0);
}

bool LayerFigures::take(uint32_t worker, const control::Telemetry& telemetry) {
  HostLayers& host = hosts_[host_of_[worker]];
  const control::NetworkFigures& network = telemetry.process.network;
  bool good = control::is_plausible(network);
  if (good) networks_[worker] = network;
  for (const control::HistogramDelta& delta : telemetry.histograms) {
    MergedHistogram* layer = delta.name == "network_ns" ? &host.network
                             : delta.name == "tcp_ns"   ? &host.tcp
                             : delta.name == "probe_ns" ? &host.probe
                                                        : nullptr;
    if (layer == nullptr) continue;
    const bool taken = layer->take(worker, delta);
    if (taken && layer == &host.network) answers_[worker] = delta.moments.count;
    good = taken && good;
  }
  return good;
}

std::optional<int64_t> LayerFigures::take_round_trip(const std::string& host) {
  int64_t sum_ns = 0, count = 0;
  for (size_t worker = 0; worker < networks_.size(); worker++) {
    const control::NetworkFigures& one = networks_[worker];
    if (hosts_[host_of_[worker]].host != host || !one.last_ns || answers_[worker] == answers_taken_[worker]) continue;
    answers_taken_[worker] = answers_[worker];
    sum_ns += *one.last_ns;
    count++;
  }
  return count > 0 ? std::optional(sum_ns / count) : std::nullopt;
}

LayerFigures::Asked LayerFigures::asked(const HostLayers& host) const {
  Asked sum;
  for (size_t worker = 0; worker < networks_.size(); worker++) {
    const control::NetworkFigures& one = networks_[worker];
    if (&hosts_[host_of_[worker]] != &host || one.method == control::NetworkMethod::none) continue;
    sum.mixed = sum.mixed || (sum.method != control::NetworkMethod::none && sum.method != one.method);
    sum.method = one.method;
    sum.sent += one.sent;
    sum.lost += one.lost;
  }
  return sum;
}

}  // namespace n2nq::live
