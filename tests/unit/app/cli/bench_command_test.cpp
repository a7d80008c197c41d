#include "app/cli/bench_command.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace n2nq::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

BenchCommand parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "n2nq-bench");
  return parse_bench_command(static_cast<int>(arguments.size()), arguments.data());
}

// The one line on stderr; the exit code is that of wrong usage.
std::string complaint(std::vector<const char*> arguments) {
  testing::internal::CaptureStderr();
  const BenchCommand command = parse(std::move(arguments));
  const std::string line = testing::internal::GetCapturedStderr();
  EXPECT_EQ(command, BenchCommand(2)) << line;
  EXPECT_EQ(std::ranges::count(line, '\n'), 1) << line;
  return line;
}

std::string printed(std::vector<const char*> arguments) {
  testing::internal::CaptureStdout();
  const BenchCommand command = parse(std::move(arguments));
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(command, BenchCommand(0));
  return text;
}

TEST(BenchCommand, OpensTheWindowByItself) {
  EXPECT_EQ(parse({}), BenchCommand(WindowCommand{}));
  EXPECT_EQ(parse({"my.json"}), BenchCommand(WindowCommand{.file = "my.json"}));
  EXPECT_EQ(parse({"--metrics", "9100", "--data-dir", "d"}),
            BenchCommand(WindowCommand{.data_dir = "d", .metrics_port = 9100}));
}

TEST(BenchCommand, ShowsTestsAndFetchesBuses) {
  using Action = BusesCommand::Action;
  EXPECT_EQ(parse({"buses"}), BenchCommand(BusesCommand{}));
  EXPECT_EQ(parse({"buses", "vm1", "vm2", "--json", "--hosts", "h.json"}),
            BenchCommand(BusesCommand{.names = {"vm1", "vm2"}, .json = true, .hosts = {.file = "h.json"}}));
  EXPECT_EQ(parse({"buses", "--all-hosts"}), BenchCommand(BusesCommand{.all_hosts = true}));
  EXPECT_EQ(parse({"buses", "test", "nats", "--host", "vm1", "--data-dir", "d"}),
            BenchCommand(BusesCommand{.action = Action::test, .bus = "nats", .host = "vm1", .data_dir = "d"}));
  EXPECT_EQ(parse({"buses", "fetch", "kafka"}), BenchCommand(BusesCommand{.action = Action::fetch, .bus = "kafka"}));
  EXPECT_THAT(complaint({"buses", "test"}), HasSubstr("buses"));
}

TEST(BenchCommand, RunsAPlan) {
  const RunCommand expected{.plan = "quick.json",
                            .sets = {"senders.count=5", "queue.mode=load-balancer"},
                            .repeats = 3,
                            .out = "o",
                            .json = true,
                            .data_dir = "d",
                            .metrics_port = 0};
  EXPECT_EQ(parse({"run", "--set", "senders.count=5", "quick.json", "--set", "queue.mode=load-balancer", "--out", "o",
                   "--repeats", "3", "--json", "--metrics", "0", "--data-dir=d"}),
            BenchCommand(expected));
}

TEST(BenchCommand, SearchesWithAPlan) {
  const CampaignCommand least{.file = "quick.json",
                              .search = SearchCommand{.from = "100", .to = "100000", .limits = {"p99 <= 5ms"}}};
  EXPECT_EQ(least.search->vary, "rate");
  EXPECT_EQ(least.search->precision, "5%");
  EXPECT_EQ(least.search->confirm, 3u);
  EXPECT_EQ(parse({"search", "quick.json", "--from", "100", "--to", "100000", "--limit", "p99 <= 5ms"}),
            BenchCommand(least));
  const CampaignCommand all{.file = "quick.json",
                            .sets = {"log=full"},
                            .external = {"vm2", "vm3"},
                            .search = SearchCommand{.vary = "senders.delay",
                                                    .from = "20ms",
                                                    .to = "10us",
                                                    .limits = {"p99.9 <= 20ms", "lost = 0"},
                                                    .precision = "10%",
                                                    .confirm = 5},
                            .figures = "f",
                            .json = true,
                            .data_dir = "d"};
  EXPECT_EQ(parse({"search",    "--vary", "senders.delay", "--limit",  "p99.9 <= 20ms", "quick.json",  "--from",
                   "20ms",      "--to",   "10us",          "--limit",  "lost = 0",      "--precision", "10%",
                   "--confirm", "5",      "--set",         "log=full", "--external",    "vm2,vm3",     "--figures",
                   "f",         "--json", "--data-dir",    "d"}),
            BenchCommand(all));
}

