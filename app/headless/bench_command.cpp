#include "app/headless/bench_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "app/headless/exit_code.h"
#include "broker/base/units.h"

namespace n2nq::headless {
namespace {

constexpr const char* kExamples = R"(Examples:
  n2nq-bench                                          the window, with the last plan
  n2nq-bench my-plan.json                             the window, with this plan
  n2nq-bench run resources/plans/quick.json           runs a plan without a window
  n2nq-bench run quick.json --set senders.count=50 --json

)";

constexpr const char* kRunFooter =
    R"(A key is a field of the plan, such as senders.count, queue.mode or receivers.count; docs/plan.md has them all. It
is set for every run of the plan.
With --json the last thing on stdout is one JSON object: verdict, reason and runs. The first Ctrl-C (or SIGTERM) lets the
current run end early, with what was sent accounted for; one more kills it.

)";

void add_common(CLI::App& app, std::string& data_dir, std::optional<uint16_t>& port) {
  auto option = [&app](const char* name, const char* form, const char* help, CLI::callback_t take) {
    app.add_option(name, std::move(take), help)->type_name(form);
  };
  option("--data-dir", "DIR", "Where results and the last plan are kept [$N2NQ_DATA_DIR, or ~/.local/share/n2nq-bench]",
         [&data_dir](const CLI::results_t& given) {
           if (given.front().empty()) throw CLI::ValidationError("--data-dir", "is empty");
           data_dir = given.front();
           return true;
         });
  option("--metrics", "PORT", "Serve live figures (OpenMetrics) at http://127.0.0.1:PORT/metrics; 0: a free port",
         [&port](const CLI::results_t& given) {
           const auto number = parse_whole(given.front());
           if (!number || *number > 65535)
             throw CLI::ValidationError("--metrics", "'" + given.front() + "' is no port; it takes 0 to 65535");
           port = static_cast<uint16_t>(*number);
           return true;
         });
}

void describe(CLI::App& app) {
  app.name("n2nq-bench");
  app.set_help_flag("-h,--help", "Print this and exit");
  app.get_formatter()->column_width(34);
}

int usage_error(const std::string& text, bool in_run) {
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  std::fprintf(stderr, "n2nq-bench: %s (see n2nq-bench %s--help)\n", line.c_str(), in_run ? "run " : "");
  return static_cast<int>(BenchExit::usage);
}

}  // namespace

BenchCommand parse_bench_command(int argc, const char* const* argv) {
  WindowCommand window;
  RunCommand run;
  CLI::App app(
      "n2nq-bench: runs senders, a queue and receivers, and shows what comes out. Without `run` it opens its window.");
  describe(app);
  app.set_version_flag("--version", std::string("n2nq-bench ") + N2NQ_VERSION, "Print the version and exit");
  app.footer(std::string(kExamples) + kExitCodes);
  app.add_option("FILE", window.file, "A plan to open in the window [the last one]")->type_name("");
  add_common(app, window.data_dir, window.metrics_port);

  CLI::App* sub = app.add_subcommand("run", "Run a plan without a window");
  describe(*sub);
  sub->name("run");
  sub->footer(std::string(kRunFooter) + kExitCodes);
  sub->add_option("PLAN", run.plan, "The plan file, such as resources/plans/quick.json")->type_name("")->required();
  // One value an option: what follows is the next argument, not one more of them.
  sub->add_option("--set", run.sets, "Change a field of the plan, as often as needed")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub->add_option("--out", run.out, "Put the run's files and results.json here [the data folder]")->type_name("DIR");
  sub->add_flag("--json", run.json, "Print the result as one JSON object instead of a table");
  add_common(*sub, run.data_dir, run.metrics_port);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what(), sub->parsed());
  }
  if (!sub->parsed()) return window;
  if (!window.file.empty()) return usage_error("FILE and run exclude each other", false);
  if (run.data_dir.empty()) run.data_dir = window.data_dir;
  if (!run.metrics_port) run.metrics_port = window.metrics_port;
  return run;
}

}  // namespace n2nq::headless
