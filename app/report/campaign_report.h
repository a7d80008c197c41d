// The report on a campaign: its figures, its points, what failed, and how to make it again. Pure but for the results
// that are loaded; any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/campaign/campaign_figures.h"
#include "app/record/run_record.h"
#include "app/report/report.h"
#include "app/report/run_report.h"
#include "app/store/campaign_store.h"

namespace n2nq::report {

// `records`: its results, as the store has them. `words`: by result. The error: its definition is not readable.
Result<Report> campaign_report(const store::CampaignRow& row, const std::vector<record::RunRecord>& records,
                               const campaign::LoadResult& load, const std::map<int64_t, OwnWords>& words = {});

}  // namespace n2nq::report
