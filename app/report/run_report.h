// The report on one run, and the parts that reports on several have of each. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/report/report.h"
#include "app/results/run_record.h"

namespace n2nq::report {

// What the user marked a result with.
struct OwnWords {
  bool starred = false;
  std::vector<std::string> tags{};
  std::string notes{};
  bool operator==(const OwnWords&) const = default;
};

// `record` with all its rows and histograms.
Report run_report(const results::RunRecord& record, const OwnWords& words = {});

// "#12 quick"
std::string name_of(const results::RunRecord& record);
// What of the figures is left out, and what must be known to trust them.
std::vector<std::string> exclusions(const results::RunRecord& record);
// Every setting, beside what a new plan has.
void add_plan(Report& report, const plan::RunPlan& plan);
void add_words(Report& report, const OwnWords& words);
void add_clocks(Report& report, const results::RunRecord& record);
void add_layers(Report& report, const results::RunRecord& record);
void add_machine(Report& report, const results::RunRecord& record);

}  // namespace n2nq::report
