// The figures of how latencies are distributed: by percentile, and as a histogram.
#include <algorithm>
#include <cmath>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/figures/histogram_bins.h"
#include "app/figures/quantiles.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::figures {
namespace {

// Even steps on the tail axis, with the percentiles that people ask for among them, up to the last one that so many
// values support; and half a value further the longest one, which no percentile short of 100 reaches, and 100 stands at
// infinity.
std::vector<double> percentiles_for(uint64_t count) {
  constexpr double steps_per_decade = 40;
  constexpr double most_steps = 250;
  const double last = tail_position(100 * (1 - 1 / static_cast<double>(count)));
  const double step = std::max(1 / steps_per_decade, last / most_steps);
  std::vector<double> percentiles{100 * (1 - 1 / static_cast<double>(count))};
  for (double position = 0; position < last; position += step) percentiles.push_back(percentile_at(position));
  for (const double asked : {25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.99, 99.999, 99.9999})
    if (tail_position(asked) < last) percentiles.push_back(asked);
  std::ranges::sort(percentiles);
  // A step may land on a round percentile but for rounding.
  const auto same = std::ranges::unique(percentiles, [](double a, double b) { return b - a < (100 - b) * 1e-6; });
  percentiles.erase(same.begin(), same.end());
  percentiles.push_back(100 * (1 - 0.5 / static_cast<double>(count)));
  return percentiles;
}

Series percentile_series(const std::string& name, Hue hue, const measure::Histogram& histogram) {
  Series series{.name = name, .hue = hue};
  if (histogram.count() == 0) return series;
  const auto percentiles = percentiles_for(histogram.count());
  const auto values = quantiles(histogram, percentiles);
  for (size_t i = 0; i < values.size(); i++)
    series.points.push_back({.x = percentiles[i], .y = static_cast<double>(values[i])});
  return series;
}

std::string noun_of(const FigureContext& context) {
  return context.replies ? "request" : "message";
}

void note_summary(Figure& figure, const measure::Histogram& latency, const FigureContext& context) {
  const measure::LatencySummary summary = measure::summarize(latency);
  figure.notes.push_back(text::amount(summary.count, noun_of(context)));
  if (summary.count == 0) return;
  figure.notes.push_back("p95-trimmed mean " + text::duration(*summary.trimmed_mean_p95));
  figure.notes.push_back("max " + text::duration(static_cast<double>(*summary.max)));
}

// What half of the messages took at most, and all but a hundredth.
std::vector<Landmark> percentile_landmarks(const measure::Histogram& latency) {
  const measure::LatencySummary summary = measure::summarize(latency);
  std::vector<Landmark> landmarks;
  const auto add = [&](const char* name, const std::optional<int64_t>& value) {
    if (value)
      landmarks.push_back(
          {.label = name + (" " + text::duration(static_cast<double>(*value))), .x = static_cast<double>(*value)});
  };
  add("p50", summary.p50);
  add("p99", summary.p99);
  return landmarks;
}

// "2 below 80.0 us and 130 above 1.2 ms not shown, up to 35 ms"
std::string left_out_text(const HistogramBins& bins, const measure::Moments& exact, const std::string& noun) {
  const auto text = [](int64_t ns) { return text::duration(static_cast<double>(ns)); };
  std::string left_out;
  if (bins.below > 0)
    left_out = text::amount(bins.below, noun) + " below " + text(bins.bins.front().lowest_ns) + " (down to " +
               text(exact.min_ns) + ")";
  if (bins.above > 0)
    add_part(left_out, " and ",
             text::amount(bins.above, noun) + " above " + text(bins.bins.back().highest_ns) + " (up to " +
                 text(exact.max_ns) + ")");
  return left_out + " not shown";
}

}  // namespace

Figure latency_by_percentile_figure(const measure::Histogram& latency, const measure::Histogram& scheduled,
                                    const FigureContext& context, const measure::Histogram& publish) {
  Figure figure{.id = "latency-by-percentile",
                .title = context.replies ? "Turnaround by percentile" : "Latency by percentile",
                .x = {.label = "percentile", .quantity = Quantity::percentile},
                .y = {.label = context.replies ? "turnaround" : "latency",
                      .quantity = Quantity::duration_ns,
                      .from_zero = true,
                      .log_if_wide = true},
                .empty_text = no_latency_text(context)};
  figure.series = {percentile_series("from the actual send", Hue::receiver, latency),
                   percentile_series("from the intended send", Hue::accent, scheduled)};
  // Beside the others only where it is measured.
  if (publish.count() > 0)
    figure.series.push_back(percentile_series("from the actual send to the answer", Hue::sender, publish));
  if (figure.empty()) return figure;
  figure.notes = first_latency_notes(context);
  note_summary(figure, latency, context);
  return figure;
}

Figure histogram_figure(const measure::Histogram& latency, const FigureContext& context) {
  Figure figure{
      .id = "histogram",
      .title = context.replies ? "Histogram of turnaround" : "Histogram of latency",
      .x = {.label = first_latency_word(context), .quantity = Quantity::duration_ns},
      .y = {.label = context.replies ? "requests" : "messages", .quantity = Quantity::messages, .from_zero = true},
      .empty_text = no_latency_text(context)};
  const HistogramBins bins = bins_of(latency);
  figure.x.by_decades = bins.by_decades;
  Series series{.name = context.replies ? "answered" : "received", .hue = Hue::receiver, .shape = Shape::bars};
  for (const HistogramBin& bin : bins.bins) {
    const auto lowest = static_cast<double>(bin.lowest_ns);
    const auto highest = static_cast<double>(bin.highest_ns);
    const double middle = bins.by_decades ? std::sqrt(lowest * highest) : lowest + (highest - lowest) / 2;
    series.points.push_back({.x = middle, .y = static_cast<double>(bin.count)});
    series.notes.push_back(text::duration(lowest) + " to " + text::duration(highest));
  }
  figure.series = {std::move(series)};
  if (figure.empty()) return figure;
  figure.notes = first_latency_notes(context);
  note_summary(figure, latency, context);
  figure.landmarks = percentile_landmarks(latency);
  if (bins.above + bins.below > 0) figure.notes.push_back(left_out_text(bins, latency.moments(), noun_of(context)));
  return figure;
}

}  // namespace n2nq::figures
