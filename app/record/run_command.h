// A run as lines for a shell: they write the plan to a file and run it without a window. Pure; any thread.
#pragma once

#include <string>

#include "app/plan/run_plan.h"

namespace n2nq::record {

std::string run_command(const plan::RunPlan& plan);
// A plan's name as a file's: letters, digits, dots and dashes.
std::string file_name_of(const std::string& name);

}  // namespace n2nq::record
