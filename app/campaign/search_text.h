// A search in words. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "app/campaign/search.h"

namespace n2nq::campaign {

std::string limits_text(const Search& search);  // "p99 <= 5 ms and lost = 0"

// Where the limit may be: between the ends of the bracket, and as far beyond them as runs disagreed; the easier value
// first. Nothing while the bracket has one end.
std::optional<Disagreement> limit_range(const Search& search);

// What came out, or is known so far: "between 1,900/s and 2,000/s: p99 <= 5 ms held in 3 of 3 runs at 1,900/s, in 0 of
// 3 at 2,000/s". Where the limit is not the bus's, whose it is and what to do.
std::string sentence_of(const Search& search);

// A run, for a line of progress: "1,900/s, confirmed 2 of 3".
std::string run_text(const Search& search, const PlannedRun& run);

}  // namespace n2nq::campaign
