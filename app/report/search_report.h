// What a report has of a campaign that is a search: how it came out, the values that were tried, and what it looked
// for. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/search.h"
#include "app/report/report.h"
#include "app/results/run_record.h"

namespace n2nq::report {

void add_search_outcome(Report& report, const campaign::Search& search);
// A row a value, the easiest first.
void add_probes(Report& report, const campaign::Search& search, const std::vector<results::RunRecord>& records);
void add_search_settings(Report& report, const campaign::Campaign& campaign, const campaign::Search& search);

// The mean of a metric over these runs, for people; "-" where none has it.
std::string mean_text(const std::vector<const results::RunRecord*>& runs, const char* metric);

}  // namespace n2nq::report
