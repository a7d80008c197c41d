// The options by which commands are checks for continuous integration. Used by parse_bench_command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace n2nq::cli {

void add_fail_if(CLI::App& sub, std::vector<std::string>& conditions);
void add_junit(CLI::App& sub, std::string& file);

}  // namespace n2nq::cli
