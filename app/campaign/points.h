// The points that a campaign comes to, and the order in which its runs are made. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

struct Point {
  uint32_t number = 0;       // from 1, in the order of the axes: stable over restarts
  std::vector<size_t> at{};  // of each axis, the index of its value
  plan::RunPlan plan{};
  // Where what should run elsewhere runs, as ProcessRecord::place. Whether that is elsewhere, the runs tell
  // (places_not_external() of point_notes.h).
  std::vector<std::string> external{};
  double value = 0;  // of a search
};

// One run that is to be made.
struct PlannedRun {
  uint32_t point = 0;   // its number
  uint32_t repeat = 0;  // from 1
  bool operator==(const PlannedRun&) const = default;
};

size_t point_count(const Campaign& campaign);
// With those that Campaign::except leaves out; kMostPoints + 1 where there are more than kMostPoints.
size_t combination_count(const Campaign& campaign);
// Whether the name kExternal stands in the plan or in a value of an axis.
bool names_external(const Campaign& campaign);
// All of them; the error names axis and value. Of a search, whose points are not known beforehand, its first and its
// last value.
Result<std::vector<Point>> points_of(const Campaign& campaign);
// Of all of them; one whose points cannot be told starts no run.
std::vector<plan::RunPlan> plans_of(const Campaign& campaign);
// Every run of every point once, in the campaign's order: the same at each call. Of a search: none.
std::vector<PlannedRun> runs_of(const Campaign& campaign);
using plan::plan_of_repeat;
// "100 B, 10 services"; of a search "1,900/s".
std::string label_of(const Campaign& campaign, const Point& point);
// The same by the name of the point's plan, which has the campaign's in front; that name where there is no label.
std::string label_in(const Campaign& campaign, const std::string& plan_name);
// Then tables of points tell turnaround in place of latency.
bool all_ask_for_replies(const std::vector<Point>& points);

}  // namespace n2nq::campaign
