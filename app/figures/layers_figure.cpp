// The figure that compares the layers between hosts.
#include <algorithm>
#include <array>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

struct Bar {
  record::Layer layer;
  const char* name;
  Hue hue;
  int shade;
  std::optional<int64_t> measure::LatencySummary::* figure;
};
using Figures = measure::LatencySummary;
// Without TCP: what the kernel keeps of a connection's round trip has the other side's delayed acknowledgements in it,
// up to 40 ms, and beside the others would look like a slow network.
constexpr std::array<Bar, 6> kBars{{{record::Layer::network, "network, median", Hue::neutral, 0, &Figures::p50},
                                    {record::Layer::network, "network, p99", Hue::neutral, 2, &Figures::p99},
                                    {record::Layer::probe, "queue's port, median", Hue::accent, 0, &Figures::p50},
                                    {record::Layer::probe, "queue's port, p99", Hue::accent, 2, &Figures::p99},
                                    {record::Layer::bus, "bus latency, median", Hue::receiver, 0, &Figures::p50},
                                    {record::Layer::bus, "bus latency, p99", Hue::receiver, 2, &Figures::p99}}};

std::string pair_of(const record::LayerRecord& layer) {
  return layer.from + " - " + layer.to;
}

std::string method_text(const std::string& method) {
  if (method == "icmp") return "by ICMP echo";
  if (method == "tcp_connect") return "by TCP connect time";
  return "by ICMP echo and TCP connect time";
}

std::string note_of(const record::LayerRecord& layer) {
  const uint64_t count = layer.figures.count;
  switch (layer.layer) {
    case record::Layer::network:
      return "round trip " + method_text(layer.method) + ", " + text::amount(count, "answer") +
             (layer.lost > 0 ? ", " + text::amount(layer.lost, "lost one") : "");
    case record::Layer::tcp:
      return "round trip by TCP_INFO, " + text::amount(count, "sample");
    case record::Layer::probe:
      return "round trip of clock probes, " + text::amount(count, "probe");
    case record::Layer::bus:
      return "one way from any sender, " + text::amount(count, "message");
  }
  return {};
}

bool any_of(std::span<const record::LayerRecord> layers, record::Layer layer) {
  return std::ranges::any_of(layers, [layer](const record::LayerRecord& one) { return one.layer == layer; });
}

// Pairs whose network was not asked by ICMP as usual, and where answers are missing.
void note_networks(std::span<const record::LayerRecord> layers, std::vector<std::string>& notes) {
  for (const record::LayerRecord& layer : layers) {
    if (layer.layer != record::Layer::network) continue;
    if (layer.method != "icmp") notes.push_back(pair_of(layer) + ": network " + method_text(layer.method));
    if (layer.lost > 0)
      notes.push_back(pair_of(layer) + ": " + text::count(static_cast<int64_t>(layer.lost)) + " of " +
                      text::count(static_cast<int64_t>(layer.sent)) + " not answered");
  }
}

}  // namespace

Figure layers_figure(std::span<const record::LayerRecord> layers, const FigureContext& context) {
  Figure figure{
      .id = "layers",
      .title = "Layers between hosts",
      .x = {.label = "host - " + path_end(context), .quantity = Quantity::category},
      .y = {.label = "time", .quantity = Quantity::duration_ns, .by_decades = true},
      .empty_text =
          context.over()
              ? "This run has no layer figures: its senders and receivers never joined, or reported none"
              : not_yet_text(context, "the share of each layer appears once senders and receivers have joined",
                             "The shares of layers are not measured yet")};
  if (!context.bus.has_path()) {
    figure.empty_text = "Senders are connected to receivers: no message takes the path to the queue's host";
    return figure;
  }
  for (const record::LayerRecord& layer : layers)
    if (std::ranges::find(figure.x.categories, pair_of(layer)) == figure.x.categories.end())
      figure.x.categories.push_back(pair_of(layer));
  for (const Bar& bar : kBars) {
    Series series{.name = bar.name, .hue = bar.hue, .shade = bar.shade, .shape = Shape::bars};
    for (const record::LayerRecord& layer : layers) {
      const auto value = layer.figures.*bar.figure;
      if (layer.layer != bar.layer || !value) continue;
      const auto at = std::ranges::find(figure.x.categories, pair_of(layer)) - figure.x.categories.begin();
      series.points.push_back({.x = static_cast<double>(at), .y = static_cast<double>(*value)});
      series.notes.push_back(note_of(layer));
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  if (figure.empty()) return figure;
  if (any_of(layers, record::Layer::bus)) {
    figure.notes = latency_notes(context);
    figure.notes.push_back(
        "bus latency: one way, from a sender through the queue to a receiver there, two hops; the others: there and "
        "back, one hop");
  } else {
    figure.notes.push_back("there and back, one hop");
  }
  if (any_of(layers, record::Layer::tcp))
    figure.notes.push_back("TCP is not drawn: its round trip includes delayed acknowledgements");
  note_networks(layers, figure.notes);
  return figure;
}

}  // namespace n2nq::figures
