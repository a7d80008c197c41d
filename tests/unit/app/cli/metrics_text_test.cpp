#include "app/cli/metrics_text.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

namespace n2nq::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// Holds the text against the rules of OpenMetrics: families once and whole, samples under their family, the end.
void expect_open_metrics(const std::string& text) {
  static const std::regex kType("# TYPE ([a-z][a-z0-9_]*) (counter|gauge|summary|info|stateset)");
  static const std::regex kSample(
      R"re(([a-z][a-z0-9_]*)(\{[a-z_0-9]+="([^"\\\n]|\\.)*"(,[a-z_0-9]+="([^"\\\n]|\\.)*")*\})? -?[0-9.e+-]+)re");
  const std::map<std::string, std::set<std::string>> suffixes{{"counter", {"_total"}},
                                                              {"gauge", {""}},
                                                              {"summary", {"", "_count", "_sum"}},
                                                              {"info", {"_info"}},
                                                              {"stateset", {""}}};
  std::set<std::string> families;
  std::string family;
  std::string type;
  std::string last;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); last = line) {
    ASSERT_NE(last, "# EOF");
    std::smatch match;
    if (std::regex_match(line, match, kType)) {
      family = match[1];
      type = match[2];
      EXPECT_TRUE(families.insert(family).second) << line;
    } else if (line.starts_with("# UNIT ")) {
      EXPECT_TRUE(family.ends_with("_" + line.substr(line.rfind(' ') + 1))) << line;
    } else if (line.starts_with("# HELP ")) {
      EXPECT_TRUE(line.starts_with("# HELP " + family + " ")) << line;
    } else if (line != "# EOF") {
      ASSERT_TRUE(std::regex_match(line, match, kSample)) << line;
      const std::string name = match[1];
      ASSERT_TRUE(name.starts_with(family)) << line;
      EXPECT_TRUE(suffixes.at(type).contains(name.substr(family.size()))) << line;
    }
  }
  EXPECT_EQ(last, "# EOF");
  EXPECT_TRUE(text.ends_with("# EOF\n"));
}

control::Telemetry telemetry(Role role, int64_t count) {
  control::Telemetry line{.role = role, .sequence = 1, .time_ns = 1'000'000'000, .interval_ns = 1'000'000'000};
  line.totals.count = count;
  line.totals.bytes = 100 * count;
  line.process.cpu_ns = 1'500'000'000;
  return line;
}

std::string text_of(const live::LiveFigures& live, const plan::RunPlan& plan = {}) {
  const record::RunRecord record{.plan = plan};
  const figures::RunningView run(record, {}, live, figures::Stage::going_on);
  return metrics_text(MetricsView{.state = run::State::running, .run = &run});
}

