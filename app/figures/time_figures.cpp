// The figures over the time of a run: rate and latency.
#include <algorithm>
#include <cmath>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/figures/limit_text.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

using live::SeriesPoint;

double middle_of(const SeriesPoint& point) {
  return static_cast<double>(point.start_ns) + static_cast<double>(point.width_ns) / 2;
}

// The run ended somewhere within its last slot: what looks like a fall there is none.
bool ends_partly(std::span<const SeriesPoint> slots, const FigureContext& context) {
  if (slots.empty() || context.live) return false;
  return slots.back().start_ns + slots.back().width_ns >= context.end_ns;
}

// The last slot where it is lower than the one before; that one too where next to nothing came after it, as it is then
// the one in which the end lies.
void drop_unfinished_end(std::vector<Point>& points) {
  const auto falls = [&points] { return points.size() > 1 && points.back().y < points[points.size() - 2].y; };
  if (!falls()) return;
  const bool was_remnant = points.back().y < points[points.size() - 2].y / 2;
  points.pop_back();
  if (was_remnant && falls()) points.pop_back();
}

Series rate_series(const std::string& name, Hue hue, std::span<const SeriesPoint> slots, double SeriesPoint::* count,
                   bool ends_partly) {
  Series series{.name = name, .hue = hue};
  for (const SeriesPoint& slot : slots) {
    if (slot.width_ns <= 0) continue;
    series.points.push_back({.x = middle_of(slot), .y = slot.*count * 1e9 / static_cast<double>(slot.width_ns)});
  }
  if (ends_partly) drop_unfinished_end(series.points);
  return series;
}

Series latency_series(const std::string& name, int shade, Shape shape, std::span<const SeriesPoint> slots,
                      std::optional<int64_t> SeriesPoint::* latency) {
  Series series{.name = name, .hue = Hue::receiver, .shade = shade, .shape = shape};
  for (const SeriesPoint& slot : slots) {
    if (slot.*latency) series.points.push_back({.x = middle_of(slot), .y = static_cast<double>(*(slot.*latency))});
  }
  return series;
}

std::string total_text(std::span<const SeriesPoint> slots, double SeriesPoint::* count) {
  double sum = 0;
  for (const SeriesPoint& slot : slots) sum += slot.*count;
  return text::count(std::llround(std::min(sum, 0x1p62)));
}

// " from 0 to 9.2 s": while the run goes on its other counts are further on.
std::string stretch_text(std::span<const SeriesPoint> slots) {
  const auto seconds = [](int64_t ns) { return text::decimals(static_cast<double>(ns) / 1e9, ns > 0 ? 1 : 0); };
  const int64_t end_ns = slots.back().start_ns + slots.back().width_ns;
  return " from " + seconds(slots.front().start_ns) + " to " + seconds(end_ns) + " s";
}

// "0.8 s per point", where slots were merged.
void note_width(Figure& figure, std::span<const SeriesPoint> slots) {
  if (slots.empty()) return;
  const int64_t width_ns = std::ranges::max(slots, {}, &SeriesPoint::width_ns).width_ns;
  figure.notes.push_back(text::duration(static_cast<double>(width_ns)) + " per point");
}

}  // namespace

Figure rate_figure(std::span<const SeriesPoint> slots, const FigureContext& context) {
  Figure figure{.id = "rate",
                .title = "Rate",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = "rate", .quantity = Quantity::rate_per_s, .from_zero = true},
                .empty_text = context.live ? "Start the run: rates appear once it has begun"
                                           : "This run ended before it began; see its log for the reason"};
  const bool partly = ends_partly(slots, context);
  figure.series = {rate_series("sent", Hue::sender, slots, &SeriesPoint::sent, partly),
                   rate_series("received", Hue::receiver, slots, &SeriesPoint::received, partly)};
  if (figure.empty()) return figure;
  figure.notes = {total_text(slots, &SeriesPoint::sent) + " sent, " + total_text(slots, &SeriesPoint::received) +
                  " received" + (context.live ? stretch_text(slots) : "")};
  figure.landmarks = context.landmarks;
  figure.limits = limit_lines(context.limits, figure.y.quantity);
  note_width(figure, slots);
  return figure;
}

Figure latency_over_time_figure(std::span<const SeriesPoint> slots, const FigureContext& context) {
  Figure figure{.id = "latency-over-time",
                .title = "Latency over time",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = "latency", .quantity = Quantity::duration_ns, .from_zero = true, .log_if_wide = true},
                .empty_text = no_latency_text(context)};
  figure.series = {latency_series("p50", 0, Shape::line, slots, &SeriesPoint::p50_ns),
                   latency_series("p95", 1, Shape::line, slots, &SeriesPoint::p95_ns),
                   latency_series("p99", 2, Shape::band, slots, &SeriesPoint::p99_ns),
                   latency_series(kHighestName, 3, Shape::dots, slots, &SeriesPoint::max_ns)};
  figure.series[1].on_demand = true;
  figure.series[2].base = "p50";
  if (figure.empty()) return figure;
  figure.landmarks = context.landmarks;
  figure.limits = limit_lines(context.limits, figure.y.quantity);
  figure.notes = latency_notes(context);
  note_width(figure, slots);
  return figure;
}

}  // namespace n2nq::figures
