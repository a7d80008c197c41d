// What waits where each arrival joins the shortest of several queues, for which no formula is known: computed from the
// Markov chain of the queues' lengths. Pure; any thread.
#pragma once

#include "app/analysis/queueing.h"

namespace n2nq::analysis {

// The chain grows with each queue: more than so many take too long to be computed while a figure is drawn.
inline constexpr uint32_t kMostShortestQueues = 16;

// A queue for each server, an arrival goes to the one with the fewest who wait or are served; service times are
// exponential. Nothing where the servers cannot keep up, a rate is not above 0, or there are more of them.
std::optional<QueuePrediction> shortest_queue(const QueueLoad& load);

}  // namespace n2nq::analysis
