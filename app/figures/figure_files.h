// The figures of a result as files.
#pragma once

#include <cstddef>
#include <string>

#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::figures {

// Each figure as PREFIX-FIGURE.csv; how many. Any thread.
Result<size_t> write_figures_as(const record::RunRecord& record, const std::string& prefix);
// The same, with the plan's name and the result's number for their names.
Result<size_t> write_figures(const record::RunRecord& record, const std::string& folder);

}  // namespace n2nq::figures
