// Figures as the bench makes them, with figures that are easy to check.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/figures/figure.h"

namespace n2nq::ui::charts {

inline figures::Figure rate_sample(int points, double start_ns = 0) {
  using namespace figures;
  Figure figure{.id = "rate",
                .title = "Rate",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = "rate", .quantity = Quantity::rate_per_s, .from_zero = true},
                .notes = {"without 2 s of warm-up"},
                .empty_text = "Start the run"};
  Series sent{.name = "sent", .hue = Hue::sender};
  Series received{.name = "received", .hue = Hue::receiver};
  for (int i = 0; i < points; ++i) {
    sent.points.push_back({start_ns + i * 1e8, 2500.0 + i % 7});
    received.points.push_back({start_ns + i * 1e8, 25'000.0 - i % 5});
  }
  figure.series = {sent, received};
  return figure;
}

// A series from `lowest_ns` in steps of 10 us: 300 points every 100 ms.
inline figures::Figure latency_sample(double lowest_ns, int points = 300) {
  using namespace figures;
  Figure figure{.id = "latency-over-time",
                .title = "Latency over time",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = "latency", .quantity = Quantity::duration_ns, .from_zero = true},
                .notes = {"± 3 us", "without 2 s of warm-up"},
                .empty_text = "Start the run"};
  for (int shade = 0; shade < 4; ++shade) {
    Series series{.name = "p" + std::to_string(shade), .hue = Hue::receiver, .shade = shade};
    for (int i = 0; i < points; ++i) series.points.push_back({i * 1e8, lowest_ns + shade * 10e3});
    figure.series.push_back(series);
  }
  return figure;
}

inline figures::Figure percentile_sample() {
  using namespace figures;
  Figure figure{.id = "latency-by-percentile",
                .title = "Latency by percentile",
                .x = {.label = "percentile", .quantity = Quantity::percentile},
                .y = {.label = "latency", .quantity = Quantity::duration_ns, .from_zero = true}};
  Series series{.name = "from the actual send", .hue = Hue::receiver};
  for (const double p : {0.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99}) {
    series.points.push_back({p, -20e3 + 1e6 * p / 100});
  }
  figure.series = {series};
  return figure;
}

inline figures::Figure histogram_sample() {
  using namespace figures;
  Figure figure{.id = "histogram",
                .title = "Histogram of latency",
                .x = {.label = "latency", .quantity = Quantity::duration_ns},
                .y = {.label = "messages", .quantity = Quantity::messages, .from_zero = true}};
  Series series{.name = "received", .hue = Hue::receiver, .shape = Shape::bars};
  for (int i = -10; i < 50; ++i) {
    series.points.push_back({i * 1000.0, std::round(1000 * std::exp(-i * i / 200.0))});
    series.notes.push_back("bin " + std::to_string(i));
  }
  figure.series = {series};
  return figure;
}

inline figures::Figure service_sample(int services) {
  using namespace figures;
  Figure figure{.id = "per-service",
                .title = "Latency per receiver",
                .x = {.label = "receiver", .quantity = Quantity::category},
                .y = {.label = "latency", .quantity = Quantity::duration_ns, .from_zero = true}};
  for (int i = 1; i <= services; ++i) figure.x.categories.push_back("r" + std::to_string(i));
  for (int shade = 0; shade <= 2; shade += 2) {
    Series series{.name = shade == 0 ? "p50" : "p99", .hue = Hue::receiver, .shade = shade, .shape = Shape::bars};
    for (int i = 0; i < services; ++i) {
      series.points.push_back({static_cast<double>(i), 80e3 + shade * 20e3 + i});
      series.notes.push_back("receiver " + std::to_string(i + 1));
    }
    figure.series.push_back(series);
  }
  return figure;
}

// Means over repeats, at 1, 10 and 20 services; the first of one run.
inline figures::Figure repeats_sample() {
  using namespace figures;
  Figure figure{.id = "over-services",
                .title = "Latency over services",
                .x = {.label = "services", .quantity = Quantity::number},
                .y = {.label = "latency, 99 % below", .quantity = Quantity::duration_ns, .from_zero = true}};
  figure.series = {{.name = "broadcaster",
                    .hue = Hue::sender,
                    .points = {{1, 60e3}, {10, 84e3}, {20, 190e3}},
                    .notes = {"1 run", "3 runs", "3 runs"},
                    .intervals = {std::nullopt, Interval{80e3, 88e3}, Interval{120e3, 260e3}},
                    .value_name = "mean",
                    .interval_name = "95 % CI"}};
  return figure;
}

// Two boxes, or violins, of latencies from 60 to 120 us and from 160 to 220 us.
inline figures::Figure box_sample(figures::Shape shape) {
  using namespace figures;
  Figure figure{.id = "boxes",
                .title = "Box plots",
                .x = {.label = "side", .quantity = Quantity::category, .categories = {"A", "B"}},
                .y = {.label = "latency", .quantity = Quantity::duration_ns}};
  for (int i = 0; i < 2; ++i) {
    const double at = i * 100e3;
    Series series{.name = i == 0 ? "A" : "B",
                  .hue = i == 0 ? Hue::sender : Hue::receiver,
                  .shape = shape,
                  .points = {{static_cast<double>(i), at + 84e3}},
                  .notes = {"1,000 messages of 3 runs"},
                  .value_name = "median",
                  .interval_name = "whiskers"};
    series.boxes = {{.low_whisker = at + 60e3,
                     .lower_quartile = at + 80e3,
                     .upper_quartile = at + 90e3,
                     .high_whisker = at + 120e3,
                     .outside = {at + 40e3, at + 150e3}}};
    if (shape == Shape::violins) {
      series.outlines = {{{0.1, at + 60e3}, {0.6, at + 76e3}, {1, at + 84e3}, {0.5, at + 92e3}, {0.1, at + 120e3}}};
      series.rain = {{at + 80e3, at + 86e3, at + 90e3}};
    }
    figure.series.push_back(series);
  }
  return figure;
}

inline figures::Figure empty_sample() {
  figures::Figure figure = rate_sample(0);
  figure.notes.clear();
  return figure;
}

}  // namespace n2nq::ui::charts
