// Whether an axis goes by decades: as its figure says, by itself where one outlier would flatten all else, or as a user
// has chosen. Pure; any thread.
#pragma once

#include <vector>

#include "app/figures/figure.h"

namespace n2nq::ui::charts {

enum class ScaleChoice { automatic, linear, logarithmic };

// The axis that is asked: of values, or along x where that is the one that may be wide.
bool is_along_x(const figures::Figure& figure);
// Whether there is a choice at all: no value is negative, and the axis has numbers.
bool can_be_logarithmic(const figures::Figure& figure);
// `was`: what is drawn already goes by decades, and stays so until there is clearly no need.
bool is_logarithmic(const figures::Figure& figure, const std::vector<bool>& hidden, ScaleChoice choice, bool was);

}  // namespace n2nq::ui::charts
