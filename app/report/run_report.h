// The report on one run, and the parts that reports on several have of each. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/record/run_record.h"
#include "app/report/report.h"

namespace n2nq::report {

// What the user marked a result with.
struct OwnWords {
  bool starred = false;
  std::vector<std::string> tags{};
  std::string notes{};
  bool operator==(const OwnWords&) const = default;
};

// `record` with all its rows and histograms.
Report run_report(const record::RunRecord& record, const OwnWords& words = {});

// "#12 quick"
std::string name_of(const record::RunRecord& record);
// What of the figures is left out, and what must be known to trust them.
std::vector<std::string> exclusions(const record::RunRecord& record);
// Every setting, beside what a new plan has.
void add_plan(Report& report, const plan::RunPlan& plan);
void add_words(Report& report, const OwnWords& words);
void add_clocks(Report& report, const record::RunRecord& record);
void add_layers(Report& report, const record::RunRecord& record);
void add_machine(Report& report, const record::RunRecord& record);

}  // namespace n2nq::report
