// `n2nq-bench compare`: two sides of results, and whether what must not be is so. Main thread, under a
// QCoreApplication.
#pragma once

#include "app/cli/bench_command.h"

namespace n2nq::cli {

int run_compare_command(const CompareCommand& command);  // the program's exit code

}  // namespace n2nq::cli
