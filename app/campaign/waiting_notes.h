// Waiting for service in what a campaign shows: whether it stands beside latencies, and what must be known of figures
// that have theory in them. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/point_notes.h"

namespace n2nq::campaign {

// It has theory beside what was measured.
bool is_of_waiting(const FigureSpec& figure);
// One of its figures is: then a latency, which ends at the receiver, does not say which point is better.
bool shows_waiting(const Campaign& campaign);
// At which points runs were overloaded, or too short to be compared with theory, and how many.
std::vector<std::string> waiting_notes_of(const Campaign& campaign, const std::vector<PointResults>& results);

}  // namespace n2nq::campaign
