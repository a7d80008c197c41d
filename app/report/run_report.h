// The report on one run, and the parts that reports on several have of each. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/report/report.h"
#include "app/results/run_record.h"

namespace n2nq::report {

// `record` with all its rows and histograms; `user_notes`: what the user wrote about it.
Report run_report(const results::RunRecord& record, const std::string& user_notes);

// "#12 quick"
std::string name_of(const results::RunRecord& record);
// What of the figures is left out, and what must be known to trust them.
std::vector<std::string> exclusions(const results::RunRecord& record);
// Every setting, beside what a new plan has.
void add_plan(Report& report, const plan::RunPlan& plan);
void add_clocks(Report& report, const results::RunRecord& record);
void add_layers(Report& report, const results::RunRecord& record);
void add_machine(Report& report, const results::RunRecord& record);

}  // namespace n2nq::report
