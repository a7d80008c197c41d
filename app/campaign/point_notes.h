// The results of a campaign by point, and what must be known beside any figure of them. Pure; any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"
#include "app/compare/side.h"
#include "app/figures/metric.h"
#include "app/record/run_record.h"

namespace n2nq::campaign {

struct PointResults {
  const Point* point = nullptr;
  std::vector<const record::RunRecord*> runs{};  // that count
};

// In the order of the points; those without a result are there too.
std::vector<PointResults> results_by_point(const std::vector<Point>& points,
                                           const std::vector<record::RunRecord>& records);

figures::FirstLatency first_latency(const std::vector<PointResults>& results);  // of all their runs

// The points that have results, as sides that are compared, the first first; none where the campaign is no comparison:
// a search, several axes, or more points than a sentence tells.
inline constexpr size_t kMostCompared = 4;
std::vector<compare::Side> compared_points(const Campaign& campaign, const std::vector<Point>& points,
                                           const std::vector<record::RunRecord>& records);

// Where what is external ran on the queue's own computer: as the plan has it for want of hosts, or as the computers of
// its runs tell, whatever the places are called. None: it was external, as far as is known.
std::set<std::string> places_not_external(const Point& point, const std::vector<const record::RunRecord*>& runs);
std::string not_external_text(const std::set<std::string>& places);

// "not external: ...", clock bounds, runs that are missing, senders that were late, warm-up.
// `repeats`: so many runs of each point there should be.
std::vector<std::string> notes_of(const Campaign& campaign, const std::vector<PointResults>& results, size_t repeats);
// "3 runs are doubtful, but included; the first: ..."
std::string doubtful_text(size_t runs, const record::RunRecord& first);
// ": 100 B, 10 services; 100 B, 20 services; and 3 more"
std::string named(const std::vector<std::string>& points);

}  // namespace n2nq::campaign
