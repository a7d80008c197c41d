// The pictures of a campaign, each drawn from its own results: what its file asks for. Pure but for the histograms that
// are loaded. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"
#include "app/compare/figures.h"
#include "app/figures/figure.h"
#include "app/record/run_record.h"

namespace n2nq::campaign {

// What is drawn of messages, as a comparison draws it; of means nothing.
std::optional<compare::Picture> picture_of(FigureKind kind);

// Those of its file; of a search one for each limit.
std::vector<FigureSpec> figure_specs(const Campaign& campaign);

// `records`: of the campaign, in any order; those that did not pass are left out, and said so. `load`: a result with
// its histograms.
using LoadResult = std::function<Result<record::RunRecord>(int64_t id)>;
std::vector<figures::Figure> figures_of(const Campaign& campaign, const std::vector<Point>& points,
                                        const std::vector<record::RunRecord>& records, const LoadResult& load);

}  // namespace n2nq::campaign
