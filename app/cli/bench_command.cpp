#include "app/cli/bench_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <tuple>

#include "app/cli/exit_code.h"
#include "app/cli/keep_options.h"
#include "app/cli/usage_hint.h"
#include "app/hosts/host.h"
#include "app/plan/plan_limits.h"
#include "broker/base/units.h"

namespace n2nq::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  n2nq-bench                                          the window, with the last plan
  n2nq-bench my-plan.json                             the window, with this plan
  n2nq-bench run resources/plans/quick.json           run a plan without a window
  n2nq-bench run quick.json --set senders.count=50 --json
  n2nq-bench run quick.json --fail-if 'p99 > 5ms' --junit bench.xml     a check for continuous integration
  n2nq-bench run quick.json --set queue.host=vm1 --set receivers.hosts=vm2,vm3
  n2nq-bench hosts test vm1 vm2                       test these hosts, step by step
  n2nq-bench buses                                    which buses can be measured here, and what installs the rest
  n2nq-bench buses test redis-streams                 test a bus, step by step
  n2nq-bench campaign resources/plans/thesis-1-quick.json
  n2nq-bench search plan.json --from 100 --to 100000 --limit 'p99 <= 5ms'
  n2nq-bench results --filter 'thesis 1'              list the results of a campaign, with their numbers
  n2nq-bench compare 12-14 15-17 --fail-if 'p99 > 1.1x'
  n2nq-bench theory --arrivals 9.89/s --service 694ms --servers 8        what waits, by queueing theory alone
  n2nq-bench report 12-17 --out report.html
  n2nq-bench export 12-17 results.n2nq                on another computer: n2nq-bench import results.n2nq

)";

constexpr const char* kRunFooter =
    R"(A key is a plan field, such as senders.count, queue.mode or receivers.count; docs/plan.md lists them all. It
is set for every run of the plan.
A condition of --fail-if is a metric, > or <, and a limit (p99 > 5ms, rate < 20000, lost > 0), or doubtful. It is judged for each run.
Exit code 1: a condition is met. 8: the runs allow no statement about a condition, and none is met.
With --json the last thing on stdout is one JSON object: verdict, reason and runs. The first Ctrl-C (or SIGTERM) lets the
current run end early, with everything sent accounted for; a second one kills it.

)";

