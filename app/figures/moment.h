// The part of a run that one point of a figure over time stands for: what a click on it means. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "app/figures/figure.h"

namespace n2nq::figures {

// When exactly the messages of a report came is not in the figure: a point has those that came in its own time, and
// some that came up to half a report before or after.
struct Moment {
  int64_t from_ns = 0, to_ns = 0;          // since the run began: where its messages can be
  int64_t own_from_ns = 0, own_to_ns = 0;  // its own time: half way to its neighbours
  // The bucket of the highest latency that it shows; nothing where the figure does not show it.
  struct Highest {
    int64_t low_ns = 0, high_ns = 0;
    bool operator==(const Highest&) const = default;
  };
  std::optional<Highest> highest{};
  bool operator==(const Moment&) const = default;
};

// Of the point nearest to that second. Nothing for a figure that is not one over time, or has no points.
std::optional<Moment> moment_at(const Figure& figure, double second);

}  // namespace n2nq::figures
