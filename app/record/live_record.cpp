#include "app/record/live_record.h"

#include <algorithm>

#include "app/record/totals.h"

namespace n2nq::record {
namespace {

std::string method_of(const live::LayerFigures::Asked& asked) {
  return asked.mixed ? "mixed" : std::string(control::to_text(asked.method));
}

void take_latencies(RunRecord& record, const live::LiveFigures& live) {
  record.histograms.clear();
  for (const control::LatencyRow& row : control::kLatencies) {
    const measure::Histogram& histogram = live.histogram(row.latency);
    if (!row.always && histogram.count() == 0) continue;
    record.latencies[row.latency] = live.summary(row.latency);
    record.histograms.push_back(to_record(row.name, histogram));
  }
  if (live.histogram(Latency::waiting).count() > 0) record.waiting_batches = live.waiting_batches().all();
}

}  // namespace

void add_clock(RunRecord& record, const std::string& kind, const std::optional<uint64_t>& bound_ns) {
  if (kind == "unknown" || (kind == "measured" && record.clock_kind == "same")) record.clock_kind = kind;
  if (bound_ns) record.clock_bound_ns = std::max(record.clock_bound_ns.value_or(0), *bound_ns);
}

void take_figures(RunRecord& record, const live::LiveFigures& live) {
  take_latencies(record, live);
  record.layers = layers_of(live);
  const live::ClockState clocks = live.clocks();
  add_clock(record, clocks.kind, clocks.bound_ns);
  record.services.clear();
  for (const auto services : {live.senders(), live.receivers()})
    for (const live::ServiceFigures& service : services) record.services.push_back(live.of_whole_run(service));
  record.hosts = live.hosts().histories();
}

RunTotals totals_of(const live::LiveFigures& live, const RunRecord& record) {
  const plan::RunPlan& plan = record.plan;
  RunTotals totals{.planned = record.totals.planned};
  const bool replies = plan::asks_for_replies(plan);
  add_counts(totals, Role::sender, live.all_senders(), replies);
  add_counts(totals, Role::receiver, live.all_receivers(), replies);
  // No receiver of a load balancer is told what nobody took.
  if (plan.bus.traits().own_queue && !plan::balances(plan.queue))
    totals.lost = control::whole(live.all_receivers().lost);
  if (const auto wire = live.wire()) {
    totals.wire_bytes = wire->sent_bytes + wire->received_bytes;
    totals.connections = wire->connections;
  }
  return totals;
}

std::vector<LayerRecord> layers_of(const live::LiveFigures& live) {
  std::vector<LayerRecord> layers;
  if (live.bus().meets_directly && live.server().empty())
    return layers;  // no message takes the path to the queue's host
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