void add_fail_if(CLI::App& sub, std::vector<std::string>& conditions) {
  sub.add_option("--fail-if", conditions, "A condition that must not be met; may be repeated")
      ->type_name("CONDITION")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// Of a file that is written, by its ending: a plan that is named in its place by mistake stays what it is.
void add_output(CLI::App& sub, const std::string& option, const std::string& ending, std::string& file,
                const std::string& help) {
  sub.add_option_function<std::string>(
         option,
         [&file, option, ending](const std::string& given) {
           if (!given.ends_with(ending))
             throw CLI::ValidationError(option, "'" + given + "' is not a name that ends in " + ending);
           file = given;
         },
         help)
      ->type_name("FILE" + ending);
}

void add_junit(CLI::App& sub, std::string& file) {
  add_output(sub, "--junit", ".xml", file, "Write the outcome to this file as JUnit XML, for CI servers");
}

void add_common(CLI::App& app, std::string& data_dir, std::optional<uint16_t>& port) {
  auto option = [&app](const char* name, const char* form, const char* help, CLI::callback_t take) {
    app.add_option(name, std::move(take), help)->type_name(form);
  };
  option("--data-dir", "DIR",
         "Where results and the last plan are stored [$N2NQ_DATA_DIR, or ~/.local/share/n2nq-bench]",
         [&data_dir](const CLI::results_t& given) {
           if (given.front().empty()) throw CLI::ValidationError("--data-dir", "is empty");
           data_dir = given.front();
           return true;
         });
  option("--metrics", "PORT", "Serve live figures (OpenMetrics) at http://127.0.0.1:PORT/metrics; 0: a free port",
         [&port](const CLI::results_t& given) {
           const auto number = parse_whole(given.front());
           if (!number || *number > 65535)
             throw CLI::ValidationError("--metrics", "'" + given.front() + "' is not a port; expected 0 to 65535");
           port = static_cast<uint16_t>(*number);
           return true;
         });
}

// From 1 on; nothing where it is not given.
void add_count(CLI::App& app, const char* name, std::optional<uint32_t>& to, const char* help, int most) {
  app.add_option_function<uint32_t>(
         name, [&to](const uint32_t& count) { to = count; }, help)
      ->type_name("COUNT")
      ->check(CLI::Range(1, most));
}

// One value an option: what follows is the next argument, not one more of them.
void add_sets(CLI::App& app, std::vector<std::string>& sets, const char* help) {
  app.add_option("--set", sets, help)
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_hosts(CLI::App& app, HostsOptions& hosts, bool connects) {
  app.add_option("--hosts", hosts.file, "The hosts file [hosts.json in the data folder]")->type_name("FILE");
  if (!connects) return;
  app.add_option("--askpass", hosts.askpass,
                 "A command that receives a question (for a password or passphrase) and prints the answer")
      ->type_name("COMMAND");
  app.add_option("--known-hosts", hosts.known_hosts, "The known hosts file [~/.ssh/known_hosts]")->type_name("FILE");
}

void add_allow(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--allow", files, "Allow to send this file to where the plan says; may be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_survive(CLI::App& app, HostsOptions& hosts) {
  app.add_option_function<std::string>(
         "--survive",
         [&hosts](const std::string& text) {
           const auto ns = parse_duration(text);
           if (!ns || *ns < hosts::kLeastSurviveNs || *ns > hosts::kMostSurviveNs)
             throw CLI::ValidationError("--survive",
                                        "'" + text + "' is not a duration from 10s to 24h; enter for example 30min");
           hosts.survive_ns = *ns;
         },
         "How long processes on hosts keep running after the link to them is lost, up to 24h [10s]")
      ->type_name("DURATION");
}

void describe(CLI::App& app) {
  app.name("n2nq-bench");
  app.set_help_flag("-h,--help", "Print this and exit");
  app.get_formatter()->column_width(34);
}

constexpr const char* kHostsFooter =
    R"(Nothing here prompts. Keys, an agent, or --askpass COMMAND answer for a login; docs/remote.md has worked examples.

)";

// The actions of `hosts`, each an own subcommand.
class HostsActions {
 public:
  explicit HostsActions(CLI::App& app) : app_(app.add_subcommand("hosts", "Manage the hosts that runs can use")) {
    describe(*app_);
    app_->name("hosts");
    app_->require_subcommand(1);
    app_->footer(std::string(kHostsFooter) + kExitCodes);
    add("list", "List the hosts", HostsCommand::Action::list, false);
    CLI::App* trust = add("trust", "Trust a host's key", HostsCommand::Action::trust, true);
    trust->add_option("NAME", name_, "The host")->type_name("")->required();
    trust
        ->add_option("FINGERPRINT", command_.fingerprint,
                     "The fingerprint of its key, as given by its owner: SHA256:...")
        ->type_name("")
        ->required();
    CLI::App* test = add("test", "Test hosts step by step", HostsCommand::Action::test, true);
    test->add_option("NAME", command_.names, "The hosts [all]")->type_name("");
    test->add_option("--queue", command_.queue, "Where the queue is for connection tests [the first host]")
        ->type_name("NAME");
    test->add_flag("--bandwidth", command_.bandwidth,
                   "Measure the bandwidth to that queue too, which fills each path with up to 64 MiB or for 1 s");
    for (const auto& [name, help, action] :
         {std::tuple("collect", "Fetch what a killed bench left on hosts: logs and summaries of its runs",
                     HostsCommand::Action::collect),
          std::tuple("clean", "Remove what a killed bench left on hosts, without fetching it",
                     HostsCommand::Action::clean)})
      add(name, help, action, true)->add_option("NAME", command_.names, "The hosts [all]")->type_name("");
    CLI::App* import = add("import", "Import hosts from OpenSSH's configuration", HostsCommand::Action::import, false);
    import->add_option("FILE", command_.file, "The configuration [~/.ssh/config]")->type_name("");
    CLI::App* out =
        add("export", "Print the hosts file, which contains no secrets", HostsCommand::Action::export_list, false);
    out->add_flag("--without-key-files", command_.without_key_files, "Leave out the paths of key files");
  }

  bool parsed() const { return app_->parsed(); }
  HostsCommand take() {
    for (const auto& [sub, action] : actions_)
      if (sub->parsed()) command_.action = action;
    if (!name_.empty()) command_.names = {name_};
    return command_;
  }

 private:
  CLI::App* add(const char* name, const char* help, HostsCommand::Action action, bool connects) {
    CLI::App* sub = app_->add_subcommand(name, help);
    describe(*sub);
    sub->name(name);
    add_hosts(*sub, command_.hosts, connects);
    sub->add_option("--data-dir", command_.data_dir, "Where hosts.json is stored [as for run]")->type_name("DIR");
    actions_.emplace_back(sub, action);
    return sub;
  }

  CLI::App* app_;
  HostsCommand command_;
  std::string name_;
  std::vector<std::pair<CLI::App*, HostsCommand::Action>> actions_;
};

constexpr const char* kBusesFooter =
    R"(Without a command it lists each bus with its modes, and for this computer and each HOST whether the server of the bus is
installed there, in which version, and what installs it. Buses that need no server can be used everywhere.

)";

// `buses`, and its actions, each an own subcommand.
class BusesActions {
 public:
  explicit BusesActions(CLI::App& app)
      : app_(app.add_subcommand("buses", "Show which buses can be measured, here and on hosts, and test them")) {
    describe(*app_);
    app_->name("buses");
    app_->require_subcommand(0, 1);
    app_->footer(std::string(kBusesFooter) + kExitCodes);
    app_->add_option("HOST", command_.names, "Hosts to ask as well [none]")->type_name("");
    app_->add_flag("--all-hosts", command_.all_hosts, "Ask all hosts");
    app_->add_flag("--json", command_.json, "Print one JSON object instead of a table");
    add_common_options(*app_);
    test_ = app_->add_subcommand("test", "Test a bus step by step, with ten messages");
    describe(*test_);
    test_->name("test");
    test_->add_option("BUS", command_.bus, "The bus, such as redis-streams")->type_name("")->required();
    test_->add_option("--host", command_.host, "Where its server, the sender and the receiver run [this computer]")
        ->type_name("NAME");
    test_->add_flag("--json", command_.json, "Print its steps as one JSON object instead of a table");
    add_common_options(*test_);
    fetch_ = app_->add_subcommand("fetch", "Fetch the server of a bus that no package of the system has");
    describe(*fetch_);
    fetch_->name("fetch");
    fetch_->add_option("BUS", command_.bus, "kafka: with Maven, into the user's data folder")
        ->type_name("")
        ->required();
  }

  bool parsed() const { return app_->parsed(); }
  BusesCommand take() {
    if (test_->parsed()) command_.action = BusesCommand::Action::test;
    if (fetch_->parsed()) command_.action = BusesCommand::Action::fetch;
    return command_;
  }

 private:
  void add_common_options(CLI::App& app) {
    add_hosts(app, command_.hosts, true);
    app.add_option("--data-dir", command_.data_dir, "Where hosts.json is stored [as for run]")->type_name("DIR");
  }

  CLI::App* app_;
  CLI::App* test_;
  CLI::App* fetch_;
  BusesCommand command_;
};

// The options that campaigns and searches have in common.
void add_campaign_options(CLI::App& sub, CampaignCommand& command) {
  add_sets(sub, command.sets, "Change a plan field for every point; may be repeated");
  add_allow(sub, command.allow);
  sub.add_option("--external", command.external,
                 "The hosts for external services: vm2,vm3, or senders=vm2,receivers=vm3")
      ->type_name("HOST,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub.add_option("--figures", command.figures, "Write its figures to this folder, each as a CSV file")
      ->type_name("DIR");
  add_output(sub, "--table", ".csv", command.table, "Write its points and runs, by every metric, to this CSV file");
  add_junit(sub, command.junit);
  sub.add_flag("--json", command.json, "Print the outcome as one JSON object instead of a table");
  sub.add_option("--data-dir", command.data_dir, "Where results are stored [as for run]")->type_name("DIR");
  add_hosts(sub, command.hosts, true);
  add_survive(sub, command.hosts);
}

constexpr const char* kCampaignFooter =
    R"(Runs every point of the campaign, with repeats, as its file says; docs/campaigns.md describes the format. The same file
started again after a crash or Ctrl-C resumes where it stopped. Hosts that the file calls "external" are those of
--external; without any, extra processes on this computer take their place, and the table says so.
With --json the last thing on stdout is one JSON object: verdict, points, completed, failed and campaign_id.

)";

CLI::App* add_campaign(CLI::App& app, CampaignCommand& command) {
  CLI::App* sub = app.add_subcommand("campaign", "Run a campaign without a window");
  describe(*sub);
  sub->name("campaign");
  sub->footer(std::string(kCampaignFooter) + kExitCodes);
  sub->add_option("FILE", command.file, "The campaign, such as resources/plans/thesis-1-quick.json")->type_name("");
  sub->add_option_function<int64_t>(
         "--id", [&command](const int64_t& id) { command.id = id; },
         "Instead of FILE: a stored campaign, to resume it or to report it again")
      ->type_name("NUMBER")
      ->check(number_range());
  sub->add_option("--figures-from", command.figures_from,
                  "With --id: draw its results by the figures of this campaign file from now on")
      ->type_name("FILE");
  add_count(*sub, "--repeats", command.repeats, "Runs of each point [as the file says]", 1000);
  add_campaign_options(*sub, command);
  return sub;
}

constexpr const char* kTheoryFooter =
    R"(Says what queueing theory expects before anything is run: of a plan with a service time by its own model, which is marked
with *; or of numbers, as one shared queue with Poisson arrivals and exponential service times. See docs/theory.md.

)";

