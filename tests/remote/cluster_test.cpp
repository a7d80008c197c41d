// Runs whose servers are a cluster on several hosts (bus.hosts). Judged by what each server writes into its own log,
// and by where it listens.
#include <signal.h>

#include <fstream>
#include <ostream>

#include "tests/helpers/bus_servers.h"
#include "tests/helpers/lab/lab.h"
#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

struct FarClusterCase {
  const char* kind;
  Json settings;
  const char* told;  // by servers that are left, of one that is dead; {} is its number
  const char* mode = "broadcaster";
};

std::ostream& operator<<(std::ostream& out, const FarClusterCase& one) {
  return out << one.kind;
}

struct FarClusterRun : RemoteTest {
  static void SetUpTestSuite() { put_servers_into_path(); }

  // With its servers in the PATH, and few ports.
  Json host(const std::string& name) const {
    Json host = command_host(name);
    host["data_ports"] = "7431-7460";
    return host;
  }
  std::vector<std::string> all_hosts() const { return hosts({host("vm1"), host("vm2"), host("vm3"), host("gate")}); }
  // The queue and the senders are beside none of the servers, the receivers beside one.
  static Json plan(const std::string& kind, const Json& settings, const std::string& hosts) {
    Json bus{{"kind", kind}, {"servers", 3}, {"hosts", hosts}};
    bus.update(settings);
    return {{"bus", bus},
            {"queue", {{"host", "gate"}}},
            {"senders", {{"count", 2}, {"hosts", {"gate"}}, {"duration", "12s"}, {"delay", "10ms"}}},
            {"receivers", {{"count", 2}, {"hosts", {"vm1"}}}},
            {"log", "summary"}};
  }
  static std::string log_of(const Json& run, int number) {
    std::ifstream log(run["folder"].get<std::string>() + "/server" + (number == 1 ? "" : "-" + std::to_string(number)) +
                      ".log");
    return {std::istreambuf_iterator<char>(log), {}};
  }
  static Json first_run(const BenchEnded& ended) { return ended.result()["runs"][0]; }
};

struct FarCluster : FarClusterRun, testing::WithParamInterface<FarClusterCase> {};

