// How bars stand in their categories. Pure; any thread.
#pragma once

#include "app/figures/figure.h"

namespace n2nq::ui::charts {

inline constexpr double kBarShare = 0.8;  // of a category

// Several series have bars, and no category has those of two: then each stands over its label.
bool bars_stand_alone(const figures::Figure& figure);

}  // namespace n2nq::ui::charts
