// Every command in the code blocks of the README and of docs: run as it stands there, with stand-ins of this computer
// for what it needs, or held against what --help knows. A command that nobody has said here how to run fails, and so
// does one of these that is not documented any more.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "tests/headless/bench_process.h"
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const kPrograms[] = {"n2nq-bench", "n2nq-broker", "n2nq-sender", "n2nq-receiver", "./bench", "./check"};

// Run by one of the tests below.
const std::vector<std::string> kRun{
    "n2nq-broker --listen 127.0.0.1:7400 --mode broadcaster --retention 5s --insecure-no-token",
    "n2nq-receiver --broker 127.0.0.1:7400 --count 10 --log-dir out",
    "n2nq-sender --broker 127.0.0.1:7400 --count 10 --messages 50 --size 50B --delay 100ms --log-dir out",
    "n2nq-receiver --broker lab1:7400 --count 2 --token-file token --control 127.0.0.1:7500 --requests 1",
    "n2nq-receiver --broker 127.0.0.1:7400 --count 10 --token-file token --control 127.0.0.1:7500 --telemetry 100ms "
    "--log-dir out",
    "./bench run resources/plans/quick.json",
    "n2nq-bench campaign resources/plans/thesis-1-quick.json",
    "n2nq-bench campaign resources/plans/thesis-1.json --external senders=vm2,receivers=vm3 --set queue.host=vm1 "
    "--figures figures/",
    "n2nq-bench campaign resources/plans/thesis-7.json --set log=off --figures figures/",
    "n2nq-bench hosts import",
    "n2nq-bench hosts test vm1 vm2 vm3",
    "n2nq-bench hosts test vm1 vm2",
    "n2nq-bench run resources/plans/quick.json --set queue.host=vm1 --set senders.hosts=vm2 --set "
    "receivers.hosts=vm2,vm3",
    "n2nq-bench buses",
    "n2nq-bench buses test redis-streams",
    "n2nq-bench run resources/plans/kill-leader.json",
    "n2nq-bench run resources/plans/kill-leader.json --set bus.hosts=vm1,vm2,vm3",
    "n2nq-bench run before.json",
    "n2nq-bench run after.json",
    "n2nq-bench run plan.json --fail-if 'p99 > 5ms' --fail-if 'lost > 0' --junit bench.xml",
    "n2nq-bench compare 1,3,5,7,9 2,4,6,8,10 --fail-if 'p99 > 1.1x' --fail-if 'lost > 0'",
    "n2nq-bench report 12 --out quick.html",
    "n2nq-bench report 12-17 --out sizes.pdf",
    "n2nq-bench report --campaign 3",
    "n2nq-bench export 12-16 before.n2nq",
    "n2nq-bench export --campaign 3 sizes.n2nq --logs",
    "n2nq-bench import sizes.n2nq",
    "n2nq-bench theory --arrivals 9.89/s --service 694ms --servers 8 --wait 10ms",
    "n2nq-bench theory plan.json --set receivers.service_time=exponential:5ms",
    "n2nq-bench search plan.json --from 100 --to 100000 --limit 'p99 <= 5ms'",
    "n2nq-bench search plan.json --vary services --from 1 --to 2000 --limit 'p99 <= 5ms' --limit 'lost = 0' --json",
    "n2nq-bench search plan.json --vary senders.delay --from 20ms --to 10us --limit 'p99.9 <= 20ms' --confirm 5",
    "n2nq-broker --listen 127.0.0.1:7400 --insecure-no-token --elsewhere --serve redis --serve-listen 127.0.0.1:7379",
    "n2nq-receiver --broker 127.0.0.1:7400 --count 10 --bus redis-pubsub --bus-set address=127.0.0.1:7379",
    "n2nq-sender --broker 127.0.0.1:7400 --count 10 --messages 50 --delay 100ms --bus redis-pubsub --bus-set "
    "address=127.0.0.1:7379",
};

