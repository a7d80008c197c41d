// The table of a figure for people: each value with its unit ("95.7 us"), and none in the header; files have
// figure_table(), which is exact. Any thread.
#pragma once

#include "app/results/figure.h"

namespace n2nq::results {

FigureTable shown_table(const Figure& figure);

}  // namespace n2nq::results
