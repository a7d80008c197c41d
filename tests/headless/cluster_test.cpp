// Runs with several servers of their own, of which some are killed. Judged by what the others write into their logs.
#include <algorithm>
#include <fstream>
#include <ostream>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct ClusterCase {
  std::string kind;
  Json settings;
  const char* told;                          // by those that are left; {} is the number of the dead one
  const char* lost = "cannot be reached: ";  // how links end once none is left
};

std::ostream& operator<<(std::ostream& out, const ClusterCase& one) {
  return out << one.kind;
}

constexpr int kCopies = 2;  // to both receivers

struct Cluster : ForeignBus, testing::WithParamInterface<ClusterCase> {
  Json plan(const char* kill, const char* length) const {
    Json plan = base({}, GetParam().kind);
    plan["bus"].update(GetParam().settings);
    plan["bus"].update({{"servers", 3}, {"kill", kill}});
    plan["senders"] = {{"count", 2}, {"duration", length}, {"delay", "10ms"}};
    plan["receivers"] = {{"count", 2}};
    plan["log"] = "summary";
    return plan;
  }
  Json run_to_any_end(const Json& plan) const {
    return place.run({"run", place.plan(plan), "--json"}).result()["runs"][0];
  }
  static std::string number_of(const Json& outage) { return outage["server"].get<std::string>().substr(7, 1); }
  static std::string logs_without(const std::string& dead, const std::string& folder) {
    std::string told;
    for (const char* number : {"1", "2", "3"}) {
      if (number == dead) continue;
      const std::string name = number == std::string("1") ? "server" : std::string("server-") + number;
      std::ifstream log(folder + "/" + name + ".log");
      told += std::string{std::istreambuf_iterator<char>(log), {}};
    }
    return told;
  }
};

// The plan that is shipped, with the options that the documents give for these buses, but shorter.
struct LedCluster : Cluster {
  Json run_shipped() const {
    std::vector<std::string> command{"run", N2NQ_SOURCE_DIR "/resources/plans/kill-leader.json", "--json"};
    std::vector<std::string> sets{
        "bus.kind=" + GetParam().kind, "bus.kill=leader:2s", "warmup=0s",         "senders.count=2",
        "senders.duration=14s",        "senders.delay=10ms", "receivers.count=2", "log=full"};
    if (GetParam().kind == "rabbitmq") sets.insert(sets.begin() + 1, "bus.queue_type=quorum");
    for (const std::string& set : sets) command.insert(command.end(), {"--set", set});
    const BenchEnded ended = place.run(command);
    EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
    return ended.result()["runs"][0];
  }
  // As the receivers' logs have it: the longest time from then on without a delivery to any of them.
  static int64_t longest_silence_ns(const Json& run, int64_t from_ns) {
    std::vector<int64_t> times;
    for (const auto& [number, log] : read_logs(run["folder"].get<std::string>(), "receiver")) {
      int64_t origin_ns = 0;
      for (const std::string& line : log.header)
        if (const size_t at = line.find("origin_monotonic_ns="); at != std::string::npos)
          origin_ns = std::stoll(line.substr(line.find('=', at) + 1));
      for (const LogRow& row : log.rows)
        if (!row.flagged("duplicate")) times.push_back(row.received_ns.value() - origin_ns);
    }
    std::erase_if(times, [from_ns](int64_t time) { return time < from_ns; });
    times.push_back(from_ns);
    std::ranges::sort(times);
    int64_t longest_ns = 0;
    for (size_t i = 1; i < times.size(); i++) longest_ns = std::max(longest_ns, times[i] - times[i - 1]);
    return longest_ns;
  }
};
struct NumberedCluster : Cluster {};
struct AnyCluster : Cluster {};

