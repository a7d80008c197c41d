// `n2nq-bench report`: a report from the store, as a file. Main thread; whoever composes the program says how files are
// made of it, as this folder draws nothing.
#pragma once

#include <functional>

#include "app/cli/bench_command.h"
#include "app/report/report.h"
#include "broker/base/result.h"

namespace n2nq::cli {

using WriteReport = std::function<Result<void>(const report::Report& report, const std::string& path)>;
int run_report_command(const ReportCommand& command, const WriteReport& write);  // the program's exit code

}  // namespace n2nq::cli
