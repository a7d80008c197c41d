// The options of the commands that list results and hand them on: results, export, import, report. Used by
// parse_bench_command.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/bench_command.h"

namespace n2nq::cli {

// Takes the number of a result or of a campaign.
inline CLI::Range number_range() {
  return CLI::Range(int64_t{1}, INT64_MAX);
}

CLI::App* add_export(CLI::App& app, ExportCommand& command);
CLI::App* add_import(CLI::App& app, ImportCommand& command);
CLI::App* add_report(CLI::App& app, ReportCommand& command);
CLI::App* add_results(CLI::App& app, ResultsCommand& command);
// What of the words is what; the error is for who typed them.
std::optional<std::string> problem_of(ExportCommand& command);
std::optional<std::string> problem_of(const ReportCommand& command);

}  // namespace n2nq::cli
