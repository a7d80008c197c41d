// All filters of a plan in one line, for `--set`, overrides and results: RECEIVERS:FILTER with slashes between them,
// such as "1-3:senders=1..5,9 / 4-6:senders=self". Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plan/run_plan.h"

namespace n2nq::plan {

std::string to_text(const std::vector<ReceiverFilter>& filters);
// For people, with those that no filter names: "1-3: senders=1..5; all others: everything".
std::string requests_text(const RunPlan& plan);
// The filters themselves are taken as they are; problems_of() looks at them.
Result<std::vector<ReceiverFilter>> parse_filters(std::string_view text);

std::string_view trimmed(std::string_view text);  // without blanks at its ends

}  // namespace n2nq::plan
