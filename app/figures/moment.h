// The part of a run that one point of a figure over time stands for: what a click on it means. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "app/figures/figure.h"

namespace n2nq::figures {

struct Moment {
  int64_t from_ns = 0;  // since the run began
  int64_t to_ns = 0;
  bool operator==(const Moment&) const = default;
};

// The point nearest to that second, and half of what a service reports at a time on either side: when exactly its
// messages came is not in the figure. Nothing for a figure that is not one over time, or has no points.
std::optional<Moment> moment_at(const Figure& figure, double second);

}  // namespace n2nq::figures