CLI::App* add_theory(CLI::App& app, TheoryCommand& command) {
  CLI::App* sub = app.add_subcommand("theory", "Say how long messages would wait, by queueing theory");
  describe(*sub);
  sub->name("theory");
  sub->footer(std::string(kTheoryFooter) + kExitCodes);
  sub->add_option("PLAN", command.plan, "The plan, such as my-plan.json")->type_name("");
  add_sets(*sub, command.sets, "Change a plan field; may be repeated");
  sub->add_option("--arrivals", command.arrivals, "Instead of a plan: messages a second, of all senders")
      ->type_name("RATE");
  sub->add_option("--service", command.service, "With it: the mean time that a server works on one")
      ->type_name("DURATION");
  add_count(*sub, "--servers", command.servers, "With it: how many [1]", plan::kMaxServices);
  sub->add_option("--wait", command.wait,
                  "Also say how many servers it takes so that messages wait no longer on average")
      ->type_name("DURATION");
  sub->add_flag("--json", command.json, "Print one JSON object instead of a table");
  return sub;
}

constexpr const char* kSearchFooter =
    R"(Finds the hardest value at which the limits still hold, by doubling, halving and runs that confirm both ends. It is a
campaign: started again after a crash or Ctrl-C it resumes where it stopped. Senders that could not keep their schedule
are distinguished from a bus that did not keep up. Logs are a summary, unless --set log=full is given. See docs/search.md.
Exit code 1: the limits are not met at --from, or runs fail. 8: the senders are the limit, or runs contradict each other.

)";

