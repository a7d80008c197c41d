#include "app/cli/keep_options.h"

#include "app/cli/exit_code.h"

namespace n2nq::cli {
namespace {

constexpr const char* kExportFooter =
    R"(One file with complete results: figures, histograms, plan, machine, run log, notes. The same results give the
same bytes. Without --logs it reports how much the logs would add.

)";
constexpr const char* kImportFooter =
    R"(All of the archive or nothing: an archive that is truncated, changed or from a newer version is refused. Results that are
already here are named, and not stored twice.

)";
constexpr const char* kReportFooter =
    R"(A report is self-contained: figures, settings, machines, clocks, what is left out, and how to repeat it, in one file that
needs no network and no scripts. One result is reported in full, several are set side by side.

)";

constexpr const char* kResultsFooter =
    R"(Newest first, with the numbers that other commands use. --filter takes the same words as the window's
filter: each must be in the plan's name, verdict, mode, campaign, tags or notes; 10 does not match 100, #12 is a number
of a result, 2026-03 and 10:30 are times.

)";

CLI::App* add(CLI::App& app, const char* name, const char* help, const char* footer) {
  CLI::App* sub = app.add_subcommand(name, help);
  sub->name(name);
  sub->set_help_flag("-h,--help", "Print this and exit");
  sub->get_formatter()->column_width(34);
  sub->footer(std::string(footer) + kExitCodes);
  return sub;
}

void add_places(CLI::App& sub, std::string& data_dir, std::optional<int64_t>* campaign, const char* help) {
  if (campaign != nullptr)
    sub.add_option_function<int64_t>(
           "--campaign", [campaign](const int64_t& id) { *campaign = id; }, help)
        ->type_name("NUMBER")
        ->check(number_range());
  sub.add_option("--data-dir", data_dir, "Where results are stored [as for run]")->type_name("DIR");
}

}  // namespace

CLI::App* add_export(CLI::App& app, ExportCommand& command) {
  CLI::App* sub = add(app, "export", "Write results, or a whole campaign, to one file", kExportFooter);
  sub->add_option("RESULTS FILE", command.words, "The results, such as 12,13 or 12-16, and the file, such as x.n2nq")
      ->type_name("")
      ->expected(1, 2)
      ->required();
  sub->add_flag("--logs", command.logs, "With the logs of the services and the master files");
  add_places(*sub, command.data_dir, &command.campaign, "Instead of RESULTS: a campaign with all of its results");
  return sub;
}

CLI::App* add_import(CLI::App& app, ImportCommand& command) {
  CLI::App* sub = add(app, "import", "Import the results of such a file", kImportFooter);
  sub->add_option("FILE", command.file, "An archive created by export")->type_name("")->required();
  add_places(*sub, command.data_dir, nullptr, "");
  return sub;
}

CLI::App* add_report(CLI::App& app, ReportCommand& command) {
  CLI::App* sub = add(app, "report", "Write a report on results, or on a campaign", kReportFooter);
  sub->add_option("RESULTS", command.results, "The results, such as 12 or 12,13 or 12-16")->type_name("");
  sub->add_option("--out", command.out, "FILE.html or FILE.pdf [report-RESULTS.html]")->type_name("FILE");
  add_places(*sub, command.data_dir, &command.campaign, "Instead of RESULTS: a campaign");
  return sub;
}

CLI::App* add_results(CLI::App& app, ResultsCommand& command) {
  CLI::App* sub = add(app, "results", "List the results and their numbers", kResultsFooter);
  sub->add_option("--filter", command.filter, "Only results that have all of these words")->type_name("TEXT");
  sub->add_flag("--json", command.json, "Print one JSON object instead of a table");
  add_places(*sub, command.data_dir, nullptr, "");
  return sub;
}

std::optional<std::string> problem_of(ExportCommand& command) {
  if (command.campaign && command.words.size() == 1) {
    command.file = command.words.front();
    return {};
  }
  if (command.campaign || command.words.size() != 2)
    return "export takes RESULTS and FILE, or --campaign NUMBER and FILE";
  command.results = command.words.front();
  command.file = command.words.back();
  return {};
}

std::optional<std::string> problem_of(const ReportCommand& command) {
  if (command.results.empty() == !command.campaign) return "report takes RESULTS, or --campaign NUMBER";
  const std::string& out = command.out;
  if (!out.empty() && !out.ends_with(".html") && !out.ends_with(".pdf"))
    return "--out takes a name that ends in .html or .pdf";
  return {};
}

}  // namespace n2nq::cli
