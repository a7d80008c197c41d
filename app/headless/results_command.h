// n2nq-bench results: the list of results, for whoever wants their numbers. Needs a QCoreApplication.
#pragma once

#include <string>
#include <vector>

#include "app/headless/bench_command.h"
#include "app/results/store.h"

namespace n2nq::headless {

// Newest first, as given. Pure.
std::string results_table(const std::vector<results::ResultRow>& rows);
std::string results_json(const std::vector<results::ResultRow>& rows);

int run_results_command(const ResultsCommand& command);  // the program's exit code

}  // namespace n2nq::headless