// Only held against --help: its commands and options are there. Each with the reason why it is not run.
const std::map<std::string, std::string> kOnlyParsed{
    {"./bench", "opens the window, and installs packages and builds before it"},
    {"n2nq-bench run resources/plans/kill-leader.json --set bus.kind=kafka --set "
     "bus.image=docker.io/apache/kafka:3.7.0 --set bus.cpus=1 --set bus.memory=2GiB",
     "needs an image from the network; the tests of containers make theirs"},
    {"n2nq-bench run resources/plans/quick.json --set bus.kind=http --set queue.mode=load-balancer --set "
     "bus.address=127.0.0.1:8443 --set bus.host_name=queue.lab --set bus.tls=true --set bus.tls_ca=ca.pem --set "
     "bus.receiver_port=8000 --set receivers.processes=2",
     "Balancer runs it through a load balancer of its own"},
    {"n2nq-bench run resources/plans/kill-leader.json --set bus.kind=kafka", "LedCluster runs that plan so"},
    {"n2nq-bench run resources/plans/kill-leader.json --set bus.kind=rabbitmq --set bus.queue_type=quorum",
     "LedCluster runs that plan so"},
    {"n2nq-bench campaign resources/plans/seed-001-quick.json", "StudyTest runs it to its end"},
    {"n2nq-bench buses test kafka", "Buses.AreTestedStepByStep runs it"},
    {"n2nq-bench buses test rabbitmq", "Buses.AreTestedStepByStep runs it"},
    {"n2nq-bench buses fetch kafka", "fetches from the network; the tests of buses fetch with a Maven of theirs"},
    {"./check", "installs packages, builds, and runs this test"},
    {"n2nq-bench hosts trust vm1 SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDTmy0S...",
     "its fingerprint is left out but for the beginning; remote_lab_test trusts real keys"},
};

// Those that say what there is, with [...] and A|B, are not commands to be typed.
bool is_synopsis(const std::string& command) {
  return command.find('[') != std::string::npos || command.find('|') != std::string::npos;
}

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  bool quoted = false, in_word = false;
  for (const char c : command) {
    if (c == '\'') {
      quoted = !quoted;
      if (!std::exchange(in_word, true)) words.emplace_back();
    } else if (c == ' ' && !quoted) {
      in_word = false;
    } else {
      if (!std::exchange(in_word, true)) words.emplace_back();
      words.back() += c;
    }
  }
  return words;
}

// The commands of a line of shell that are ours, as one would type them in the folder of the build.
std::vector<std::string> commands_of(std::string line) {
  line = std::regex_replace(line, std::regex("\\s+(#|see [a-z]+\\.md).*$|\\s+$"), "");
  line = std::regex_replace(line, std::regex("^\\$ |^for .* do "), "");
  std::vector<std::string> commands;
  std::stringstream parts(std::regex_replace(line, std::regex("; (do )?| && "), "\n"));
  for (std::string part; std::getline(parts, part);) {
    part = std::regex_replace(part, std::regex("^build/release/bin/"), "");
    part = std::regex_replace(part, std::regex(" +"), " ");
    const std::string first = part.substr(0, part.find(' '));
    if (std::ranges::find(kPrograms, first) != std::end(kPrograms)) commands.push_back(part);
  }
  return commands;
}

