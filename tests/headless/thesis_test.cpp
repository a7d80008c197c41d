// The seven cases of the thesis and the other studies in their quick variants, each to its end, with its figures
// and its findings.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/headless/bench_process.h"
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/lab/boxes.h"

namespace n2nq::test {
namespace {

using testing::AnyOf;
using testing::ContainerEq;
using testing::HasSubstr;

using Row = std::vector<std::string>;

const Row kSizes{"100B", "1kB", "2kB", "4kB", "8kB", "16kB"};
const Row kDelays{"100ms", "30ms", "10ms"};
const Row kPlaces{"both internal", "senders external", "receivers external", "both external"};
const Row kWays{"load balancer", "broadcaster, each sender to one receiver"};
const Row kAmounts{"1", "10", "20"};
const Row kFewAmounts{"1", "20"};

struct Drawn {
  std::string id{};
  Row curves{};
  Row x = kAmounts;  // empty: by percentile
};

struct ThesisCase {
  int number = 0;
  size_t points = 0;
  std::vector<Drawn> figures{};
  size_t findings = 0;
};

const ThesisCase kCases[] = {
    {.number = 1, .points = 12, .figures = {{"figure-14", kSizes, kFewAmounts}}, .findings = 4},
    {.number = 2, .points = 6, .figures = {{"figure-15", {"1", "5", "20"}, kFewAmounts}}, .findings = 2},
    {.number = 3,
     .points = 24,
     .figures = {{"figure-16", kDelays, kFewAmounts},
                 {"figure-17", kDelays, kFewAmounts},
                 {"figure-18", kDelays, kFewAmounts},
                 {"figure-19", kDelays, kFewAmounts}},
     .findings = 12},
    {.number = 4,
     .points = 12,
     .figures = {{"figure-20", {"senders", "receivers", "both"}, kFewAmounts},
                 {"figure-21", {"senders", "receivers", "both"}, kFewAmounts}},
     .findings = 9},
    {.number = 5,
     .points = 16,
     .figures = {{"figure-22", kPlaces, kFewAmounts},
                 {"figure-23", kPlaces, kFewAmounts},
                 {"figure-13", {"latency"}, {}},
                 {"figure-29", kFewAmounts, {}},
                 {"figure-30", kFewAmounts, {}}},
     .findings = 13},
    {.number = 6,
     .points = 30,
     .figures = {{"figure-24", {"off", "requests", "requests, 8 at a time", "responses"}},
                 {"figure-25", {"off", "requests", "requests, 8 at a time", "responses"}},
                 {"figure-26", {"broadcaster", "load balancer"}}},
     .findings = 7},
    {.number = 7, .points = 12, .figures = {{"figure-27", kWays}, {"figure-28", kWays}}, .findings = 9},
};

// Lines of a CSV file by its fields; those in quotation marks may have commas.
std::vector<Row> read_csv(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    Row row{""};
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        row.emplace_back();
      else if (c != '\r')
        row.back() += c;
    }
    rows.push_back(row);
  }
  return rows;
}

