// The pictures of a search: what each run gave, over what was varied, with the limit and the bracket. Pure; any thread.
#pragma once

#include <vector>

#include "app/campaign/search.h"
#include "app/figures/figure.h"
#include "app/record/run_record.h"

namespace n2nq::campaign {

figures::Quantity quantity_of(Unit unit);
// One for each limit. `records`: of the campaign, in any order.
std::vector<figures::Figure> search_figures(const Search& search, const std::vector<record::RunRecord>& records);

}  // namespace n2nq::campaign
