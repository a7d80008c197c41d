// Runs over Kafka without a window: with a server that is started for the run, and with the user's own. Judged by the
// programs that come with the server.
#include <fstream>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct Kafka : ForeignBus {
  Json kafka(const std::string& address = {}) const { return base(address, "kafka"); }
};

TEST_F(Kafka, StartsAServerForTheRunAndMeasuresItsProcesses) {
  const Json run = this->run(kafka());
  expect_all_came(run, "kafka");
  EXPECT_THAT(run["server"].get<std::string>(), testing::MatchesRegex("Kafka [0-9]+\\..*"));
  EXPECT_THAT(run["client"].get<std::string>(), HasSubstr("librdkafka 2."));
  EXPECT_FALSE(run["cpu_per_delivery_ns"].is_null());
  EXPECT_EQ(run["publish_ns"]["count"], 200);
  EXPECT_EQ(run["kept_in"], "page cache");
  EXPECT_EQ(run["bus_settings"]["linger"], "5ms") << run["bus_settings"];
  EXPECT_EQ(lines_of(run["folder"], "receiver"), 600u);
  std::ifstream log(run["folder"].get<std::string>() + "/server.log");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(log), {}}), HasSubstr("Kafka Server started"));
}

TEST_F(Kafka, CountsAsItsServerDoesAndLeavesNothingThere) {
  KafkaServer server("log.segment.delete.delay.ms=600000");  // files of a topic that is gone
  KafkaServer::Counts before;
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    SCOPED_TRACE(mode);
    Json plan = kafka(server.address());
    plan["queue"] = {{"mode", mode}};
    plan["bus"]["partitions"] = 3;
    plan["bus"]["flush_interval"] = "10ms";
    plan["bus"]["flush_messages"] = 50;
    const Json run = this->run(plan);
    EXPECT_EQ(run["verdict"], "passed") << run;
    EXPECT_EQ(run["kept_in"], "file (fsync every 10ms)");
    EXPECT_EQ(run["accepted"], 200);
    const int64_t deliveries = mode == "broadcaster" ? 600 : 200;
    EXPECT_EQ(run["received"], deliveries);
    EXPECT_EQ(run["duplicates"], 0);
    const KafkaServer::Counts now = server.counts();
    EXPECT_EQ(now.messages - before.messages, 200);
    EXPECT_EQ(now.committed - before.committed, deliveries);
    before = now;
    EXPECT_TRUE(run["cpu_per_delivery_ns"].is_null()) << "nobody knows what its processes take";
    EXPECT_EQ(server.of_runs(), "");
  }
}

TEST_F(Kafka, KnowsOfNoneThatItIsAcceptedWithoutAcks) {
  Json plan = kafka(shared_server("kafka").address());
  plan["bus"]["acks"] = "0";
  const Json run = this->run(plan);
  expect_all_came(run, "kafka", /*answers=*/false);
  EXPECT_TRUE(run["publish_ns"].is_null());
}

// Without replicas what the dead one had is lost, and nobody answers for the rest: each message is one or the other.
TEST_F(Kafka, SaysWhatIsLostWithAServerThatAloneHadIt) {
  Json plan = kafka();
  plan["bus"].update({{"servers", 2}, {"partitions", 1}, {"delivery_timeout", "1s"}, {"kill", "leader:1s"}});
  plan["senders"] = {{"count", 1}, {"duration", "4s"}, {"delay", "10ms"}};
  plan["receivers"] = {{"count", 1}};
  const Json run = this->run(plan, 1);
  EXPECT_EQ(run["verdict"], "failed");
  expect_exact(run, 1);
  EXPECT_GT(run["unanswered"].get<int>() + run["refused"].get<int>(), 0);
  EXPECT_TRUE(run["outages"][0]["gap_ns"].is_null()) << "nothing came any more";
  EXPECT_TRUE(run["outage_ns"].is_null());
}

// What its topic has after a restart is at least what was accepted.
TEST_F(Kafka, LosesNothingOfWhatItAcceptedWhenItIsKilled) {
  KafkaServer server;
  Json plan = kafka(server.address());
  plan["queue"] = {{"mode", "load-balancer"}};
  plan["senders"] = {{"count", 2}, {"messages", 100000}, {"delay", "1ms"}};
  plan["receivers"] = {{"count", 2}, {"service_time", "5ms"}};
  plan["bus"].update({{"quiet", "200ms"}, {"session_timeout", "1s"}, {"commit_interval", "100ms"}});
  const Json run = run_until_killed(plan, server);
  expect_exact(run, 1);
  EXPECT_GT(run["accepted"].get<int>(), 0);
  server.start();
  EXPECT_GE(server.messages_in(server.topic_of_run()), run["accepted"].get<int>());
}

}  // namespace
}  // namespace n2nq::test
