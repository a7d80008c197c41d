// n2nq-bench: the composition root. A window, or the runs of a plan without one.
#include <QApplication>
#include <QCoreApplication>
#include <clocale>
#include <csignal>
#include <filesystem>
#include <variant>

#include "app/cli/bench_command.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/headless_campaign.h"
#include "app/cli/headless_run.h"
#include "app/cli/status_line.h"
#include "app/place/data_folder.h"
#include "app/place/display.h"
#include "app/place/qt_messages.h"
#include "ui/report/report_file.h"
#include "ui/window/window.h"

namespace n2nq {
namespace {

using cli::BenchExit;

// Files, figures and what others write are read and written in the C locale, whatever the user's is.
void use_c_numbers() {
  std::setlocale(LC_NUMERIC, "C");
}

// Figures are drawn as in the window, on no screen.
int make_report(int argc, char** argv, const cli::ReportCommand& command) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  place::be_silent_about_missing_session();
  const QApplication application(argc, argv);
  use_c_numbers();
  return cli::run_report_command(command, ui::write_report);
}

int open_window(int argc, char** argv, const cli::WindowCommand& command) {
  std::error_code error;
  if (!command.file.empty() && !std::filesystem::exists(command.file, error))
    return cli::complain(BenchExit::usage, "\"" + command.file + "\" is neither a command nor a file" +
                                               (command.meant.empty() ? "" : "; did you mean " + command.meant + "?") +
                                               " (see n2nq-bench --help)");
  auto platform = place::choose_platform(place::process_environment());
  if (!platform)
    return cli::complain(BenchExit::no_display, platform.error().text + "; without a window use: n2nq-bench run PLAN");
  if (!platform->name.empty()) qputenv("QT_QPA_PLATFORM", platform->name.c_str());
  QApplication application(argc, argv);
  platform->display.reset();
  use_c_numbers();
  QApplication::setApplicationName("n2nq-bench");
  QApplication::setApplicationDisplayName("N2NQ Bench");
  return ui::run_window(application, {.data_dir = place::data_folder_path(command.data_dir),
                                      .programs = place::programs_folder(),
                                      .open_file = command.file,
                                      .metrics_port = command.metrics_port});
}

struct Start {
  int argc;
  char** argv;

  int operator()(int code) const { return code; }
  int operator()(const cli::RunCommand& command) const {
    return plainly([&] { return cli::HeadlessRun(command).execute(); });
  }
  int operator()(const cli::HostsCommand& command) const {
    return plainly([&] { return cli::run_hosts_command(command); });
  }
  int operator()(const cli::BusesCommand& command) const {
    return plainly([&] { return cli::run_buses_command(command); });
  }
  int operator()(const cli::CampaignCommand& command) const {
    return plainly([&] { return cli::HeadlessCampaign(command).execute(); });
  }
  int operator()(const cli::CompareCommand& command) const {
    return plainly([&] { return cli::run_compare_command(command); });
  }
  int operator()(const cli::ResultsCommand& command) const {
    return plainly([&] { return cli::run_results_command(command); });
  }
  int operator()(const cli::TheoryCommand& command) const {
    return plainly([&] { return cli::run_theory_command(command); });
  }
  int operator()(const cli::ExportCommand& command) const {
    return plainly([&] { return cli::run_export_command(command); });
  }
  int operator()(const cli::ImportCommand& command) const {
    return plainly([&] { return cli::run_import_command(command); });
  }
  int operator()(const cli::ReportCommand& command) const { return make_report(argc, argv, command); }
  int operator()(const cli::WindowCommand& command) const { return open_window(argc, argv, command); }

 private:
  template <class Run>
  int plainly(const Run& run) const {
    int count = argc;  // Qt changes it, and keeps a reference
    const QCoreApplication application(count, argv);
    use_c_numbers();
    return run();
  }
};

}  // namespace
}  // namespace n2nq

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error that is told
  return std::visit(n2nq::Start{argc, argv}, n2nq::cli::parse_bench_command(argc, argv));
}