// Where it stands, by command; a line that only goes on with options belongs to the one before it.
std::map<std::string, std::string> documented() {
  std::vector<fs::path> pages{fs::path(N2NQ_SOURCE_DIR) / "README.md"};
  for (const char* folder : {"docs", "docs/buses"})
    for (const auto& entry : fs::directory_iterator(fs::path(N2NQ_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::map<std::string, std::string> all;
  for (const fs::path& page : pages) {
    std::ifstream file(page);
    bool code = false;
    std::string last;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      number++;
      if (line.starts_with("```")) {
        code = !code;
        last.clear();
      } else if (code && !last.empty() && line.starts_with(' ') && line.find_first_not_of(' ') == line.find('[')) {
        const std::string whole = last + " " + line.substr(line.find('['));
        all[whole] = all.extract(last).mapped();
        last = whole;
      } else if (code) {
        last.clear();
        for (const std::string& command : commands_of(line)) {
          all[command] = page.filename().string() + ":" + std::to_string(number);
          if (is_synopsis(command)) last = command;
        }
      }
    }
  }
  return all;
}

struct DocumentedCommands : testing::Test {
  DocumentedCommands() {
    fs::create_directories(home() / ".ssh");
    fs::create_symlink(fs::path(N2NQ_SOURCE_DIR) / "resources", cwd() / "resources");
    const Json plan = Json::parse(R"({"version": 1, "base": {"name": "short", "receivers": {"count": 1},
      "senders": {"count": 1, "messages": 10, "delay": "1ms"}}})");
    for (const char* name : {"plan.json", "before.json", "after.json"}) std::ofstream(cwd() / name) << plan.dump();
  }
  ~DocumentedCommands() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }

  fs::path cwd() const { return place / "."; }
  fs::path home() const { return place / "home"; }

  // As it stands in the docs, in a folder and a home of its own, with these words instead of others, and more behind.
  Process start(const std::string& command, const std::map<std::string, std::string>& instead = {},
                const std::vector<std::string>& more = {}, const std::string& data = "data") const {
    EXPECT_THAT(kRun, testing::Contains(command)) << "it is none of those that are run";
    std::vector<std::string> words = words_of(command);
    if (words[0] == "./bench") words[0] = "n2nq-bench";  // which it starts, once it is built
    words[0] = program(words[0]);
    for (std::string& word : words)
      if (const auto other = instead.find(word); other != instead.end()) word = other->second;
    std::vector<std::string> argv{"/usr/bin/env",
                                  "-C",
                                  cwd().string(),
                                  "-u",
                                  "DISPLAY",
                                  "-u",
                                  "WAYLAND_DISPLAY",
                                  "HOME=" + home().string(),
                                  "N2NQ_DATA_DIR=" + (place / data).string()};
    argv.insert(argv.end(), words.begin(), words.end());
    argv.insert(argv.end(), more.begin(), more.end());
    return Process(argv);
  }
  BenchEnded run(const std::string& command, const std::vector<std::string>& more = {},
                 const std::string& data = "data") const {
    Process process = start(command, {}, more, data);
    return BenchPlace::finish(process);
  }
  void expect(const std::string& command, const std::vector<std::string>& more = {}) const {
    const BenchEnded ended = run(command, more);
    EXPECT_EQ(ended.exit, Exit{.code = 0}) << command << "\n" << ended.err << ended.out;
  }
  // One that would take hours: until that many of its runs are made.
  void expect_begins(const std::string& command, const std::string& marker,
                     const std::vector<std::string>& more = {}) const {
    Process process = start(command, {}, more);
    EXPECT_TRUE(process.wait_err(marker, 60s)) << command << "\n" << process.err();
    process.signal(SIGINT);
    const BenchEnded ended = BenchPlace::finish(process);
    EXPECT_EQ(ended.exit, Exit{.code = 5}) << command << "\n" << ended.err;
  }
  // vm1 to vm3 are this computer.
  void make_hosts() const {
    Json hosts = Json::array();
    for (const char* name : {"vm1", "vm2", "vm3"})
      hosts.push_back({{"name", name},
                       {"kind", "command"},
                       {"command", "/usr/bin/env {command}"},
                       {"work_folder", (place / name).string()},
                       {"data_address", "127.0.0.1"}});
    fs::create_directories(place.data());
    std::ofstream(place.data() / "hosts.json") << Json{{"version", 1}, {"hosts", hosts}}.dump();
  }
  BenchPlace place;
};

TEST_F(DocumentedCommands, AreAllKnownHere) {
  std::vector<std::string> unknown, gone;
  const auto all = documented();
  EXPECT_GT(all.size(), 30u) << "what finds them is broken";
  for (const auto& [command, where] : all)
    if (!is_synopsis(command) && std::ranges::find(kRun, command) == kRun.end() && !kOnlyParsed.contains(command))
      unknown.push_back(where + ": " + command);
  EXPECT_THAT(unknown, IsEmpty()) << "say here how they are run, or why they are not";
  for (const std::string& command : kRun)
    if (!all.contains(command)) gone.push_back(command);
  for (const auto& [command, why] : kOnlyParsed)
    if (!all.contains(command)) gone.push_back(command);
  EXPECT_THAT(gone, IsEmpty()) << "they are not documented any more";
}