TEST(BenchCommand, SaysWhatASearchIsMissing) {
  EXPECT_THAT(complaint({"search", "--from", "1", "--to", "2", "--limit", "lost = 0"}), HasSubstr("PLAN"));
  EXPECT_THAT(complaint({"search", "p.json", "--to", "2", "--limit", "lost = 0"}), HasSubstr("--from"));
  EXPECT_THAT(complaint({"search", "p.json", "--from", "1", "--limit", "lost = 0"}), HasSubstr("--to"));
  EXPECT_THAT(complaint({"search", "p.json", "--from", "1", "--to", "2"}), HasSubstr("--limit"));
  EXPECT_THAT(complaint({"search", "p.json", "--from", "1", "--to", "2", "--limit", "lost = 0", "--confirm", "26"}),
              HasSubstr("--confirm"));
}

TEST(BenchCommand, TakesTheHostsThatAreExternalInOneWord) {
  const CampaignCommand expected{.file = "c.json", .external = {"vm2", "vm3"}};
  EXPECT_EQ(parse({"campaign", "c.json", "--external", "vm2,vm3"}), BenchCommand(expected));
  EXPECT_EQ(parse({"campaign", "--external=vm2,vm3", "c.json"}), BenchCommand(expected));
  EXPECT_EQ(parse({"campaign", "--external", "vm2,vm3", "c.json"}), BenchCommand(expected));
}

TEST(BenchCommand, TakesCommonOptionsBeforeRunToo) {
  EXPECT_EQ(parse({"--data-dir", "d", "run", "p"}), BenchCommand(RunCommand{.plan = "p", .data_dir = "d"}));
}

TEST(BenchCommand, TakesConditionsAndWhereTheirOutcomeIsWritten) {
  EXPECT_EQ(parse({"run", "--fail-if", "p99 > 5ms", "--fail-if=lost > 0", "--junit", "a.xml", "p"}),
            BenchCommand(RunCommand{.plan = "p", .fail_if = {"p99 > 5ms", "lost > 0"}, .junit = "a.xml"}));
  EXPECT_EQ(parse({"campaign", "c.json", "--junit", "a.xml"}),
            BenchCommand(CampaignCommand{.file = "c.json", .junit = "a.xml"}));
  EXPECT_EQ(parse({"compare", "1", "2", "--junit", "a.xml"}),
            BenchCommand(CompareCommand{.a = "1", .b = "2", .junit = "a.xml"}));
  for (const char* command : {"run", "campaign", "compare"})
    EXPECT_THAT(complaint({command, "--junit", "plan.json"}), HasSubstr("'plan.json' is not a name that ends in .xml"))
        << "what is there is not replaced by mistake";
}

TEST(BenchCommand, TakesHostsAndWhoAnswersForPasswords) {
  EXPECT_EQ(
      parse({"run", "p", "--hosts", "h.json", "--askpass", "ask me", "--known-hosts", "k"}),
      BenchCommand(RunCommand{.plan = "p", .hosts = {.file = "h.json", .known_hosts = "k", .askpass = "ask me"}}));
}

TEST(BenchCommand, TakesHowLongARunGoesOnWithoutItsLink) {
  EXPECT_EQ(parse({"run", "p", "--survive", "2h"}),
            BenchCommand(RunCommand{.plan = "p", .hosts = {.survive_ns = 7'200'000'000'000}}));
  for (const char* wrong : {"9s", "25h", "soon"})
    EXPECT_THAT(complaint({"run", "p", "--survive", wrong}), HasSubstr("from 10s to 24h")) << wrong;
}

TEST(BenchCommand, LooksAfterHosts) {
  using Action = HostsCommand::Action;
  EXPECT_EQ(parse({"hosts", "collect"}), BenchCommand(HostsCommand{.action = Action::collect}));
  EXPECT_EQ(parse({"hosts", "clean", "vm1", "vm2"}),
            BenchCommand(HostsCommand{.action = Action::clean, .names = {"vm1", "vm2"}}));
  EXPECT_EQ(parse({"hosts", "list"}), BenchCommand(HostsCommand{}));
  EXPECT_EQ(parse({"hosts", "trust", "vm1", "SHA256:x", "--hosts", "h"}),
            BenchCommand(HostsCommand{
                .action = Action::trust, .names = {"vm1"}, .fingerprint = "SHA256:x", .hosts = {.file = "h"}}));
  EXPECT_EQ(parse({"hosts", "test", "vm1", "vm2", "--queue", "vm2", "--bandwidth", "--askpass", "a"}),
            BenchCommand(HostsCommand{.action = Action::test,
                                      .names = {"vm1", "vm2"},
                                      .queue = "vm2",
                                      .bandwidth = true,
                                      .hosts = {.askpass = "a"}}));
  EXPECT_EQ(parse({"--data-dir", "d", "hosts", "import", "config"}),
            BenchCommand(HostsCommand{.action = Action::import, .file = "config", .data_dir = "d"}));
  EXPECT_EQ(parse({"hosts", "export", "--without-key-files"}),
            BenchCommand(HostsCommand{.action = Action::export_list, .without_key_files = true}));
  EXPECT_THAT(complaint({"hosts"}), HasSubstr("n2nq-bench hosts --help"));
  EXPECT_THAT(complaint({"hosts", "trust", "vm1"}), HasSubstr("FINGERPRINT is required"));
}