// Every curve has a latency that can be at every x.
void expect_amounts(const Drawn& drawn, const std::vector<Row>& rows) {
  // Where senders of some point were late, all of its curves are from the intended send.
  const auto header_of = [&drawn](const std::string& latency) {
    Row header{"services"};
    for (const std::string& curve : drawn.curves)
      header.push_back(latency + ", mean of the lowest 95 % " + curve + " [ns]");
    return header;
  };
  const Row header = rows.front();
  ASSERT_THAT(header,
              AnyOf(ContainerEq(header_of("latency")), ContainerEq(header_of("latency from the intended send"))));
  ASSERT_EQ(rows.size(), drawn.x.size() + 1);
  for (size_t i = 0; i < drawn.x.size(); i++) {
    EXPECT_EQ(rows[i + 1].front(), drawn.x[i]);
    ASSERT_EQ(rows[i + 1].size(), header.size()) << "no point is missing";
    for (size_t column = 1; column < header.size(); column++) {
      EXPECT_GT(std::strtod(rows[i + 1][column].c_str(), nullptr), 1'000) << header[column] << " at " << drawn.x[i];
      EXPECT_LT(std::strtod(rows[i + 1][column].c_str(), nullptr), 60e9) << header[column] << " at " << drawn.x[i];
    }
  }
}

// Each curve goes from the fastest message to the slowest one, and never falls.
void expect_percentiles(const Drawn& drawn, const std::vector<Row>& rows) {
  Row header{"percentile [%]"};
  for (const std::string& curve : drawn.curves) header.push_back("latency " + curve + " [ns]");
  ASSERT_THAT(rows.front(), ContainerEq(header));
  EXPECT_EQ(rows[1].front(), "0");
  EXPECT_GE(std::strtod(rows.back().front().c_str(), nullptr), 99) << "as far as there are messages";
  for (size_t column = 1; column < header.size(); column++) {
    double before = 0;
    size_t there = 0;
    for (size_t i = 1; i < rows.size(); i++) {
      if (column >= rows[i].size() || rows[i][column].empty()) continue;
      const double value = std::strtod(rows[i][column].c_str(), nullptr);
      EXPECT_GE(value, before) << header[column] << " at " << rows[i].front();
      before = value;
      there++;
    }
    EXPECT_GT(there, 2) << header[column];
    EXPECT_GT(before, 1'000) << header[column];
  }
}

struct ThesisTest : testing::TestWithParam<ThesisCase> {
  ~ThesisTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  std::filesystem::path figures() const { return place / "figures"; }
  BenchPlace place;
};

TEST_P(ThesisTest, EndsWithItsFiguresAndFindings) {
  const ThesisCase& wanted = GetParam();
  const std::string file =
      std::string(N2NQ_SOURCE_DIR) + "/resources/plans/thesis-" + std::to_string(wanted.number) + "-quick.json";
  // One repeat is all that figures take; that three are enough for findings, prospect_test.cpp holds.
  const BenchEnded ended = place.run({"campaign", file, "--repeats", "1", "--json", "--figures", figures().string()});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("3 repeats of each point"));
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "passed") << result;
  EXPECT_EQ(result["points"], wanted.points);
  EXPECT_EQ(result["completed"], wanted.points);
  EXPECT_EQ(result["failed"], 0);

  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(figures())) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, wanted.figures.size() + 2) << "the figures, findings.csv and findings.json";
  for (const Drawn& drawn : wanted.figures) {
    SCOPED_TRACE(drawn.id);
    const auto rows = read_csv(figures() / (drawn.id + ".csv"));
    ASSERT_GT(rows.size(), 1);
    drawn.x.empty() ? expect_percentiles(drawn, rows) : expect_amounts(drawn, rows);
  }

  const Json findings = result["findings"];
  EXPECT_EQ(findings["case"], wanted.number);
  EXPECT_EQ(findings["quick"], true);
  ASSERT_EQ(findings["findings"].size(), wanted.findings);
  EXPECT_THAT(findings["remarks"].dump(), HasSubstr("quick variant"));
  EXPECT_THAT(findings["remarks"].dump(), HasSubstr("not external"));
  for (const Json& one : findings["findings"]) EXPECT_THAT(one["ours"].get<std::string>(), HasSubstr(" ")) << one;
  EXPECT_EQ(read_csv(figures() / "findings.csv").size(), wanted.findings + 1);
  std::stringstream text;
  text << std::ifstream(figures() / "findings.json").rdbuf();
  EXPECT_EQ(Json::parse(text.str()), findings);
}

INSTANTIATE_TEST_SUITE_P(Quick, ThesisTest, testing::ValuesIn(kCases),
                         [](const auto& one) { return "Case" + std::to_string(one.param.number); });

struct Study {
  std::string name{};               // "seed 002"
  std::vector<std::string> sets{};  // fewer requests than it has
  size_t points = 0;
  std::vector<Drawn> figures{};  // whose curves are in the head of its file
  size_t findings = 0;
  bool contained = false;  // has processes that are held to limits
};

