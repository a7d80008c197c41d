// What a search comes to for people and scripts. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/campaign/search.h"
#include "app/cli/exit_code.h"

namespace n2nq::cli {

// "passed", "failed", "no_statement"; of one that is not over: "stopped".
std::string search_verdict(campaign::SearchEnd end);
BenchExit exit_code_of(campaign::SearchEnd end);

nlohmann::ordered_json search_json(const campaign::Search& search);
// A row a value, the easiest first.
std::string search_table(const campaign::Search& search);

}  // namespace n2nq::cli
