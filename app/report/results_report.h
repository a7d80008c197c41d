// The report on several results, side by side. Pure; any thread.
#pragma once

#include <map>
#include <vector>

#include "app/record/run_record.h"
#include "app/report/run_report.h"

namespace n2nq::report {

// In the order in which they are to be shown, each with all its rows and histograms; at least two. `words`: by result.
Report results_report(const std::vector<record::RunRecord>& records, const std::map<int64_t, OwnWords>& words = {});

// A row a run: verdict, counts, latencies.
void add_runs(Report& report, const std::vector<record::RunRecord>& records);
// Each computer that a bench ran on, with the runs.
void add_machines(Report& report, const std::vector<record::RunRecord>& records);

}  // namespace n2nq::report
