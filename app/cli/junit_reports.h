// What of a run, a campaign, a search or a comparison is a test case, and what becomes of it there (docs/headless.md).
// Where the exit code is not 0, a case is a failure or an error. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/point_rows.h"
#include "app/cli/campaign_text.h"
#include "app/cli/compare_text.h"
#include "app/cli/junit.h"
#include "app/cli/result_json.h"
#include "app/plan/plan_file.h"

namespace n2nq::cli {

// A suite a run, also for those of the plan that were not started; a case for its verdict, and for each condition.
JunitReport run_report(const BenchResult& result, const plan::PlanFile& plan, uint32_t repeats);

// A case for the whole, a suite a point with its repeats, and one of the findings.
JunitReport campaign_report(const campaign::Campaign& campaign, const std::vector<campaign::PointRow>& points,
                            const std::vector<record::RunRecord>& records, const CampaignOutcome& outcome);

// A case for each condition.
JunitReport compare_report(const CompareResult& result);

// Of a command that gave up before there was anything to judge.
JunitReport failure_report(const std::string& command, const std::string& what, const Trouble& trouble);

}  // namespace n2nq::cli
