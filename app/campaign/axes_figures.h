// Figures for a campaign that has none of its own: over the axis that counts, with a curve for each value of another,
// one for each choice of the rest. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/campaign.h"

namespace n2nq::campaign {

inline constexpr size_t kMostFigures = 12;

// Without axes there are none.
std::vector<FigureSpec> figures_of_axes(const Campaign& campaign, const std::string& metric);

}  // namespace n2nq::campaign