TEST_F(DocumentedCommands, ThatAreNotRunHaveCommandsAndOptionsThatThereAre) {
  size_t looked_at = 0;
  for (const auto& [command, where] : documented()) {
    if (!is_synopsis(command) && !kOnlyParsed.contains(command)) continue;
    SCOPED_TRACE(where + ": " + command);
    looked_at++;
    const std::vector<std::string> words = words_of(command);
    std::vector<std::string> help{words[0].starts_with("./") ? fs::path(N2NQ_SOURCE_DIR) / words[0]
                                                             : fs::path(program(words[0]))};
    const size_t commands = command.starts_with("n2nq-bench hosts") || command.starts_with("n2nq-bench buses") ? 3 : 2;
    for (size_t i = 1; i < std::min(words.size(), commands); i++)
      if (std::regex_match(words[i], std::regex("[a-z]+"))) help.push_back(words[i]);
    help.emplace_back("--help");
    Process process(help);
    EXPECT_EQ(process.wait_exit(30s), Exit{.code = 0}) << process.err();
    const std::regex named("--[a-z][a-z-]*|[a-z]+(\\|[a-z]+)+");
    for (std::sregex_iterator at(command.begin(), command.end(), named), end; at != end; ++at) {
      std::stringstream each(std::regex_replace(at->str(), std::regex("\\|"), "\n"));
      for (std::string name; std::getline(each, name);)
        EXPECT_TRUE(std::regex_search(process.out(), std::regex("(^|[\\s,])" + name + "[\\s,]"))) << name;
    }
  }
  EXPECT_GT(looked_at, 10u);
}

TEST_F(DocumentedCommands, OnHosts) {
  make_hosts();
  std::ofstream(home() / ".ssh/config") << "Host lab9\n  HostName 10.9.9.9\n";
  expect(kRun[9]);  // hosts import
  expect("n2nq-bench hosts test vm1 vm2 vm3");
  expect("n2nq-bench hosts test vm1 vm2");
  expect(
      "n2nq-bench run resources/plans/quick.json --set queue.host=vm1 --set senders.hosts=vm2 --set "
      "receivers.hosts=vm2,vm3",
      {"--set", "senders.messages=20"});
}

TEST_F(DocumentedCommands, OfBuses) {
  put_servers_into_path();
  expect("n2nq-bench buses");
  expect("n2nq-bench buses test redis-streams");
  make_hosts();
  // How long those that are left take to agree, and whether the run passes therefore, is for them to say.
  for (const char* kill : {"n2nq-bench run resources/plans/kill-leader.json",
                           "n2nq-bench run resources/plans/kill-leader.json --set bus.hosts=vm1,vm2,vm3"}) {
    const BenchEnded ended = run(kill, {"--set", "senders.duration=2s", "--set", "bus.kill=leader:500ms"});
    EXPECT_THAT(ended.exit.value_or(Exit()).code, AnyOf(0, 1)) << ended.err;
    EXPECT_THAT(ended.out,
                AnyOf(HasSubstr(": passed: "), HasSubstr(" deliveries lost"), HasSubstr("no message was taken")));
    EXPECT_THAT(ended.out, testing::ContainsRegex("server [123] \\(leader\\) killed at [0-9.]+ m?s: ")) << ended.err;
  }
}

// Whose points have one service, and more than two.
TEST_F(DocumentedCommands, ACampaignOnHosts) {
  make_hosts();
  expect_begins(
      "n2nq-bench campaign resources/plans/thesis-1.json --external senders=vm2,receivers=vm3 --set queue.host=vm1 "
      "--figures figures/",
      "\n2 of 198 runs", {"--set", "senders.messages=3", "--set", "senders.delay=10ms"});
}

TEST_F(DocumentedCommands, Campaigns) {
  expect("n2nq-bench campaign resources/plans/thesis-1-quick.json");
  expect_begins("n2nq-bench campaign resources/plans/thesis-7.json --set log=off --figures figures/", "\n1 of ",
                {"--set", "senders.messages=3", "--set", "senders.delay=10ms"});
}

