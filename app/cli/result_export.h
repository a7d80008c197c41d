// n2nq-bench export NUMBER FILE.json|FILE.csv|FILE.hgrm|FILE.hlog: one result as a file for other programs, as the
// window's menu Export writes it.
#pragma once

#include <string>

#include "app/cli/bench_command.h"

namespace n2nq::cli {

bool is_result_file(const std::string& path);  // by its ending
// The exit code. The data folder is opened; QCoreApplication exists.
int run_result_export(const ExportCommand& command);

}  // namespace n2nq::cli
