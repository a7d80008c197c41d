// A campaign as a table for spreadsheets and scripts: each point with the means of its runs, and each run, by every
// metric. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"
#include "app/record/run_record.h"

namespace n2nq::campaign {

// Values are in base units, which the head names: "p99 [ns]". Nothing stands where a run has no such figure.
std::string points_csv(const Campaign& campaign, const std::vector<Point>& points,
                       const std::vector<record::RunRecord>& records);

}  // namespace n2nq::campaign
