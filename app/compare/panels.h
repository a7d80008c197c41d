// A figure as one of several panels. Pure; any thread.
#pragma once

#include <vector>

#include "app/compare/spread.h"
#include "app/figures/figure.h"

namespace n2nq::compare {

// One figure a side, with what its notes say of it, for series whose names begin with the side's: "A", "A ·
// broadcaster", "A #12".
std::vector<figures::Figure> by_side(const figures::Figure& figure);
// Leaves what lies beyond this part of its latencies out of sight, and says so.
void show_part(figures::Figure& figure, const AxisPart& part);
// Gives all of them the axes that hold the values of each.
void share_axes(std::vector<figures::Figure>& panels);

}  // namespace n2nq::compare
