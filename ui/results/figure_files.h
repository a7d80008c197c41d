// The figures of a result as files.
#pragma once

#include <cstddef>
#include <string>

#include "app/results/run_record.h"
#include "broker/base/result.h"

namespace n2nq::results {

// Each figure as FOLDER/PREFIX-FIGURE.csv; how many. Any thread.
Result<size_t> write_figures(const RunRecord& record, const std::string& folder);

}  // namespace n2nq::results
