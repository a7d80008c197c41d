// The commands of n2nq-bench that need no object of their own: each returns the program's exit code. Main thread, under
// a QCoreApplication.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/bench_command.h"
#include "app/report/report.h"
#include "app/store/store.h"
#include "broker/base/result.h"

namespace n2nq::cli {

int run_compare_command(const CompareCommand& command);
int run_export_command(const ExportCommand& command);
int run_import_command(const ImportCommand& command);
int run_hosts_command(const HostsCommand& command);
int run_buses_command(const BusesCommand& command);

// Whoever composes the program says how files are made of a report, as this folder draws nothing.
using WriteReport = std::function<Result<void>(const report::Report& report, const std::string& path)>;
int run_report_command(const ReportCommand& command, const WriteReport& write);

int run_theory_command(const TheoryCommand& command);
int run_results_command(const ResultsCommand& command);
// What it prints of the results, newest first, as given. Pure.
std::string results_table(const std::vector<store::ResultRow>& rows);
std::string results_json(const std::vector<store::ResultRow>& rows);

// One result as a file for other programs, as the window's menu Export writes it: of n2nq-bench export NUMBER
// FILE.json|FILE.csv|FILE.hgrm|FILE.hlog.
bool is_result_file(const std::string& path);         // by its ending
int run_result_export(const ExportCommand& command);  // the data folder is open

}  // namespace n2nq::cli
