// What stood out at a moment of a run, in one sentence: events, what messages did, what hosts did. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figures/figures.h"

namespace n2nq::figures {

// "At 1.25 s: sent 160.0 ms late at p99 (usually 50.0 µs); this computer, 1.0 to 2.0 s: other programs used 1.80 of 2
// cores". Messages are those of the slot of the series where the moment lies, hosts their own slot there. What is not
// known is not mentioned, and where that is all there is, the sentence says so; empty: the run has no slot there.
std::string happened_at(const RunView& run, const FigureContext& context, int64_t at_ns);

// The longest times when others than the run used so much of a host's cores that it stands out by that rule: "other
// programs: 1.0 of 2 cores, 2.00 s".
std::vector<Stretch> busy_others(const RunView& run);

}  // namespace n2nq::figures
