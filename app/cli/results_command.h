// n2nq-bench results: the list of results, for whoever wants their numbers. Needs a QCoreApplication.
#pragma once

#include <string>
#include <vector>

#include "app/cli/bench_command.h"
#include "app/store/store.h"

namespace n2nq::cli {

// Newest first, as given. Pure.
std::string results_table(const std::vector<store::ResultRow>& rows);
std::string results_json(const std::vector<store::ResultRow>& rows);

int run_results_command(const ResultsCommand& command);  // the program's exit code

}  // namespace n2nq::cli
