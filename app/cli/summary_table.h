// The results of some runs side by side, as people read them. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::cli {

// A row a figure, a column a run, at most four runs beside each other.
std::string summary_table(const std::vector<record::RunRecord>& runs);

}  // namespace n2nq::cli
