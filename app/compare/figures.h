// The pictures of a comparison: what the sides' messages and runs look like beside each other. What is seen is a view
// of the data and never changes it: messages that are left out are left out of the picture, which says so. Pure; any
// thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/analysis/box.h"
#include "app/compare/side.h"
#include "app/figures/figure.h"
#include "app/figures/metric.h"

namespace n2nq::compare {

struct View {
  analysis::Whiskers whiskers = analysis::Whiskers::tukey;
  double without_slowest = 0;  // share of each run's messages, of figures of messages
  // The axis of latencies, of boxes, clouds and CDF; nothing: where it is needed to see anything.
  std::optional<bool> logarithmic{};
  bool each_run = false;  // beside each other, rather than the runs of a side as one
  const figures::Metric* metric = nullptr;
};

inline constexpr size_t kMostRunsDrawn = 24;  // each; of more the runs of a side are one

enum class Picture { percentiles, over_time, boxes, cdf, violins, bars, axis };
// Runs with their histograms and series.
figures::Figure figure_of(Picture picture, std::span<const Side> sides, const View& view);

std::string whiskers_text(analysis::Whiskers whiskers);  // "to the last message within 1.5 boxes"

}  // namespace n2nq::compare
