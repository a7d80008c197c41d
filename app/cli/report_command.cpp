#include "app/cli/commands.h"

#include <algorithm>

#include "app/cli/exit_code.h"
#include "app/cli/result_choice.h"
#include "app/cli/status_line.h"
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
  const auto choice = choose_results(command.results, command.campaign.has_value(), command.data_dir);
  if (!choice) return complain(choice.error().code, choice.error().text);
  const auto report =
      report::load_report(choice->folder.store(), {.results = choice->results, .campaign = command.campaign});
  if (!report) return complain(exit_code_of(report.error()), report.error().text);
  const std::string path = command.out.empty() ? usual_path(command) : command.out;
  if (const auto written = write(*report, path); !written)
    return complain(BenchExit::local_trouble, written.error().text);
  return static_cast<int>(print("report written to " + path + "\n") ? BenchExit::passed : BenchExit::local_trouble);
}

}  // namespace n2nq::cli
