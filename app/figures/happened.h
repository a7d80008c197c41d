// What stood out at a moment of a run, in one sentence: events, what the hosts and senders did then, and what became of
// the messages, each beside what is usual in this run. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "app/figures/figures.h"

namespace n2nq::figures {

// "At 6.50 s: other programs use 1.80 of 2 cores of this computer; sent 160 ms late (p99, usually 0.20 ms)". Of the
// slot of the series where that moment lies; empty: the run has none there. What is not known is not mentioned.
std::string happened_at(const RunView& run, const FigureContext& context, int64_t at_ns);

}  // namespace n2nq::figures