const Row kOverBuses{"Redis Streams", "N2NQ", "HTTP keep-alive", "HTTP fresh"};
const Row kOverConnections{"WebSocket TLS",
                           "WebSocket plain",
                           "HTTP fresh TLS",
                           "HTTP fresh plain",
                           "HTTP keep-alive TLS",
                           "HTTP keep-alive plain",
                           "N2NQ"};
const Row kRequestSizes{"1kB", "100kB"};
const Row kTwoServers{"RabbitMQ, at least once", "Kafka, at least once", "Kafka, exactly once"};
const Row kGuarantees{"at most once", "at least once"};
const Row kCompressions{"basic: 5 partitions, snappy", "no compression"};
const Row kFlushes{"basic: 5 partitions, snappy", "flush after 1"};
const Row kSystems{
    "one queue, 8 servers",     "8 partitions", "7 partitions", "20 partitions", "8 partitions, faster service",
    "16 partitions, 2 a server"};
const Row kHotKeys{"one queue, 8 servers", "Kafka, 20 partitions, equal keys", "Kafka, 20 partitions, hot key"};
const Row kTable1{"service B, 12 servers", "transformer, 12 servers", "transformer, 6 servers"};

const Study kStudies[] = {
    {.name = "seed 001",
     .sets = {"senders.duration=500ms", "warmup=0s"},
     .points = 6,
     .figures = {{"messages", kTwoServers},
                 {"p95", kTwoServers},
                 {"p99", kTwoServers},
                 {"processor", kTwoServers},
                 {"disk", kTwoServers},
                 {"equal-load", kTwoServers}},
     .findings = 5},
    {.name = "seed 001 rabbitmq",
     .sets = {"senders.duration=500ms"},
     .points = 4,
     .figures = {{"figure-5-13", kGuarantees},
                 {"figure-5-14", kGuarantees},
                 {"figure-5-15", kGuarantees},
                 {"figure-5-16", kGuarantees},
                 {"figure-5-16-p99", kGuarantees}},
     .findings = 8},
    {.name = "seed 001 kafka",
     .sets = {"senders.duration=200ms"},  // one point flushes each batch, and disks may be slow
     .points = 6,
     .figures = {{"figure-5-1", {"messages sent 1"}},
                 {"figure-5-2", {"mean 1"}},
                 {"figure-5-3", {"message 1"}},
                 {"figure-5-4", {"below 1"}},
                 {"figure-5-4-p99", {"below 1"}},
                 {"figure-5-8", kCompressions},
                 {"figure-5-9", kCompressions},
                 {"figure-5-10", kCompressions},
                 {"figure-5-11", kFlushes},
                 {"figure-5-12", kFlushes}},
     .findings = 5},
    {.name = "thesis containers",
     .sets = {"senders.messages=20"},
     .points = 16,
     .figures = {{"containers-broadcaster", {"one process", "a process each", "a container each", "external hosts"}},
                 {"containers-balancer", {"one process", "a process each", "a container each", "external hosts"}}},
     .findings = 2,
     .contained = true},
    {.name = "seed 002",
     .sets = {"senders.duration=200ms"},
     .points = 16,
     .figures = {{"figure-5", kOverBuses},
                 {"figure-5-intended", kOverBuses},
                 {"figure-5-percentiles", kOverBuses},
                 {"figure-8", {"1", "4"}},
                 {"figure-8-ways", kOverBuses}},
     .findings = 6},
    {.name = "seed 002 resources",
     .sets = {"senders.duration=500ms"},
     .points = 4,
     .figures = {{"figure-6", {"1", "4"}},
                 {"figure-6-response", {"1GiB", "4GiB"}},
                 {"figure-6-bus", {"1GiB", "4GiB"}},
                 {"figure-7", {"1GiB", "4GiB"}},
                 {"figure-7-response", {"1", "4"}},
                 {"figure-7-bus", {"1", "4"}}},
     .findings = 4,
     .contained = true},
    {.name = "seed 003",
     .sets = {"senders.messages=20"},
     .points = 14,
     .figures = {{"figure-5-19-1kB", kOverConnections},
                 {"figure-5-19-100kB", kOverConnections},
                 {"boxes-1kB", kOverConnections},
                 {"boxes-100kB", kOverConnections},
                 {"sizes", kOverConnections},
                 {"figure-5-3-network", kRequestSizes},
                 {"figure-5-3-tcp", kRequestSizes},
                 {"figure-5-3-application", kRequestSizes}},
     .findings = 13},
    {.name = "seed 003 day",
     .sets = {"senders.messages=5"},
     .points = 6,
     .figures = {{"figure-5-12", {"turnaround"}},
                 {"figure-5-16-1kB", {"25ms", "100ms", "400ms"}},
                 {"figure-5-16-100kB", {"25ms", "100ms", "400ms"}},
                 {"figure-5-14", {"1kB", "100kB"}},
                 {"intervals", {"1kB", "100kB"}}},
     .findings = 4},
    {.name = "seed 004",
     .sets = {"senders.duration=1500ms"},
     .points = 11,
     .figures = {{"waiting-5-1", kSystems},
                 {"in-system-5-1", kSystems},
                 {"figure-9", {"one queue, 8 servers", "8 partitions", "16 partitions, 2 a server"}},
                 {"unequal", {"8 queues, the shortest", "16 partitions, 3 on one server"}},
                 {"table-1-wq", kTable1},
                 {"table-1-ws", kTable1}},
     .findings = 13},
    {.name = "seed 004 kafka",
     .sets = {"senders.duration=3s"},
     .points = 3,
     .figures = {{"hot-key", kHotKeys}, {"hot-key-count", kHotKeys}},
     .findings = 3},
};

