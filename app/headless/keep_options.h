// The options of the commands that hand results on: export, import, report. Used by parse_bench_command.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/headless/bench_command.h"

namespace n2nq::headless {

CLI::App* add_export(CLI::App& app, ExportCommand& command);
CLI::App* add_import(CLI::App& app, ImportCommand& command);
CLI::App* add_report(CLI::App& app, ReportCommand& command);
// What of the words is what; the error is for who typed them.
std::optional<std::string> problem_of(ExportCommand& command);
std::optional<std::string> problem_of(const ReportCommand& command);

}  // namespace n2nq::headless