TEST_P(LedCluster, MayLoseItsLeaderAndNothingOfWhatItAccepted) {
  const Json run = run_shipped();
  EXPECT_EQ(run["verdict"], "passed") << run;
  EXPECT_EQ(run["sent"], 2800);
  EXPECT_EQ(run["lost"], 0);
  expect_exact(run, kCopies);
  // What nobody takes is tried again one by one, where the client does not do so itself.
  EXPECT_GT(run["accepted"].get<int>(), 2600) << run;
  ASSERT_EQ(run["outages"].size(), 1u) << run["events"];
  const Json outage = run["outages"][0];
  EXPECT_TRUE(outage["killed"]);
  EXPECT_GE(outage["at_ns"], 2'000'000'000) << "not before it was to be";
  // That a server is dead the others know after some seconds; over RabbitMQ by their connections, at once.
  EXPECT_GT(outage["gap_ns"], GetParam().kind == "rabbitmq" ? -1 : 1'000'000'000);
  const int64_t within_ns = 3 * outage["within_ns"].get<int64_t>();
  EXPECT_NEAR(outage["gap_ns"], longest_silence_ns(run, outage["at_ns"]), static_cast<double>(within_ns));
  EXPECT_GT(outage["answer_gap_ns"], GetParam().kind == "jetstream" ? 1'000'000'000 : -1) << "one stream, one leader";
  // Nothing where messages were late, or fewer, to the end of the run.
  if (!outage["flows_after_ns"].is_null()) {
    EXPECT_GE(outage["flows_after_ns"], outage["gap_ns"].get<int64_t>() - 200'000'000);
  }
  ASSERT_THAT(outage["server"].get<std::string>(), testing::MatchesRegex("server [123] \\(leader\\)"));
  std::string told = GetParam().told;
  if (const size_t at = told.find("{}"); at != std::string::npos) told.replace(at, 2, number_of(outage));
  EXPECT_THAT(logs_without(number_of(outage), run["folder"]), HasSubstr(told));
  EXPECT_THAT(run["events"].dump(), HasSubstr(outage["server"].get<std::string>() + ": killed"));
}

// The second is asked for while the first still is.
TEST_F(Cluster, LeadersAreKilledOneAfterTheOther) {
  Json plan = base({}, "jetstream");
  plan["bus"].update({{"servers", 5}, {"replicas", 5}, {"kill", "leader:2s, leader:2100ms"}});
  plan["senders"] = {{"count", 1}, {"duration", "16s"}, {"delay", "20ms"}};
  plan["receivers"] = {{"count", 1}};
  const Json run = run_to_any_end(plan);
  ASSERT_EQ(run["outages"].size(), 2u) << run["events"];
  EXPECT_NE(run["outages"][0]["server"], run["outages"][1]["server"]);
  expect_exact(run, 1);
}

// A server that need not lead is killed, also of a kind that knows no leader, and with what was in it: each message is
// accounted for. Not over Kafka and RabbitMQ, whose leaders LedCluster kills.
TEST_P(NumberedCluster, GoesOnWithoutOneOfItsServers) {
  const Json run = run_to_any_end(plan("1:2s", "6s"));
  EXPECT_EQ(run["sent"], 1200);
  if (!run["accepted"].is_null())
    expect_exact(run, kCopies);
  else
    EXPECT_EQ(run["received"].get<int>() + run["lost"].get<int>(), 2400) << run;
  EXPECT_GT(run["received"].get<int>(), kCopies * 1000) << run;
  EXPECT_EQ(run["verdict"], run["lost"] == 0 ? "passed" : "failed") << run;
  ASSERT_EQ(run["outages"].size(), 1u) << run["events"];
  EXPECT_EQ(run["outages"][0]["server"], "server 1");
  EXPECT_FALSE(run["outages"][0]["gap_ns"].is_null()) << "others go on";
  EXPECT_EQ(run["outages"][0]["answer_gap_ns"].is_null(), run["accepted"].is_null()) << run["outages"];
}

TEST_P(AnyCluster, EndsTheRunByWordsWithTheLastOfItsServers) {
  const BenchEnded ended = place.run({"run", place.plan(plan("1:1s, 2:1500ms, 3:2s", "5min")), "--json"});
  EXPECT_NE(ended.exit, Exit{.code = 0});
  EXPECT_THAT(ended.err, HasSubstr("queue: all servers of this run have ended, the last one as it was killed"));
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["verdict"], "failed");
  const std::string reason = run["reason"].get<std::string>();
  // A queue without a majority of its servers may refuse a message before the last of them ends.
  const bool refused =
      reason.starts_with("senders: ") && reason.find("refuses a message (basic.nack): ") != std::string::npos;
  EXPECT_THAT(reason, HasSubstr(refused ? "; then: the RabbitMQ cluster at " : "has ended: "));
  EXPECT_THAT(reason, HasSubstr(GetParam().lost));
}

const ClusterCase kKafkaCluster{.kind = "kafka",
                                .settings = {{"replicas", 3}},
                                .told = "Fencing broker {}",
                                .lost = "the connection to the Kafka cluster"};
const ClusterCase kJetStreamCluster{
    .kind = "jetstream", .settings = {{"replicas", 3}}, .told = "JetStream cluster new stream leader for '$G > n2nq_"};
const ClusterCase kRabbitCluster{.kind = "rabbitmq",
                                 .settings = {{"queue_type", "quorum"}, {"replicas", 3}},
                                 .told = "candidate -> leader in term: 2"};
const ClusterCase kNatsCluster{.kind = "nats", .settings = Json::object(), .told = ""};

const auto kNameOfCluster = [](const testing::TestParamInfo<ClusterCase>& info) { return info.param.kind; };
INSTANTIATE_TEST_SUITE_P(Buses, LedCluster, testing::Values(kKafkaCluster, kJetStreamCluster, kRabbitCluster),
                         kNameOfCluster);
INSTANTIATE_TEST_SUITE_P(Buses, NumberedCluster, testing::Values(kJetStreamCluster, kNatsCluster), kNameOfCluster);
INSTANTIATE_TEST_SUITE_P(Buses, AnyCluster,
                         testing::Values(kJetStreamCluster, kKafkaCluster, kNatsCluster, kRabbitCluster),
                         kNameOfCluster);

}  // namespace
}  // namespace n2nq::test
