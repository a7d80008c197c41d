// Runs over Kafka without a window: with a server that is started for the run, and with the user's own. Judged by the
// programs that come with the server.
#include <fstream>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct Kafka : ForeignBus {
  Json kafka(const std::string& address = {}) const { return base(address, "kafka"); }
  static std::string topic_of(const KafkaServer& server) {
    const std::string there = server.of_runs();
    return there.substr(0, there.find('\n'));
  }
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

TEST_F(Kafka, LeavesNothingAtAServerOfTheUsersOwn) {
  KafkaServer server;
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
    EXPECT_EQ(run["received"], mode == "broadcaster" ? 600 : 200);
    EXPECT_EQ(run["duplicates"], 0);
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
  const int accepted = run["accepted"], unknown = run["unanswered"].get<int>() + run["refused"].get<int>();
  EXPECT_EQ(run["sent"], accepted + unknown);
  EXPECT_GT(unknown, 0);
  EXPECT_TRUE(run["outages"][0]["gap_ns"].is_null()) << "nothing came any more";
  EXPECT_TRUE(run["outage_ns"].is_null());
  EXPECT_EQ(run["received"].get<int>() - run["unanswered_received"].get<int>() - run["refused_received"].get<int>() +
                run["lost"].get<int>(),
            accepted)
      << run;
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
  EXPECT_EQ(run["sent"].get<int>(),
            run["accepted"].get<int>() + run["refused"].get<int>() + run["unanswered"].get<int>());
  EXPECT_GT(run["accepted"].get<int>(), 0);
  server.start();
  EXPECT_GE(server.messages_in(topic_of(server)), run["accepted"].get<int>());
}

TEST_F(Kafka, EndsWhenSomebodyRemovesItsTopic) {
  KafkaServer server;
  Json plan = kafka(server.address());
  plan["senders"] = {{"count", 2}, {"messages", 100000}, {"delay", "1ms"}};
  plan["bus"]["delivery_timeout"] = "3s";
  Process bench = place.start({"run", place.plan(plan), "--json"});
  ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  server.remove(topic_of(server));
  ASSERT_TRUE(bench.wait_exit(90s)) << bench.err();
  const Json run = Json::parse(bench.out())["runs"][0];
  EXPECT_EQ(run["verdict"], "failed");
  EXPECT_THAT(bench.err(), HasSubstr("removed"));
  EXPECT_EQ(run["sent"].get<int>(),
            run["accepted"].get<int>() + run["refused"].get<int>() + run["unanswered"].get<int>());
}

}  // namespace
}  // namespace n2nq::test