TEST_P(FarCluster, IsOnHostsOfItsOwnAndMayLoseItsLeader) {
  Json plan = this->plan(GetParam().kind, GetParam().settings, "vm1, vm2, vm3");
  plan["queue"]["mode"] = GetParam().mode;
  plan["bus"]["kill"] = "leader:2s";
  const BenchEnded ended = run(plan, all_hosts());
  ASSERT_PASSED(ended);
  const Json run = first_run(ended);
  EXPECT_EQ(run["sent"], 2400);
  EXPECT_EQ(run["lost"], 0);
  EXPECT_THAT(run_log(), ContainsRegex("cluster of the run: [^\n]* at 10.78.0.11:74[3-6][0-9],10.78.0.12:74[3-6][0-9],"
                                       "10.78.0.13:74[3-6][0-9]"));
  ASSERT_EQ(run["outages"].size(), 1u) << run["events"];
  const Json outage = run["outages"][0];
  EXPECT_TRUE(outage["killed"]);
  EXPECT_GE(outage["at_ns"], 2'000'000'000);
  ASSERT_THAT(outage["server"].get<std::string>(), testing::MatchesRegex("server [123] \\(leader\\)"));
  const std::string dead = outage["server"].get<std::string>().substr(7, 1);
  std::string told = GetParam().told, left;
  if (const size_t at = told.find("{}"); at != std::string::npos) told.replace(at, 2, dead);
  for (const int number : {1, 2, 3}) {
    EXPECT_NE(log_of(run, number), "") << "the log of server " << number << " did not come home";
    if (std::to_string(number) != dead) left += log_of(run, number);
  }
  EXPECT_THAT(left, HasSubstr(told));
  EXPECT_GT(run["cpu_per_delivery_ns"], 0) << "with servers beside receivers too";
  std::set<std::string> places;
  for (const Json& machine : run["machines"]) places.insert(machine["place"]);
  EXPECT_THAT(places, testing::ElementsAre("gate", "vm1", "vm2", "vm3"));
}

INSTANTIATE_TEST_SUITE_P(Buses, FarCluster,
                         testing::Values(
                             FarClusterCase{
                                 "jetstream", {{"replicas", 3}}, "JetStream cluster new stream leader for '$G > n2nq_"},
                             FarClusterCase{"kafka", {{"replicas", 3}, {"partitions", 3}}, "Fencing broker {}"},
                             FarClusterCase{"rabbitmq",
                                            {{"queue_type", "quorum"}, {"replicas", 3}},
                                            "candidate -> leader in term: 2",
                                            "load-balancer"}),
                         [](const auto& one) { return std::string(one.param.kind); });

// The first host has the first server and the third, which the first waits for in vain until others are there.
TEST_F(FarClusterRun, TakesTurnsWhereThereAreFewerHostsThanServers) {
  for (const char* kind : {"nats", "rabbitmq"}) {
    SCOPED_TRACE(kind);
    Json plan = this->plan(kind, Json::object(), "vm2, vm3");
    plan["senders"]["duration"] = "1s";
    const BenchEnded ended = run(plan, all_hosts());
    ASSERT_PASSED(ended);
    EXPECT_THAT(run_log(), ContainsRegex("at 10.78.0.12:[0-9]+,10.78.0.13:[0-9]+,10.78.0.12:[0-9]+"));
    EXPECT_GT(first_run(ended)["cpu_per_delivery_ns"], 0);
    EXPECT_GT(first_run(ended)["host_cpu_percent"], 0) << "of vm2 and vm3";
    EXPECT_GT(first_run(ended)["memory_bytes"], 10'000'000) << "of three servers";
    EXPECT_TRUE(first_run(ended)["written_per_message_bytes"].is_number());
  }
}

// As one behind a router, whose data address is not its own: who is beside the server does not go by it.
TEST_F(FarClusterRun, IsReachedOnItsOwnHostWithoutItsDataAddress) {
  Json vm1 = host("vm1");
  vm1["data_address"] = "192.0.2.1";
  Json plan = this->plan("nats", {{"servers", 1}}, "vm1");
  plan["senders"]["duration"] = "1s";
  plan["senders"]["hosts"] = {"vm1"};
  const BenchEnded ended = run(plan, hosts({vm1, host("gate")}));
  ASSERT_PASSED(ended);
  EXPECT_GT(first_run(ended)["received"], 0);
  EXPECT_THAT(run_log(), HasSubstr("its servers listen on all its addresses"));
}

// What ssh finds there is not what has the server: Kafka, which no package installs beside the programs of all.
TEST_F(FarClusterRun, SaysWhichHostLacksTheServer) {
  const BenchEnded ended =
      run(plan("kafka", Json::object(), "vm1, vm2"), hosts({host("vm1"), ssh_host("vm2"), host("gate")}));
  EXPECT_NE(ended.exit, (Exit{.code = 0, .signal = 0}));
  EXPECT_THAT(ended.err, HasSubstr("servers on vm2: "));
  EXPECT_THAT(ended.err, HasSubstr("Kafka is not installed"));
  EXPECT_THAT(ended.err, HasSubstr("n2nq-bench buses fetch kafka"));
}

// Whoever keeps the servers there is killed, and takes them with it.
TEST_F(FarClusterRun, GoesOnWithoutAHostAndFails) {
  Json plan = this->plan("jetstream", {{"replicas", 3}}, "vm1, vm2, vm3");
  Process bench = place_->start(run_arguments(plan, all_hosts()));
  ASSERT_TRUE(bench.wait_err("running 00:", 60s)) << bench.err();
  for (const std::string& one : lab_->processes("vm2"))
    if (one.ends_with("n2nq-broker")) ::kill(std::stoi(one), SIGKILL);
  const BenchEnded ended = BenchPlace::finish(bench);
  const Json run = first_run(ended);
  EXPECT_EQ(run["verdict"], "failed");
  EXPECT_THAT(run["reason"].get<std::string>(), HasSubstr("server 2: went with the process that kept it on vm2"));
  EXPECT_EQ(run["sent"], 2400) << "the others go on";
  EXPECT_EQ(run["lost"], 0);
}

TEST_F(FarClusterRun, IsRefusedWhereItCannotBe) {
  const auto refused = [&](const Json& bus) {
    Json plan = this->plan("nats", bus, "vm1");
    const BenchEnded ended = run(plan, all_hosts());
    EXPECT_EQ(ended.exit, (Exit{.code = 2, .signal = 0})) << ended.err;
    return ended.err;
  };
  EXPECT_THAT(refused({{"hosts", "vm1, vm9"}}), HasSubstr("bus.hosts: there is no host \"vm9\""));
  EXPECT_THAT(refused({{"servers", 1}, {"hosts", "vm1, vm2"}}), HasSubstr("there are more hosts than servers"));
  EXPECT_THAT(refused({{"hosts", "vm1, vm1"}}), HasSubstr("it names one host twice"));
  EXPECT_THAT(refused({{"hosts", "this computer"}}), HasSubstr("bus.hosts: \"this computer\" is none of the list"));
}

}  // namespace
}  // namespace n2nq::test