CLI::App* add_search(CLI::App& app, CampaignCommand& command, SearchCommand& search) {
  CLI::App* sub = app.add_subcommand("search", "Find the highest rate, or the most services, that meets a limit");
  describe(*sub);
  sub->name("search");
  sub->footer(std::string(kSearchFooter) + kExitCodes);
  sub->add_option("PLAN", command.file, "The plan to run repeatedly: one with a single run")->type_name("")->required();
  sub->add_option(
         "--vary", search.vary,
         "rate (messages per second of all senders), services (as many senders as receivers), or a plan field [rate]")
      ->type_name("WHAT");
  sub->add_option("--from", search.from, "The first value: an easy one")->type_name("VALUE")->required();
  sub->add_option("--to", search.to, "The last value; below --from if smaller values are harder")
      ->type_name("VALUE")
      ->required();
  sub->add_option("--limit", search.limits, "What must hold, such as 'p99 <= 5ms' or 'lost = 0'; may be repeated")
      ->type_name("LIMIT")
      ->required()
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub->add_option("--precision", search.precision, "How close the ends of the bracket are [5%]")->type_name("PERCENT");
  sub->add_option("--confirm", search.confirm, "Runs at each end of the bracket [3]")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 25));
  add_campaign_options(*sub, command);
  return sub;
}

