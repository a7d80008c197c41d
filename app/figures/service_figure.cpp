// The figure that compares receivers.
#include <algorithm>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/record/shown_latency.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

using live::ServiceFigures;
using Quantile = std::optional<int64_t> ServiceFigures::*;

// "r7", "r7-9"
std::string category_of(std::span<const ServiceFigures> group) {
  const std::string first = "r" + std::to_string(group.front().number);
  return group.size() == 1 ? first : first + "-" + std::to_string(group.back().number);
}

// Null where none of them has a latency.
const ServiceFigures* slowest_of(std::span<const ServiceFigures> group, Quantile latency) {
  const auto slowest = std::ranges::max_element(group, [&](const ServiceFigures& a, const ServiceFigures& b) {
    return a.*latency < b.*latency;  // nothing is less than anything
  });
  return (*slowest).*latency ? &*slowest : nullptr;
}

std::string note_of(const ServiceFigures& receiver) {
  return "receiver " + std::to_string(receiver.number) + ", " +
         text::amount(static_cast<uint64_t>(std::max<int64_t>(receiver.count, 0)), "message");
}

Series latency_series(const std::string& name, int shade, std::span<const ServiceFigures> receivers, size_t per_point,
                      Quantile latency) {
  Series series{.name = name,
                .hue = Hue::receiver,
                .shade = shade,
                .shape = receivers.size() <= kMostBars ? Shape::bars : Shape::line};
  for (size_t first = 0; first < receivers.size(); first += per_point) {
    const auto group = receivers.subspan(first, std::min(per_point, receivers.size() - first));
    const ServiceFigures* slowest = slowest_of(group, latency);
    if (slowest == nullptr) continue;
    const size_t point = first / per_point;
    series.points.push_back({.x = static_cast<double>(point), .y = static_cast<double>(*(slowest->*latency))});
    series.notes.push_back(note_of(*slowest));
  }
  return series;
}

}  // namespace

Figure per_service_figure(std::span<const ServiceFigures> receivers, const FigureContext& context) {
  Figure figure{.id = "per-service",
                .title = context.replies ? "Latency per receiver, the way there" : "Latency per receiver",
                .x = {.label = "receiver", .quantity = Quantity::category},
                .y = {.label = "latency", .quantity = Quantity::duration_ns, .from_zero = true, .log_if_wide = true},
                .empty_text = no_latency_text(context)};
  const size_t per_point = (receivers.size() + kMostPoints - 1) / kMostPoints;
  if (receivers.empty()) return figure;
  for (size_t first = 0; first < receivers.size(); first += per_point)
    figure.x.categories.push_back(category_of(receivers.subspan(first, std::min(per_point, receivers.size() - first))));
  figure.series = {latency_series("p50", 0, receivers, per_point, &ServiceFigures::latency_p50_ns),
                   latency_series("p99", 2, receivers, per_point, &ServiceFigures::latency_p99_ns)};
  if (figure.empty()) return figure;
  figure.notes = latency_notes(context);
  if (context.intended) figure.notes.push_back(record::from_text(false));
  if (per_point > 1) figure.notes.push_back("each point is the slowest of " + std::to_string(per_point) + " receivers");
  return figure;
}

}  // namespace n2nq::figures
