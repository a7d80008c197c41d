// The options by which commands are checks for continuous integration. Used by parse_bench_command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace n2nq::cli {

void add_fail_if(CLI::App& sub, std::vector<std::string>& conditions);
// Of a file that is written, by its ending: a plan that is named in its place by mistake stays what it is.
void add_output(CLI::App& sub, const std::string& option, const std::string& ending, std::string& file,
                const std::string& help);
void add_junit(CLI::App& sub, std::string& file);

}  // namespace n2nq::cli