struct StudyTest : testing::TestWithParam<Study> {
  static void SetUpTestSuite() { put_servers_into_path(); }
  ~StudyTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  std::filesystem::path figures() const { return place / "figures"; }
  BenchPlace place;
};

TEST_P(StudyTest, EndsWithItsFiguresAndFindings) {
  const Study& wanted = GetParam();
  std::string name = wanted.name;
  std::ranges::replace(name, ' ', '-');
  std::vector<std::string> command{"campaign",        N2NQ_SOURCE_DIR "/resources/plans/" + name + "-quick.json",
                                   "--repeats",       "1",
                                   "--json",          "--figures",
                                   figures().string()};
  for (const std::string& set : wanted.sets) command.insert(command.end(), {"--set", set});
  std::optional<Boxes> boxes;
  if (wanted.contained) {
    if (const auto why = Boxes::why_not()) GTEST_SKIP() << *why;
    boxes.emplace();
  }
  const BenchEnded ended = place.run(command, boxes ? boxes->environment() : std::vector<std::string>());
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "passed") << result;
  EXPECT_EQ(result["completed"], wanted.points);
  for (const Drawn& drawn : wanted.figures) {
    SCOPED_TRACE(drawn.id);
    std::stringstream text;
    text << std::ifstream(figures() / (drawn.id + ".csv")).rdbuf();
    for (const std::string& curve : drawn.curves) EXPECT_THAT(text.str(), HasSubstr(curve));
    EXPECT_GT(std::ranges::count(text.str(), '\n'), 1);
  }
  const Json findings = result["findings"];
  EXPECT_EQ(findings["case"], wanted.name);
  EXPECT_EQ(findings["findings"].size(), wanted.findings);
  for (const Json& one : findings["findings"]) EXPECT_THAT(one["ours"].get<std::string>(), HasSubstr(" ")) << one;
}

INSTANTIATE_TEST_SUITE_P(Quick, StudyTest, testing::ValuesIn(kStudies), [](const auto& one) {
  std::string name = one.param.name;
  std::erase(name, ' ');
  return name;
});

}  // namespace
}  // namespace n2nq::test
