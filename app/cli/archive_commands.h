// `n2nq-bench export` and `n2nq-bench import`. Main thread, under a QCoreApplication.
#pragma once

#include "app/cli/bench_command.h"

namespace n2nq::cli {

int run_export_command(const ExportCommand& command);  // the program's exit code
int run_import_command(const ImportCommand& command);

}  // namespace n2nq::cli
