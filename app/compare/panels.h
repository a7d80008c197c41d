// A figure as one of several panels. Pure; any thread.
#pragma once

#include <vector>

#include "app/results/figure.h"

namespace n2nq::compare {

// One figure a side, with what its notes say of it, for series whose names begin with the side's: "A", "A #12".
std::vector<results::Figure> by_side(const results::Figure& figure);
// Gives all of them the axes that hold the values of each.
void share_axes(std::vector<results::Figure>& panels);

}  // namespace n2nq::compare
