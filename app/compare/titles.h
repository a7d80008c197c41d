// What sides are called where people look at them, which is what differs, and the figures that a comparison begins
// with. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/compare/comparison.h"
#include "app/figures/metric.h"

namespace n2nq::compare {

// One for each side, all different: its bus, or the first settings in which the sides differ ("10 senders"), or where
// that are many its plan's name, if it alone has it; where nothing differs, its results.
std::vector<std::string> names_of(std::span<const Side> sides);

// A figure of every side, in one unit.
struct SideFigure {
  std::string name{};  // "Latency p99"
  std::string unit{};  // "µs"; empty: none
  figures::Hue hue = figures::Hue::neutral;
  std::vector<std::string> values{};  // "-" where no run of the side has it
  std::string note{};                 // "geometric mean of 3 runs"; empty: one run on each side
  const figures::Metric* metric = nullptr;
};
// All of their runs: then turnaround and timeouts are what is looked at.
bool all_ask_for_replies(std::span<const Side> sides);
// Which latency stands for all sides: of all their runs.
figures::FirstLatency first_latency(std::span<const Side> sides);
// Sent and received a second, the median, the 99th percentile, lost: geometric means over the runs of a side, as
// statements compare them, where all are above 0; losses as a sum.
std::vector<SideFigure> side_figures(std::span<const Side> sides);

// What the runs of each side did: "p99: 310 µs (broadcaster), 250 µs (load balancer); received: 5,000 (broadcaster),
// 500 (load balancer)"; of "broadcaster, 5 runs" the mean and the sum. Without sides whose runs do not count.
std::string told_beside(std::span<const Side> sides);

// A setting that a plan has changed or in which sides differ: its default, and its value on each side, which is "-"
// where the runs do without it.
struct SideSetting {
  std::string key{};
  std::string usual{};
  std::vector<std::string> values{};
  bool differs = false;  // between sides
};
std::vector<SideSetting> side_settings(std::span<const Side> sides);  // those that differ between sides first

}  // namespace n2nq::compare