constexpr const char* kCompareFooter =
    R"(A and B are results of repeated runs of one plan each, by their numbers: 12,13,14 or 12-16. The sample is the run: with
fewer than 3 runs on a side there is no statement. B is measured against A.
A condition is a metric, > or <, and a limit. A ratio (p99 > 1.1x) is met if B's figure is that multiple of A's and the
runs show that they differ; a quantity (p99 > 5ms, lost > 0) if the mean over B's runs is beyond it.
Exit code 1: a condition is met. 8: the runs allow no statement about a condition, and none is met.

)";

CLI::App* add_compare(CLI::App& app, CompareCommand& command) {
  CLI::App* sub = app.add_subcommand("compare", "Compare the results of repeated runs");
  describe(*sub);
  sub->name("compare");
  sub->footer(std::string(kCompareFooter) + kExitCodes);
  sub->add_option("A", command.a, "Results to measure against")->type_name("")->required();
  sub->add_option("B", command.b, "Results to measure")->type_name("")->required();
  add_fail_if(*sub, command.fail_if);
  add_junit(*sub, command.junit);
  sub->add_flag("--json", command.json, "Print one JSON object instead of a table");
  sub->add_option("--data-dir", command.data_dir, "Where results are stored [as for run]")->type_name("DIR");
  return sub;
}

int usage_error(const std::string& text, const std::string& part) {
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  std::fprintf(stderr, "n2nq-bench: %s (see n2nq-bench %s--help)\n", line.c_str(), part.c_str());
  return static_cast<int>(BenchExit::usage);
}

}  // namespace

