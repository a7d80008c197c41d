// The first page of each report, for who reads no further: verdict, five figures, one chart, and what differs from the
// default settings. Pure; any thread.
#pragma once

#include <vector>

#include "app/compare/side.h"
#include "app/record/run_record.h"
#include "app/report/report.h"
#include "app/report/run_report.h"

namespace n2nq::report {

// Limits that only warn and were exceeded, below its verdict, which says the others; nothing where there were none.
void add_exceeded(Report& report, const record::RunRecord& record);
// Whether the figures can be believed, and each reason why not.
void add_trust(Report& report, const record::RunRecord& record);

// What the runs show of the sides beside the first, and how far to believe it.
void add_statements(Report& report, const std::vector<compare::Side>& sides);

// The figure that stands there, of those that a report has; it is taken out of them. Nothing to see: none.
std::optional<figures::Figure> take_front_figure(std::vector<figures::Figure>& figures);

void add_front_page(Report& report, const record::RunRecord& record, const OwnWords& words,
                    const std::optional<figures::Figure>& figure);
void add_front_page(Report& report, const std::vector<compare::Side>& sides, const figures::Figure& figure);
// Of a plan: the settings that are not those of a new one, as many as the page has room for. Ends the page.
void add_changed_settings(Report& report, const plan::RunPlan& plan);

}  // namespace n2nq::report
