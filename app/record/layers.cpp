#include "app/record/layers.h"

namespace n2nq::record {
namespace {

std::string method_of(const live::LayerFigures::Asked& asked) {
  return asked.mixed ? "mixed" : std::string(control::to_text(asked.method));
}

}  // namespace

std::vector<LayerRecord> layers_of(const live::LiveFigures& live) {
  std::vector<LayerRecord> layers;
  if (live.bus().meets_directly) return layers;  // no message takes the path to the queue's host
  const std::string& to = live.server().empty() ? live.queue_host() : live.server();
  for (const live::HostLayers& host : live.layers().hosts()) {
    const auto add = [&](Layer layer, const live::MergedHistogram& histogram) -> LayerRecord& {
      return layers.emplace_back(LayerRecord{
          .from = host.host, .to = to, .layer = layer, .figures = measure::summarize(histogram.histogram())});
    };
    const auto asked = live.layers().asked(host);
    if (asked.sent > 0) {
      LayerRecord& network = add(Layer::network, host.network);
      network.method = method_of(asked);
      network.sent = asked.sent;
      network.lost = asked.lost;
    }
    if (host.tcp.histogram().count() > 0) add(Layer::tcp, host.tcp);
    if (host.probe.histogram().count() > 0 && live.bus().own_queue) add(Layer::probe, host.probe);
    if (host.latency.histogram().count() > 0) add(Layer::bus, host.latency);
  }
  return layers;
}

}  // namespace n2nq::record
