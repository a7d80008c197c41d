// The pictures of a comparison: what the sides' messages and runs look like beside each other. What is seen is a view
// of the data and never changes it: messages that are left out are left out of the picture, which says so. Pure; any
// thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/compare/side.h"
#include "app/compare/spread.h"
#include "app/figures/figure.h"
#include "app/figures/metric.h"

namespace n2nq::compare {

struct View {
  Whiskers whiskers{};
  Without without{};  // of figures of messages
  // The axis of latencies, of boxes, clouds and CDF; nothing: where it is needed to see anything.
  std::optional<bool> logarithmic{};
  AxisPart part{};
  bool each_run = false;  // beside each other, rather than the runs of a side as one
  const figures::Metric* metric = nullptr;
};

inline constexpr size_t kMostRunsDrawn = 24;  // each; of more the runs of a side are one

inline constexpr size_t kMostRunBoxes = 240;  // of Picture::runs; the first ones
// runs: a box for each run, in the order in which they began.
enum class Picture { percentiles, over_time, boxes, runs, cdf, violins, bars, axis };
// Runs with their histograms and series.
figures::Figure figure_of(Picture picture, std::span<const Side> sides, const View& view);

}  // namespace n2nq::compare