TEST(BenchCommand, KeepsCommasAndBracketsOfASet) {
  const RunCommand expected{.plan = "p", .sets = {"queue.filters=1-3,5:senders=1..5,9 / 4:senders=self", "name=[a,b]"}};
  EXPECT_EQ(parse({"run", "p", "--set", "queue.filters=1-3,5:senders=1..5,9 / 4:senders=self", "--set", "name=[a,b]"}),
            BenchCommand(expected));
}

TEST(BenchCommand, TellsInOneLineWhatIsWrong) {
  EXPECT_THAT(complaint({"run"}), HasSubstr("run takes a PLAN or --result NUMBER"));
  EXPECT_THAT(complaint({"run", "p", "--bogus"}), HasSubstr("--bogus"));
  EXPECT_THAT(complaint({"run", "p", "q"}), HasSubstr("q"));
  EXPECT_THAT(complaint({"run", "p", "--metrics", "70000"}), HasSubstr("'70000' is not a port"));
  EXPECT_THAT(complaint({"--metrics", "x"}), HasSubstr("'x' is not a port"));
  EXPECT_THAT(complaint({"run", "p", "--set"}), HasSubstr("--set"));
  EXPECT_THAT(complaint({"a", "b"}), HasSubstr("n2nq-bench --help"));
  EXPECT_THAT(complaint({"a", "run", "p"}), HasSubstr("cannot be combined"));
}

TEST(BenchCommand, ExplainsItselfWithItsExitCodes) {
  EXPECT_THAT(printed({"--help"}), HasSubstr("6 no display"));
  EXPECT_THAT(printed({"run", "--help"}), HasSubstr("6 no display"));
  EXPECT_THAT(printed({"run", "--help"}), HasSubstr("--set KEY=VALUE"));
  EXPECT_EQ(printed({"--version"}), "n2nq-bench " N2NQ_VERSION "\n");
}

TEST(BenchCommand, SaysWhichOptionWasProbablyMeant) {
  const std::string expected =
      "n2nq-bench: The following argument was not expected: --jsn; did you mean --json? (see n2nq-bench run --help)\n";
  EXPECT_EQ(complaint({"run", "p", "--jsn"}), expected);
  EXPECT_THAT(complaint({"--metrcs", "1"}), HasSubstr("did you mean --metrics?"));
  EXPECT_THAT(complaint({"campaign", "c", "--figurse=d"}), HasSubstr("expected: --figurse; did you mean --figures?"));
  EXPECT_THAT(complaint({"search", "p", "--frm", "1", "--to", "2"}), HasSubstr("did you mean --from?"))
      << "and not only that --from is missing";
  EXPECT_THAT(complaint({"compare", "1", "2", "--failif", "lost > 0"}), HasSubstr("did you mean --fail-if?"));
  EXPECT_THAT(complaint({"results", "--fliter", "x"}), HasSubstr("did you mean --filter?"));
  EXPECT_THAT(complaint({"export", "1", "f", "--log"}), HasSubstr("did you mean --logs?"));
  EXPECT_THAT(complaint({"import", "f", "--datadir", "d"}), HasSubstr("did you mean --data-dir?"));
  EXPECT_THAT(complaint({"report", "1", "--campain", "2"}), HasSubstr("did you mean --campaign?"));
  EXPECT_THAT(complaint({"hosts", "test", "--quee", "a"}), HasSubstr("did you mean --queue?"));
  EXPECT_THAT(complaint({"run", "p", "--bogus"}), Not(HasSubstr("did you mean")));
  EXPECT_THAT(complaint({"run", "p", "q"}), Not(HasSubstr("did you mean")));
}

TEST(BenchCommand, SaysWhichCommandWasProbablyMeant) {
  EXPECT_EQ(
      complaint({"campain", "c.json", "--json"}),
      "n2nq-bench: \"campain\" is neither a command nor a file; did you mean campaign? (see n2nq-bench --help)\n");
  EXPECT_THAT(complaint({"hosts", "tset"}), HasSubstr("tset; did you mean test? (see n2nq-bench hosts --help)"));
  EXPECT_EQ(parse({"reprot"}), BenchCommand(WindowCommand{.file = "reprot", .meant = "report"}));
  for (const char* command :
       {"run", "hosts", "campaign", "search", "compare", "results", "export", "import", "report"}) {
    const std::string typed = std::string(command) + "x";
    EXPECT_EQ(parse({typed.c_str()}), BenchCommand(WindowCommand{.file = typed, .meant = command}));
  }
}

}  // namespace
}  // namespace n2nq::cli