// The study's own figures of 8 servers (its 5.1) are those of M/M/8.
TEST_F(DocumentedCommands, OfTheory) {
  const BenchEnded by_numbers = run("n2nq-bench theory --arrivals 9.89/s --service 694ms --servers 8 --wait 10ms");
  EXPECT_EQ(by_numbers.exit, Exit{.code = 0}) << by_numbers.err;
  EXPECT_THAT(by_numbers.out, HasSubstr("* M/M/8                            361.7 ms         1.06 s"));
  EXPECT_THAT(by_numbers.out, HasSubstr("at least 12 servers for a mean waiting time of at most 10ms\n"));
  const BenchEnded by_plan = run("n2nq-bench theory plan.json --set receivers.service_time=exponential:5ms");
  EXPECT_EQ(by_plan.exit, Exit{.code = 0}) << by_plan.err;
  EXPECT_THAT(by_plan.out, HasSubstr(" % busy\n"));
  const BenchEnded as_json = place.run({"theory", "--arrivals", "5/s", "--service", "100ms", "--json"});
  const Json one = Json::parse(as_json.out)["runs"][0];
  EXPECT_EQ(one["models"][0]["waiting_ns"], 1e8) << "of M/M/1, half busy";
  EXPECT_EQ(one["models"][0]["in_system_count"], 1);
  EXPECT_EQ(one["models"][0]["empty_probability"], 0.5);
  const BenchEnded without = place.run({"theory", cwd() / "plan.json"});
  EXPECT_THAT(without.out, HasSubstr("theory needs receivers.service_time and a rate of senders"));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"theory"},
                                                {"theory", "--arrivals", "5/s"},
                                                {"theory", cwd() / "plan.json", "--servers", "2"},
                                                {"theory", "--arrivals", "5", "--service", "1ms"},
                                                {"theory", "--arrivals", "5/s", "--service", "long"}}) {
    const BenchEnded ended = place.run(wrong);
    EXPECT_EQ(ended.exit, Exit{.code = 2}) << ended.err;
    EXPECT_EQ(ended.out, "");
  }
}

TEST_F(DocumentedCommands, WithResults) {
  for (int i = 0; i < 5; i++) {
    expect("n2nq-bench run before.json");
    expect("n2nq-bench run after.json");
  }
  // Whether two plans that are the same differ is for chance to say, but not whether the command is one.
  const BenchEnded compared =
      run("n2nq-bench compare 1,3,5,7,9 2,4,6,8,10 --fail-if 'p99 > 1.1x' --fail-if 'lost > 0'");
  EXPECT_THAT(compared.exit.value_or(Exit()).code, AnyOf(0, 1, 8)) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("p99")) << compared.err;
  // Results 11 to 17, in three campaigns.
  for (const auto& [name, values] : std::map<std::string, Json>{{"1", {1, 2}}, {"2", {1, 2}}, {"3", {1, 2, 3}}}) {
    Json campaign = Json::parse(std::ifstream(cwd() / "plan.json"));
    campaign["name"] = name;
    campaign["axes"] = {{{"name", "messages"}, {"field", "senders.messages"}, {"values", values}}};
    std::ofstream(cwd() / "campaign.json") << campaign.dump();
    const BenchEnded made = place.run({"campaign", cwd() / "campaign.json"});
    ASSERT_EQ(made.exit, Exit{.code = 0}) << made.err;
  }
  expect("n2nq-bench report 12 --out quick.html");
  expect("n2nq-bench report 12-17 --out sizes.pdf");
  expect("n2nq-bench report --campaign 3");
  expect("n2nq-bench export 12-16 before.n2nq");
  expect("n2nq-bench export --campaign 3 sizes.n2nq --logs");
  for (const char* file : {"quick.html", "sizes.pdf", "report-campaign-3.html", "before.n2nq", "sizes.n2nq"})
    EXPECT_GT(fs::file_size(cwd() / file), 1000u) << file;
  const BenchEnded imported = run("n2nq-bench import sizes.n2nq", {}, "another computer");
  EXPECT_EQ(imported.exit, Exit{.code = 0}) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("3 results"));
}

// Whether it is fast enough is for this computer to say.
TEST_F(DocumentedCommands, AsACheck) {
  const BenchEnded ended = run("n2nq-bench run plan.json --fail-if 'p99 > 5ms' --fail-if 'lost > 0' --junit bench.xml");
  EXPECT_THAT(ended.exit.value_or(Exit()).code, AnyOf(0, 1)) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("passed  lost > 0: ")) << ended.err;
  EXPECT_GT(fs::file_size(cwd() / "bench.xml"), 1000u);
}

TEST_F(DocumentedCommands, Searches) {
  for (const char* search :
       {"n2nq-bench search plan.json --from 100 --to 100000 --limit 'p99 <= 5ms'",
        "n2nq-bench search plan.json --vary services --from 1 --to 2000 --limit 'p99 <= 5ms' --limit 'lost = 0' --json",
        "n2nq-bench search plan.json --vary senders.delay --from 20ms --to 10us --limit 'p99.9 <= 20ms' --confirm 5"})
    expect_begins(search, "\n1 run");
}