TEST(MetricsText, SaysThatThereIsNoRun) {
  const std::string text = metrics_text(MetricsView{});
  expect_open_metrics(text);
  EXPECT_THAT(text, HasSubstr("n2nq_run_state{n2nq_run_state=\"idle\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("n2nq_sent")));
}

TEST(MetricsText, HasTheFiguresOfTheRun) {
  record::RunRecord record;
  record.totals.planned = 100;
  record.plan.name = "odd \"name\"\\\n";
  live::LiveFigures live(2, 3);
  const uint32_t senders = live.add_worker(Role::sender, 1, 2);
  const uint32_t receivers = live.add_worker(Role::receiver, 1, 3);
  live.begin(senders, 0);
  live.begin(receivers, 0);
  live.take(senders, telemetry(Role::sender, 14));
  live.take(receivers, telemetry(Role::receiver, 42));
  const figures::RunningView run(record, {}, live, figures::Stage::going_on);
  const std::string text = metrics_text(MetricsView{.state = run::State::running,
                                                    .number = 1,
                                                    .runs = 2,
                                                    .run = &run,
                                                    .elapsed_ns = 1'500'000'000,
                                                    .expected_deliveries = {}});
  expect_open_metrics(text);
  for (const char* line :
       {"n2nq_run_state{n2nq_run_state=\"running\"} 1\n", "n2nq_run_state{n2nq_run_state=\"idle\"} 0\n",
        "n2nq_run_number 1\n", "n2nq_planned_messages 100\n", "n2nq_run_elapsed_seconds 1.5\n",
        "n2nq_sent_messages_total 14\n", "n2nq_received_messages_total 42\n", "n2nq_lost_messages_total 0\n",
        "n2nq_received_bytes_total 4200\n", "n2nq_received_bytes_per_second 4200\n", "n2nq_latency_seconds_count 0\n",
        "n2nq_process_cpu_seconds_total{process=\"senders 1-2\",role=\"sender\"} 1.5\n",
        "name=\"odd \\\"name\\\"\\\\\\n\""})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, Not(HasSubstr("expected_deliveries")));
}

TEST(MetricsText, LeavesOutWhatTheBusCannotKnow) {
  plan::RunPlan plan;
  const live::LiveFigures live(1, 1);
  const auto text = [&] { return text_of(live, plan); };
  const auto has = [](const char* name) { return HasSubstr(std::string("n2nq_") + name + "_messages_total 0\n"); };
  for (const char* name : {"lost", "redelivered", "accepted", "duplicate"}) EXPECT_THAT(text(), has(name));
  for (const plan::Mode mode : {plan::Mode::load_balancer, plan::Mode::request_reply}) {
    plan.queue.mode = mode;
    EXPECT_THAT(text(), Not(has("lost"))) << "the queue tells it at the end";
  }
  plan.queue.mode = plan::Mode::broadcaster;
  plan.bus.kind = "http";
  for (const char* name : {"lost", "redelivered"}) EXPECT_THAT(text(), Not(has(name)));
  for (const char* name : {"accepted", "duplicate"}) EXPECT_THAT(text(), has(name));
  plan.bus.kind = "websocket";
  EXPECT_THAT(text(), Not(has("accepted"))) << "it does not answer";
  EXPECT_THAT(text(), Not(HasSubstr("n2nq_publish_seconds")));
  plan.bus.kind = "http";
  EXPECT_THAT(text(), HasSubstr("n2nq_publish_seconds_count 0\n"));
}

// Everything that a recorder can tell of, with a figure in each column.
control::Recorded everything_recorded() {
  control::Recorded line{.sequence = 1, .time_ns = 1'000'000'000};
  const auto filled = [](control::RecordedOf of) {
    return control::HostValues(control::columns_of(of).size(), 2'000'000'000);
  };
  line.host = filled(control::RecordedOf::host);
  line.processes = {{.name = "queue", .values = filled(control::RecordedOf::process)},
                    {.name = "senders", .values = filled(control::RecordedOf::process)}};
  line.connections = {{.name = "queue", .values = filled(control::RecordedOf::connections)}};
  return line;
}

TEST(MetricsText, HasWhatTheHostsDo) {
  live::LiveFigures live(1, 1);
  live.hosts().add("vm1");
  live.hosts().add("vm2");
  control::Recorded line = everything_recorded();
  live.hosts().take("vm1", line);
  line.host[control::at(control::kHostColumns, "disk_read")] = control::kNoFigure;
  live.hosts().take("vm2", line);
  const std::string text = text_of(live);
  expect_open_metrics(text);
  for (const char* sample :
       {"n2nq_host_cpu_user_seconds_total{host=\"vm1\"} 2\n", "n2nq_host_cpu_user_seconds_total{host=\"vm2\"} 2\n",
        "n2nq_host_memory_used_bytes{host=\"vm1\"} 2e+09\n", "n2nq_host_disk_read_bytes_total{host=\"vm1\"} 2e+09\n",
        "n2nq_recorded_process_cpu_seconds_total{host=\"vm2\",process=\"senders\"} 2\n",
        "n2nq_tcp_rtt_seconds{host=\"vm1\",side=\"queue\"} 2\n",
        "n2nq_tcp_cwnd_segments{host=\"vm1\",side=\"queue\"} 2e+09\n",
        "n2nq_tcp_delivery_rate_bytes_per_s{host=\"vm1\",side=\"queue\"} 2e+09\n"})
    EXPECT_THAT(text, HasSubstr(sample));
  EXPECT_THAT(text, Not(HasSubstr("n2nq_host_disk_read_bytes_total{host=\"vm2\"}"))) << "it is not known";
}

TEST(MetricsText, TheDashboardNamesOnlyWhatIsExported) {
  plan::RunPlan plan;
  live::LiveFigures live(1, 1);
  const uint32_t senders = live.add_worker(Role::sender, 1, 1);
  const uint32_t receivers = live.add_worker(Role::receiver, 1, 1);
  for (const uint32_t worker : {senders, receivers}) live.begin(worker, 0);
  control::Telemetry line = telemetry(Role::receiver, 42);
  line.histograms = {{.name = "latency_ns",
                      .moments = {.count = 1, .min = 7, .max = 7, .sum = 7, .sum_squares = 49},
                      .buckets = {{.index = 7, .count = 1}}}};
  live.take(senders, telemetry(Role::sender, 42));
  live.take(receivers, line);
  live.hosts().take("vm1", everything_recorded());
  const std::string exported = text_of(live, plan);
  std::ifstream file(N2NQ_SOURCE_DIR "/resources/grafana/n2nq-bench.json");
  const std::string dashboard((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(nlohmann::json::parse(dashboard, nullptr, false).is_discarded());
  static const std::regex kName("n2nq_[a-z0-9_]+");
  std::set<std::string> names;
  for (auto at = std::sregex_iterator(dashboard.begin(), dashboard.end(), kName); at != std::sregex_iterator(); ++at)
    names.insert(at->str());
  EXPECT_GT(names.size(), 20u);
  for (const std::string& name : names)
    EXPECT_TRUE(exported.find("\n" + name + "{") != std::string::npos ||
                exported.find("\n" + name + " ") != std::string::npos)
        << name;
}

TEST(MetricsText, HoldsNeitherPathsNorAddresses) {
  plan::RunPlan plan;
  plan.queue.token_file = "/secret/token";
  plan.queue.listen = "10.1.2.3:7400";
  plan.senders.fleet.attach = "10.1.2.4:7500";
  const live::LiveFigures live(1, 1);
  const std::string text = text_of(live, plan);
  EXPECT_THAT(text, Not(HasSubstr("secret")));
  EXPECT_THAT(text, Not(HasSubstr("10.1.2")));
}

}  // namespace
}  // namespace n2nq::cli
