#include "app/cli/commands.h"

#include <algorithm>

#include "app/cli/exit_code.h"
#include "app/cli/status_line.h"
#include "app/compare/side.h"
#include "app/place/data_folder.h"
#include "app/report/report_source.h"

namespace n2nq::cli {
namespace {

std::string usual_path(const ReportCommand& command) {
  if (command.campaign) return "report-campaign-" + std::to_string(*command.campaign) + ".html";
  std::string results = command.results;
  std::ranges::replace(results, ',', '+');
  return "report-" + results + ".html";
}

}  // namespace

int run_report_command(const ReportCommand& command, const WriteReport& write) {
  report::ReportWish wish{.campaign = command.campaign};
  if (!command.campaign) {
    auto ids = compare::parse_results(command.results);
    if (!ids) return complain(BenchExit::usage, ids.error().text);
    wish.results = std::move(*ids);
  }
  const auto folder = place::open_data_folder_to_read(place::data_folder_path(command.data_dir));
  if (!folder) return complain(BenchExit::local_trouble, folder.error().text);
  const auto report = report::load_report(folder->store(), wish);
  if (!report) return complain(exit_code_of(report.error()), report.error().text);
  const std::string path = command.out.empty() ? usual_path(command) : command.out;
  if (const auto written = write(*report, path); !written)
    return complain(BenchExit::local_trouble, written.error().text);
  return static_cast<int>(print("report written to " + path + "\n") ? BenchExit::passed : BenchExit::local_trouble);
}

}  // namespace n2nq::cli