TEST_F(DocumentedCommands, OfTheQuickPlan) {
  expect("./bench run resources/plans/quick.json", {"--set", "senders.messages=20"});
}

// With a port that is free.
TEST_F(DocumentedCommands, OfTheThreeProgramsByHand) {
  const ReservedPort port;
  const std::map<std::string, std::string> instead{{"127.0.0.1:7400", "127.0.0.1:" + std::to_string(port.number())},
                                                   {"100ms", "5ms"}};
  Process broker = start(kRun[0], instead);
  ASSERT_TRUE(broker.wait_line([](const std::string& line) { return line.find("ready") != line.npos; }, 20s));
  Process receivers = start(kRun[1], instead);
  Process senders = start(kRun[2], instead);
  for (Process* process : {&senders, &receivers, &broker})
    EXPECT_EQ(process->wait_exit(60s), Exit{.code = 0}) << process->err();
  const auto logs = read_logs(cwd() / "out", "receiver");
  ASSERT_EQ(logs.size(), 10u);
  for (const auto& [number, log] : logs) EXPECT_EQ(log.rows.size(), 500u) << number;
}

// With a queue that is there; the worker waits for somebody who steers it.
TEST_F(DocumentedCommands, OfWorkersStartedByHand) {
  std::ofstream(cwd() / "token") << "s3cret\n";
  fs::permissions(cwd() / "token", fs::perms(0600));
  for (const std::string& command : {kRun[3], kRun[4]}) {
    SCOPED_TRACE(command);
    const ReservedPort port;
    const ReservedPort control;
    const std::string queue = "127.0.0.1:" + std::to_string(port.number());
    Process broker({program("n2nq-broker"), "--listen", queue, "--token-file", (cwd() / "token").string()});
    ASSERT_TRUE(broker.wait_line([](const std::string& line) { return line.find("ready") != line.npos; }, 20s));
    Process receivers = start(command, {{"lab1:7400", queue},
                                        {"127.0.0.1:7400", queue},
                                        {"127.0.0.1:7500", "127.0.0.1:" + std::to_string(control.number())}});
    EXPECT_TRUE(receivers.wait_line([](const std::string& line) { return line.find("ready") != line.npos; }, 20s))
        << receivers.err();
    receivers.signal(SIGTERM);
    const auto exit = receivers.wait_exit(30s);
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->signal, 0);
    EXPECT_NE(exit->code, 2) << receivers.err();
    broker.signal(SIGTERM);
    EXPECT_TRUE(broker.wait_exit(30s));
  }
}

TEST_F(DocumentedCommands, OverRedisByHand) {
  put_servers_into_path();
  const ReservedPort queue, server;
  const std::map<std::string, std::string> here{
      {"127.0.0.1:7400", "127.0.0.1:" + std::to_string(queue.number())},
      {"127.0.0.1:7379", "127.0.0.1:" + std::to_string(server.number())},
      {"address=127.0.0.1:7379", "address=127.0.0.1:" + std::to_string(server.number())}};
  std::vector<Process> all;
  for (size_t i = kRun.size() - 3; i < kRun.size(); i++) {
    all.push_back(start(kRun[i], here));
    EXPECT_TRUE(all.back().wait_line([](const std::string& line) { return line.find("ready") != line.npos; }, 20s))
        << all.back().err();
  }
  for (Process& one : all) EXPECT_EQ(one.wait_exit(30s), Exit{.code = 0}) << one.out() << one.err();
}

TEST(ShellLines, AreTakenApartAsAShellDoes) {
  EXPECT_THAT(commands_of("for i in 1 2; do n2nq-bench run a.json; n2nq-bench run b.json; done     # in turns"),
              ElementsAre("n2nq-bench run a.json", "n2nq-bench run b.json"));
  EXPECT_THAT(commands_of("$ build/release/bin/n2nq-bench   results   # #12"), ElementsAre("n2nq-bench results"));
  EXPECT_THAT(commands_of("n2nq-bench: vm1: its key is unknown"), IsEmpty());
  EXPECT_THAT(words_of("compare 1 --fail-if 'p99 > 1.1x'"), ElementsAre("compare", "1", "--fail-if", "p99 > 1.1x"));
}

}  // namespace
}  // namespace n2nq::test
