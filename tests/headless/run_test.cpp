// Runs without a window: what they print and leave behind.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/headless/bench_process.h"
#include "tests/helpers/log_file.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kQuickPlan = N2NQ_SOURCE_DIR "/resources/plans/quick.json";

struct HeadlessRunTest : testing::Test {
  ~HeadlessRunTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  BenchPlace place;
};

TEST_F(HeadlessRunTest, RunsTheQuickPlanInBothModesAndEndsWithOneObject) {
  const BenchEnded ended = place.run({"run", kQuickPlan, "--json"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err << ended.out;
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "passed") << result;
  EXPECT_EQ(result["reason"], "both runs passed");
  ASSERT_EQ(result["runs"].size(), 2u);
  const Json& broadcaster = result["runs"][0];
  const Json& balancer = result["runs"][1];
  EXPECT_EQ(broadcaster["mode"], "broadcaster");
  EXPECT_EQ(broadcaster["sent"], 1250);
  EXPECT_EQ(broadcaster["received"], 12500);
  EXPECT_EQ(balancer["mode"], "load-balancer");
  EXPECT_EQ(balancer["received"], 1250);
  for (const Json& run : result["runs"]) {
    EXPECT_EQ(run["expected"], run["received"]);
    EXPECT_EQ(run["lost"], 0);
    EXPECT_EQ(run["duplicates"], 0);
    EXPECT_EQ(run["latency_ns"]["count"], run["received"]);
    EXPECT_EQ(run["scheduled_latency_ns"]["count"], run["received"]);
    EXPECT_GT(run["latency_ns"]["p99"], run["latency_ns"]["min"]);
    EXPECT_GT(run["result_id"], 0);
  }
  EXPECT_EQ(ended.out.find('\n'), ended.out.size() - 1);
}

TEST_F(HeadlessRunTest, ALimitThatIsExceededIsItsVerdictAndItsExitCode) {
  const BenchEnded ended = place.run({"run", place.plan(), "--set", "limits=p50 <= 0ms; lost <= 0"});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err << ended.out;
  EXPECT_THAT(ended.out, ContainsRegex("broadcaster: failed: p50 <= 0 s: it was [0-9.]+ "));
  EXPECT_THAT(ended.out, Not(HasSubstr("passed")));
  EXPECT_THAT(ended.out, Not(HasSubstr("limit exceeded")));
  EXPECT_THAT(ended.err, HasSubstr("limit exceeded: latency p50 "));
  EXPECT_EQ(place.run({"run", place.plan(), "--set", "limits=p50 <= 60s; lost <= 0"}).exit, Exit{.code = 0});
}

TEST_F(HeadlessRunTest, ALimitThatOnlyWarnsIsPrintedBelowTheVerdict) {
  const BenchEnded ended = place.run({"run", place.plan(), "--set", "limits=p50 <= 0ms warn; lost <= 0"});
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("broadcaster: passed"));
  EXPECT_THAT(ended.out, ContainsRegex("  limit exceeded: latency p50 [0-9.]+ .*, above 0 s"));
  EXPECT_THAT(ended.out, Not(HasSubstr("limit exceeded: lost")));
}

TEST_F(HeadlessRunTest, ALimitThatWasNeverJudgedIsADoubtAndItsExitCode) {
  const BenchEnded ended =
      place.run({"run", place.plan(), "--json", "--set", "limits=host-cpu <= 100%", "--set", "recorder.on=false"});
  EXPECT_EQ(ended.exit, Exit{.code = 8}) << ended.err << ended.out;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["verdict"], "passed");
  EXPECT_EQ(run["trust"], "doubtful");
  ASSERT_FALSE(run["warnings"].empty());
  EXPECT_EQ(run["warnings"][0]["id"], "limit-host-cpu");
  EXPECT_EQ(run["warnings"][0]["text"], "the limit host-cpu <= 100 % was never judged: the recorder was off");
}