BenchCommand parse_bench_command(int argc, const char* const* argv) {
  WindowCommand window;
  RunCommand run;
  CLI::App app(
      "n2nq-bench: runs senders, a queue and receivers, and shows the figures. Without a command it opens its window.");
  describe(app);
  app.set_version_flag("--version", std::string("n2nq-bench ") + N2NQ_VERSION, "Print the version and exit");
  app.footer(std::string(kExamples) + kExitCodes);
  app.add_option("FILE", window.file, "A plan, or an archive of results, to open in the window [the last plan]")
      ->type_name("");
  add_common(app, window.data_dir, window.metrics_port);

  CLI::App* sub = app.add_subcommand("run", "Run a plan without a window");
  describe(*sub);
  sub->name("run");
  sub->footer(std::string(kRunFooter) + kExitCodes);
  sub->add_option("PLAN", run.plan, "The plan file, such as resources/plans/quick.json")->type_name("");
  sub->add_option_function<int64_t>(
         "--result", [&run](const int64_t& id) { run.result = id; },
         "Instead of PLAN: run this result again, exactly as it was")
      ->type_name("NUMBER")
      ->check(number_range());
  add_sets(*sub, run.sets, "Change a plan field; may be repeated");
  add_allow(*sub, run.allow);
  sub->add_option("--repeats", run.repeats, "Run the plan this often; repeats differ in their seeds [1]")
      ->type_name("COUNT")
      ->check(CLI::Range(1, int(plan::kMaxRepeats)));
  add_fail_if(*sub, run.fail_if);
  add_junit(*sub, run.junit);
  sub->add_option("--out", run.out, "Write the run's files and results.json here [the data folder]")->type_name("DIR");
  sub->add_flag("--json", run.json, "Print the result as one JSON object instead of a table");
  add_common(*sub, run.data_dir, run.metrics_port);
  add_hosts(*sub, run.hosts, true);
  add_survive(*sub, run.hosts);
  HostsActions hosts(app);
  BusesActions buses(app);
  CampaignCommand campaign;
  const CLI::App* campaign_sub = add_campaign(app, campaign);
  CampaignCommand searching;
  SearchCommand search;
  const CLI::App* search_sub = add_search(app, searching, search);
  CompareCommand compare;
  const CLI::App* compare_sub = add_compare(app, compare);
  ResultsCommand listing;
  const CLI::App* results_sub = add_results(app, listing);
  ExportCommand to_file;
  const CLI::App* export_sub = add_export(app, to_file);
  ImportCommand from_file;
  const CLI::App* import_sub = add_import(app, from_file);
  TheoryCommand theory;
  const CLI::App* theory_sub = add_theory(app, theory);
  ReportCommand report;
  const CLI::App* report_sub = add_report(app, report);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    const CLI::App* known[] = {sub,        campaign_sub, search_sub, compare_sub,
                               export_sub, import_sub,   report_sub, results_sub};
    const auto found = std::ranges::find_if(known, [](const CLI::App* one) { return one->parsed(); });
    const std::string part = found != std::end(known) ? (*found)->get_name()
                             : hosts.parsed()         ? "hosts"
                             : buses.parsed()         ? "buses"
                                                      : "";
    return usage_error(explain(app, error, window.file), part.empty() ? "" : part + " ");
  }
  if (search_sub->parsed()) {
    if (searching.data_dir.empty()) searching.data_dir = window.data_dir;
    searching.search = search;
    return searching;
  }
  if (campaign_sub->parsed()) {
    if (campaign.data_dir.empty()) campaign.data_dir = window.data_dir;
    if (campaign.file.empty() == !campaign.id) return usage_error("campaign takes a FILE, or --id NUMBER", "campaign ");
    if (!campaign.id && !campaign.figures_from.empty())
      return usage_error("--figures-from is for a stored campaign: give --id NUMBER", "campaign ");
    if (campaign.id && (!campaign.sets.empty() || !campaign.external.empty() || campaign.repeats))
      return usage_error("--id resumes a campaign as it is: no --set, --external or --repeats", "campaign ");
    return campaign;
  }
  if (theory_sub->parsed()) {
    const bool numbers = !theory.arrivals.empty() && !theory.service.empty();
    const bool any = numbers || !theory.arrivals.empty() || !theory.service.empty() || theory.servers;
    if (theory.plan.empty() ? !numbers : any)
      return usage_error("theory takes a PLAN, or --arrivals, --service and --servers", "theory ");
    return theory;
  }
  if (compare_sub->parsed()) {
    if (compare.data_dir.empty()) compare.data_dir = window.data_dir;
    return compare;
  }
  for (std::string* data_dir : {&to_file.data_dir, &from_file.data_dir, &report.data_dir, &listing.data_dir})
    if (data_dir->empty()) *data_dir = window.data_dir;
  if (export_sub->parsed()) {
    if (const auto problem = problem_of(to_file)) return usage_error(*problem, "export ");
    return to_file;
  }
  if (import_sub->parsed()) return from_file;
  if (results_sub->parsed()) return listing;
  if (report_sub->parsed()) {
    if (const auto problem = problem_of(report)) return usage_error(*problem, "report ");
    return report;
  }
  if (hosts.parsed()) {
    HostsCommand command = hosts.take();
    if (command.data_dir.empty()) command.data_dir = window.data_dir;
    return command;
  }
  if (buses.parsed()) {
    BusesCommand command = buses.take();
    if (command.data_dir.empty()) command.data_dir = window.data_dir;
    return command;
  }
  if (!sub->parsed()) {
    window.meant = near_command(app, window.file).value_or("");
    return window;
  }
  if (!window.file.empty()) return usage_error("FILE and run cannot be combined", "");
  if (run.plan.empty() == !run.result) return usage_error("run takes a PLAN or --result NUMBER, not both", "run ");
  if (run.result && !run.sets.empty())
    return usage_error("--result repeats exactly what was run: no --set. Copy it as a command to change it", "run ");
  if (run.result && run.repeats > 1)
    return usage_error("--result repeats exactly what was run: no --repeats. Run its plan instead", "run ");
  if (run.data_dir.empty()) run.data_dir = window.data_dir;
  if (!run.metrics_port) run.metrics_port = window.metrics_port;
  return run;
}

}  // namespace n2nq::cli
