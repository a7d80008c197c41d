// n2nq-bench: the composition root. A window, or the runs of a plan without one.
#include <QApplication>
#include <QCoreApplication>
#include <clocale>
#include <cstdio>
#include <filesystem>

#include "app/headless/archive_commands.h"
#include "app/headless/bench_command.h"
#include "app/headless/compare_command.h"
#include "app/headless/exit_code.h"
#include "app/headless/headless_campaign.h"
#include "app/headless/headless_run.h"
#include "app/headless/hosts_command.h"
#include "app/headless/report_command.h"
#include "app/headless/results_command.h"
#include "app/place/data_folder.h"
#include "app/place/display.h"
#include "app/place/qt_messages.h"
#include "ui/report/report_file.h"
#include "ui/window/window.h"

namespace n2nq {
namespace {

using headless::BenchExit;

// Files, figures and what others write are read and written in the C locale, whatever the user's is.
void use_c_numbers() {
  std::setlocale(LC_NUMERIC, "C");
}

int complain(BenchExit code, const std::string& text) {
  std::fprintf(stderr, "n2nq-bench: %s\n", text.c_str());
  return static_cast<int>(code);
}

int run_headless(int argc, char** argv, const headless::RunCommand& command) {
  const QCoreApplication application(argc, argv);
  use_c_numbers();
  return headless::HeadlessRun(command).execute();
}

int look_after_hosts(int argc, char** argv, const headless::HostsCommand& command) {
  const QCoreApplication application(argc, argv);
  use_c_numbers();
  return headless::run_hosts_command(command);
}

int make_campaign(int argc, char** argv, const headless::CampaignCommand& command) {
  const QCoreApplication application(argc, argv);
  use_c_numbers();
  return headless::HeadlessCampaign(command).execute();
}

int compare_results(int argc, char** argv, const headless::CompareCommand& command) {
  const QCoreApplication application(argc, argv);
  use_c_numbers();
  return headless::run_compare_command(command);
}

int list_results(int argc, char** argv, const headless::ResultsCommand& command) {
  const QCoreApplication application(argc, argv);
  use_c_numbers();
  return headless::run_results_command(command);
}

int hand_on(int argc, char** argv, const headless::ExportCommand& command) {
  const QCoreApplication application(argc, argv);
  use_c_numbers();
  return headless::run_export_command(command);
}

int take_over(int argc, char** argv, const headless::ImportCommand& command) {
  const QCoreApplication application(argc, argv);
  use_c_numbers();
  return headless::run_import_command(command);
}

// Figures are drawn as in the window, on no screen.
int make_report(int argc, char** argv, const headless::ReportCommand& command) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  place::be_silent_about_missing_session();
  const QApplication application(argc, argv);
  use_c_numbers();
  return headless::run_report_command(command, report::write_report);
}

int open_window(int argc, char** argv, const headless::WindowCommand& command) {
  std::error_code error;
  if (!command.file.empty() && !std::filesystem::exists(command.file, error))
    return complain(BenchExit::usage,
                    "\"" + command.file + "\" is neither a command nor a file (see n2nq-bench --help)");
  auto platform = place::choose_platform(place::process_environment());
  if (!platform)
    return complain(BenchExit::no_display, platform.error().text + "; without a window use: n2nq-bench run PLAN");
  if (!platform->name.empty()) qputenv("QT_QPA_PLATFORM", platform->name.c_str());
  QApplication application(argc, argv);
  platform->display.reset();
  use_c_numbers();
  QApplication::setApplicationName("n2nq-bench");
  QApplication::setApplicationDisplayName("N2NQ Bench");
  return window::run_window(application, {.data_dir = place::data_folder_path(command.data_dir),
                                          .programs = place::programs_folder(),
                                          .open_file = command.file,
                                          .metrics_port = command.metrics_port});
}

int start(int argc, char** argv) {
  const auto command = headless::parse_bench_command(argc, argv);
  if (const int* code = std::get_if<int>(&command)) return *code;
  if (const auto* run = std::get_if<headless::RunCommand>(&command)) return run_headless(argc, argv, *run);
  if (const auto* hosts = std::get_if<headless::HostsCommand>(&command)) return look_after_hosts(argc, argv, *hosts);
  if (const auto* campaign = std::get_if<headless::CampaignCommand>(&command))
    return make_campaign(argc, argv, *campaign);
  if (const auto* compare = std::get_if<headless::CompareCommand>(&command))
    return compare_results(argc, argv, *compare);
  if (const auto* listing = std::get_if<headless::ResultsCommand>(&command)) return list_results(argc, argv, *listing);
  if (const auto* to_file = std::get_if<headless::ExportCommand>(&command)) return hand_on(argc, argv, *to_file);
  if (const auto* from_file = std::get_if<headless::ImportCommand>(&command)) return take_over(argc, argv, *from_file);
  if (const auto* report = std::get_if<headless::ReportCommand>(&command)) return make_report(argc, argv, *report);
  return open_window(argc, argv, std::get<headless::WindowCommand>(command));
}

}  // namespace
}  // namespace n2nq

int main(int argc, char** argv) {
  return n2nq::start(argc, argv);
}