TEST_F(HeadlessRunTest, CountsWhatTheLogFilesHold) {
  const BenchEnded ended = place.run({"run", place.plan(), "--json"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json run = ended.result()["runs"][0];
  size_t sent = 0;
  for (const auto& [number, log] : read_logs(run["folder"].get<std::string>(), "sender")) sent += log.rows.size();
  size_t received = 0;
  for (const auto& [number, log] : read_logs(run["folder"].get<std::string>(), "receiver")) received += log.rows.size();
  EXPECT_EQ(run["sent"], sent);
  EXPECT_EQ(sent, 200u);
  EXPECT_EQ(run["received"], received);
  EXPECT_TRUE(std::filesystem::exists(run["master_file"].get<std::string>()));
  EXPECT_TRUE(run["folder"].get<std::string>().starts_with(place.data().string())) << run;
}

TEST_F(HeadlessRunTest, PrintsATableForPeopleAndItsProgressOnStderr) {
  const BenchEnded ended = place.run({"run", place.plan({{"senders", {{"messages", 700}}}})});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("deliveries received +8,400\n"));
  EXPECT_THAT(ended.out, ContainsRegex("latency, median \\[(µs|ms)\\] +[0-9.,]+\n"));
  EXPECT_THAT(ended.out, HasSubstr("broadcaster: passed"));
  EXPECT_THAT(ended.err, ContainsRegex("broadcaster: .*sent [0-9,]+ of 2,800, received [0-9,]+ of 8,400, lost 0"));
  EXPECT_THAT(ended.err, Not(HasSubstr("\r")));
}

TEST_F(HeadlessRunTest, ChangesFieldsByTheirKeys) {
  const BenchEnded ended =
      place.run({"run", place.plan(), "--json", "--set", "senders.count=2", "--set", "queue.mode=load-balancer",
                 "--set", "queue.requests=true", "--set", "queue.filters=1,3:senders=1..2 / 2:senders=none"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err << ended.out;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["mode"], "load-balancer");
  EXPECT_EQ(run["senders"], 2);
  EXPECT_EQ(run["sent"], 100);
  EXPECT_EQ(run["requests"], true);
  EXPECT_EQ(run["received"], 100);
  EXPECT_EQ(read_logs(run["folder"].get<std::string>(), "receiver")[2].rows.size(), 0u);
}

TEST_F(HeadlessRunTest, PutsFilesAndResultWhereOutSays) {
  const auto out = place / "out";
  const BenchEnded ended = place.run({"run", place.plan(), "--json", "--out", out});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json result = ended.result();
  std::ifstream file(out / "results.json");
  EXPECT_EQ(Json::parse(file, nullptr, false), result);
  const std::filesystem::path folder = result["runs"][0]["folder"].get<std::string>();
  EXPECT_EQ(folder.parent_path(), std::filesystem::canonical(out));
  EXPECT_TRUE(std::filesystem::exists(folder / "master.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder / "receiver-1.log"));
}

TEST_F(HeadlessRunTest, NumbersResultsInTheStoreOneAfterTheOther) {
  const std::string plan = place.plan();
  const int64_t first = place.run({"run", plan, "--json"}).result()["runs"][0]["result_id"];
  const int64_t second = place.run({"run", plan, "--json"}).result()["runs"][0]["result_id"];
  EXPECT_GT(second, first);
}

TEST_F(HeadlessRunTest, FailsWhenNobodyCanListen) {
  const BenchEnded ended = place.run({"run", place.plan(), "--json", "--set", "queue.listen=192.0.2.1:7400"});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err;
  EXPECT_EQ(ended.result()["verdict"], "failed");
  EXPECT_NE(ended.result()["reason"], "");
}

TEST_F(HeadlessRunTest, WritesFiguresInTheCLocaleWhateverTheUsersIs) {
  const BenchEnded ended = place.run({"run", place.plan(), "--json"}, {"LC_ALL=de_DE.UTF-8"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_TRUE(ended.result()["runs"][0]["latency_ns"]["mean"].is_number_float());
}

TEST_F(HeadlessRunTest, ServesLiveFiguresWhileItRuns) {
  Process bench = place.start({"run", place.plan({{"senders", {{"duration", "60s"}}}}), "--metrics", "0"});
  ASSERT_TRUE(bench.wait_err("/metrics", 20s));
  const size_t at = bench.err().find("127.0.0.1:") + 10;
  const auto port = static_cast<uint16_t>(std::stoi(bench.err().substr(at)));
  ASSERT_TRUE(bench.wait_err("received", 60s));  // a line of progress: the run has begun
  Process client({"/usr/bin/env", "bash", "-c",
                  "exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(port) +
                      "; printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3"});
  ASSERT_EQ(client.wait_exit(20s), Exit{.code = 0});
  EXPECT_THAT(client.out(), HasSubstr("application/openmetrics-text"));
  EXPECT_THAT(client.out(), ContainsRegex("n2nq_received_messages_total [1-9]"));
  EXPECT_TRUE(client.out().ends_with("# EOF\n"));
  bench.signal(SIGINT);
  EXPECT_EQ(bench.wait_exit(60s), Exit{.code = 5});
}

// The programs as the bench starts them, each with what it hears and says copied into files: NAME.PID.in, NAME.PID.out.
struct OverheardRunTest : HeadlessRunTest {
  OverheardRunTest() {
    std::filesystem::create_directory(folder);
    for (const std::string name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"}) {
      std::ofstream(folder / name) << "#!/usr/bin/env bash\nset -o pipefail\ncd '" << folder.string() << "'\ntee "
                                   << name << ".$$.in | '" << program(name) << "' \"$@\" | tee " << name << ".$$.out\n";
      std::filesystem::permissions(folder / name, std::filesystem::perms(0755));
    }
  }
  Process start_overheard(const Json& base) const {
    return place.start({"run", place.plan(base), "--json"}, {"N2NQ_PROGRAMS=" + folder.string()});
  }
  // By the program's name; `which`: "in" or "out".
  std::vector<Json> lines(const std::string& name, const std::string& which) const {
    std::vector<Json> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string file = entry.path().filename();
      if (!file.starts_with(name + ".") || !file.ends_with("." + which)) continue;
      std::ifstream text(entry.path());
      for (std::string line; std::getline(text, line);) all.push_back(Json::parse(line, nullptr, false));
    }
    return all;
  }
  static std::vector<std::string> types(const std::vector<Json>& lines) {
    std::vector<std::string> all;
    for (const Json& line : lines) all.push_back(line.is_object() ? line.value("type", "") : "not JSON");
    return all;
  }
  const std::filesystem::path folder = place / "programs";
};

TEST_F(OverheardRunTest, TheQueueSaysNothingButThatItLivesFromReadyToItsSummary) {
  Process bench = start_overheard({{"senders", {{"duration", "60s"}, {"delay", "10ms"}}}});
  const auto many = testing::Contains("telemetry").Times(testing::Ge(5));
  const auto heard_of_all = [&] {
    return testing::Value(types(lines("n2nq-broker", "out")), testing::Contains("pong")) &&
           testing::Value(types(lines("n2nq-sender", "out")), many);
  };
  const Deadline deadline(30s);
  while (!heard_of_all() && !deadline.passed() && !bench.wait_exit(Deadline::window(20ms))) {
  }
  bench.signal(SIGINT);
  ASSERT_EQ(bench.wait_exit(60s), Exit{.code = 5}) << bench.err();
  std::vector<std::string> said = types(lines("n2nq-broker", "out"));
  std::erase(said, "pong");  // as it is asked, once a second
  EXPECT_THAT(said, testing::ElementsAre("ready", "summary"));
  EXPECT_THAT(types(lines("n2nq-sender", "out")), many) << "what others say is overheard";
}

TEST_F(OverheardRunTest, ItsTokenIsInNoCommandLineAndNoEnvironment) {
  Process bench = start_overheard({{"senders", {{"messages", 200}, {"delay", "10ms"}}}});
  const auto token = [&]() -> std::string {
    for (const Json& line : lines("n2nq-broker", "in"))
      if (line.is_object() && line.value("type", "") == "hello") return line.value("token", "");
    return {};
  };
  const Deadline deadline(20s);
  while (token().empty() && !deadline.passed() && !bench.wait_exit(Deadline::window(5ms))) {
  }
  ASSERT_GE(token().size(), 16u) << bench.err();
  SecretWatch watch({token()});
  EXPECT_TRUE(watch.look_until_exit(bench, 60s));
  EXPECT_EQ(bench.wait_exit(10s), Exit{.code = 0}) << bench.err();
  EXPECT_THAT(watch.found(), testing::IsEmpty());
  EXPECT_THAT(watch.looked_at(),
              testing::IsSupersetOf({"n2nq-bench", "n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"}));
}

// Of a kind: a computer that is busy or sets its clock may add others.
Json events_of(const Json& run, const std::string& kind) {
  Json events = Json::array();
  for (const Json& event : run["events"])
    if (event["kind"] == kind) events.push_back(event);
  return events;
}

// Counted from a receiver's log: by when each message was to be sent, so that a busy machine changes nothing.
TEST_F(HeadlessRunTest, ARampHasInEachTenthOfASecondWhatItsRateAsksFor) {
  const BenchEnded ended = place.run({"run", place.plan({{"senders", {{"count", 7}}}}), "--json", "--set",
                                      "senders.shape=ramp 200/s..1,800/s over 2 s"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["sent"], 2000) << "the mean of both rates for two seconds";
  EXPECT_EQ(run["received"], 6000);
  EXPECT_TRUE(events_of(run, "limit").empty() && events_of(run, "lost").empty()) << run["events"];
  const auto logs = read_logs(run["folder"].get<std::string>(), "receiver");
  std::vector<int64_t> due;
  for (const LogRow& row : logs.at(1).rows) {
    ASSERT_TRUE(row.intended_ns && row.sent_ns);
    EXPECT_GE(*row.sent_ns, *row.intended_ns);
    due.push_back(*row.intended_ns);
  }
  std::ranges::sort(due);
  ASSERT_EQ(due.size(), 2000u);
  const auto until = [](int tenths) { return std::ceil(20.0 * tenths + 4.0 * tenths * tenths); };  // the integral
  for (int i = 0; i < 20; i++) {
    const auto before = [&](int tenths) {
      return std::ranges::count_if(due, [&](int64_t at) { return at - due.front() < tenths * 100'000'000LL; });
    };
    EXPECT_EQ(static_cast<double>(before(i + 1) - before(i)), until(i + 1) - until(i)) << "tenth " << i;
  }
}

TEST_F(HeadlessRunTest, APassedLimitIsAnEventWithItsTime) {
  const BenchEnded ended = place.run({"run", place.plan(), "--json", "--set", "limits=p50 <= 0ms", "--set",
                                      "senders.messages=1000", "--set", "senders.payload=repeated"});
  const Json events = events_of(ended.result()["runs"][0], "limit");
  ASSERT_EQ(events.size(), 1u) << events;
  EXPECT_EQ(events[0]["severity"], "warning");
  EXPECT_GT(events[0]["since_begin_ns"], 0);
  EXPECT_THAT(events[0]["text"].get<std::string>(), HasSubstr("limit exceeded: latency p50"));
}

TEST_F(HeadlessRunTest, ItsResultHasWhatTheHostDidAndSoHasAReportOnIt) {
  const BenchEnded ended =
      place.run({"run", place.plan(), "--json", "--set", "senders.messages=300", "--set", "recorder.period=100ms"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json run = ended.result()["runs"][0];
  ASSERT_EQ(run["hosts"].size(), 1u) << ended.err;
  const Json& host = run["hosts"][0];
  EXPECT_EQ(host["name"], "this computer");
  EXPECT_EQ(host["facts"]["cores"], run["machines"][0]["cores"]);
  EXPECT_EQ(host["start_ns"][0], 0);
  EXPECT_EQ(host["start_ns"].size(), host["width_ns"].size());
  std::set<std::string> processes;
  for (const Json& series : host["series"]) {
    if (series["name"] != "cpu") continue;
    EXPECT_GT(series["total"], 0) << series;
    EXPECT_EQ(series["values"].size(), host["start_ns"].size()) << series;
    processes.insert(series["subject"]);
  }
  EXPECT_EQ(processes, (std::set<std::string>{"queue", "receivers", "senders"}));
  EXPECT_GT(run["cpu_per_delivery_ns"], 0);
  const std::string report = (place.data() / "report.html").string();
  ASSERT_EQ(place.run({"report", "1", "--out", report}).exit, Exit{.code = 0});
  std::ifstream file(report);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(text, HasSubstr("Processor of the hosts"));
  EXPECT_THAT(text, HasSubstr("Smoothed round trip, mean of the connections"));
}

}  // namespace
}  // namespace n2nq::test
