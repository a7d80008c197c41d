// Runs whose queue, senders and receivers are on hosts of their own: they count what the log files count.
#include <ostream>
#include <set>

#include "tests/helpers/bus_servers.h"
#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

using RemoteRun = RemoteTest;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(RemoteRun, OnThreeHostsCountsWhatItsLogsCount) {
  const BenchEnded ended = run(
      {{"queue", {{"host", "vm1"}}}, {"senders", {{"hosts", {"vm2"}}}}, {"receivers", {{"hosts", {"vm3"}}}}}, hosts());
  ASSERT_PASSED(ended);
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["sent"], 200);
  EXPECT_EQ(run["received"], 600);
  EXPECT_EQ(logged(run, "sender"), 200u);
  EXPECT_EQ(logged(run, "receiver"), 600u);
  EXPECT_EQ(place_of(run, "broker"), "vm1");
  EXPECT_EQ(place_of(run, "sender"), "vm2");
  EXPECT_EQ(place_of(run, "receiver"), "vm3");
  ASSERT_EQ(run["hosts"].size(), 3u);
  for (const Json& host : run["hosts"]) {
    EXPECT_FALSE(host["start_ns"].empty()) << host["name"];
    EXPECT_FALSE(host["facts"].is_null()) << host["name"];
  }
  EXPECT_EQ(run["hosts"][0]["name"], "vm1");
  EXPECT_GT(run["host_cpu_percent"], 0) << "of vm1";
  EXPECT_GT(run["cpu_per_delivery_ns"], 0) << "of processes on three hosts";
  EXPECT_TRUE(std::filesystem::exists(run["folder"].get<std::string>() + "/broker.log"));
  EXPECT_TRUE(std::filesystem::exists(run["master_file"].get<std::string>()));
}

// What a host does that has nothing of the run: a core's work there is in its figures, and its clock is known.
TEST_F(RemoteRun, RecordsHostsBesides) {
  Process busy(lab_->on("vm3", {"/bin/sh", "-c", "while :; do :; done"}));
  const BenchEnded ended = run({{"queue", {{"host", "vm1"}}},
                                {"senders", {{"hosts", {"vm2"}}, {"duration", "3s"}}},
                                {"receivers", {{"hosts", {"vm2"}}}},
                                {"recorder", {{"period", "200ms"}, {"hosts", "vm3, vm2"}}}},
                               hosts());
  busy.signal(SIGKILL);
  ASSERT_PASSED(ended);
  const Json run = ended.result()["runs"][0];
  std::vector<std::string> names;
  for (const Json& host : run["hosts"]) names.push_back(host["name"]);
  ASSERT_THAT(names, testing::ElementsAre("vm1", "vm2", "vm3"));
  const Json& vm3 = run["hosts"][2];
  EXPECT_FALSE(vm3["facts"].is_null());
  ASSERT_GE(vm3["start_ns"].size(), 10u);
  EXPECT_NEAR(vm3["start_ns"][0].get<double>(), 0, 0.3e9) << "from the begin on";
  for (const Json& series : vm3["series"])
    if (series["of"] == "host" && series["name"] == "cpu_user") {
      ASSERT_TRUE(series.at("total").is_number()) << series;
      EXPECT_GT(series["total"].get<double>(), 1e9) << "ns of a core: " << series;
    }
  for (const Json& warning : run["warnings"])
    EXPECT_NE(warning["id"], "others-vm3") << "that is what it is recorded for: " << warning;
}

TEST_F(RemoteRun, SplitsARoleOverHostsAndKeepsItsLinksFromRunToRun) {
  const std::string plan =
      place_->plan({{"queue", {{"host", "vm1"}}},
                    {"senders", {{"hosts", {"vm1", "vm2"}}}},
                    {"receivers", {{"hosts", {"vm2", "vm3"}}, {"processes", 3}}}},
                   Json::array({{{"queue", {{"mode", "broadcaster"}}}}, {{"queue", {{"mode", "load-balancer"}}}}}));
  auto arguments = hosts();
  arguments.insert(arguments.begin(), {"run", plan, "--json"});
  const BenchEnded ended = place_->run(arguments);
  ASSERT_PASSED(ended);
  const Json result = ended.result();
  ASSERT_EQ(result["runs"].size(), 2u);
  EXPECT_EQ(place_of(result["runs"][0], "sender"), "vm1, vm2");
  EXPECT_EQ(place_of(result["runs"][0], "receiver"), "vm2, vm2, vm3");
  EXPECT_EQ(logged(result["runs"][0], "receiver"), 600u);
  EXPECT_EQ(logged(result["runs"][1], "receiver"), 200u);
}

TEST_F(RemoteRun, GoesBetweenThisComputerAndHosts) {
  // The hosts have this computer on net A only.
  const BenchEnded ended =
      run({{"senders", {{"hosts", {"this computer", "vm1"}}}}, {"receivers", {{"hosts", {"vm2"}}}}}, hosts());
  ASSERT_PASSED(ended);
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(place_of(run, "broker"), "this computer");
  EXPECT_EQ(place_of(run, "sender"), "this computer, vm1");
  EXPECT_EQ(logged(run, "sender"), 200u);
  EXPECT_EQ(logged(run, "receiver"), 600u);
}

TEST_F(RemoteRun, GoesThroughCommandsAsWell) {
  const BenchEnded ended =
      run({{"queue", {{"host", "vm1"}}}, {"senders", {{"hosts", {"vm2"}}}}, {"receivers", {{"hosts", {"vm3"}}}}},
          hosts({command_host("vm1"), command_host("vm2"), command_host("vm3")}));
  ASSERT_PASSED(ended);
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(place_of(run, "receiver"), "vm3");
  EXPECT_EQ(logged(run, "sender"), 200u);
  EXPECT_EQ(logged(run, "receiver"), 600u);
}

// A bench that wrote its own facts under the hosts' names would have one boot id for all; one that went by names would
// not know that vm3 is the computer of the queue.
TEST_F(RemoteRun, KeepsWhatEachComputerIsAndWhichOfThemAreOne) {
  lab_->set_own_boot("vm2");
  for (const Json& list : {Json{ssh_host("vm1"), ssh_host("vm2"), ssh_host("vm3")},
                           Json{command_host("vm1"), ssh_host("vm2"), command_host("vm3")}}) {
    const BenchEnded ended =
        run({{"queue", {{"host", "vm1"}}}, {"senders", {{"hosts", {"vm2"}}}}, {"receivers", {{"hosts", {"vm3"}}}}},
            hosts({list[0], list[1], list[2], ssh_host("gate")}));
    ASSERT_PASSED(ended);
    const Json machines = ended.result()["runs"][0]["machines"];
    ASSERT_EQ(machines.size(), 3u) << machines;
    for (size_t i = 0; i < 3; i++) {
      EXPECT_EQ(machines[i]["place"], "vm" + std::to_string(i + 1));
      EXPECT_GT(machines[i]["cores"], 0);
      EXPECT_NE(machines[i]["kernel"], "");
      EXPECT_TRUE(machines[i]["load_1_min"].is_number());
      EXPECT_EQ(machines[i]["beside_queue"], i != 1) << machines;
    }
    EXPECT_NE(machines[0]["boot_id"], machines[1]["boot_id"]);
    EXPECT_THAT(run_log(), HasSubstr("vm3 and vm1, where the queue is, are the same computer"));
  }
}

TEST_F(RemoteRun, ListensInTheRangeOfPortsThatItsHostHas) {
  Json vm1 = ssh_host("vm1");
  vm1["data_ports"] = "7431-7433";
  const BenchEnded ended =
      run({{"queue", {{"host", "vm1"}}}, {"senders", {{"hosts", {"vm2"}}}}, {"receivers", {{"hosts", {"vm2"}}}}},
          hosts({vm1, ssh_host("vm2")}));
  ASSERT_PASSED(ended);
  EXPECT_THAT(run_log(), testing::ContainsRegex("the queue will listen at 10.78.0.11:743[123] on vm1"));
}

struct ServerThere {
  const char* kind;
  const char* program;
  bool answers = true;
  bool by_ssh = false;  // who logs in finds it; else it is in the path here, and so by a command
};

std::ostream& operator<<(std::ostream& out, const ServerThere& one) {
  return out << one.kind;
}

struct RemoteServer : RemoteTest, testing::WithParamInterface<ServerThere> {
  static void SetUpTestSuite() { put_servers_into_path(); }
};

// The server is where the queue is, at a port of the range, other hosts reach it there, and its log comes home.
TEST_P(RemoteServer, IsStartedWhereTheQueueIsForSendersAndReceiversElsewhere) {
  Json vm1 = GetParam().by_ssh ? ssh_host("vm1") : command_host("vm1");
  vm1["data_ports"] = "7431-7439";
  const BenchEnded ended = run({{"bus", {{"kind", GetParam().kind}}},
                                {"queue", {{"host", "vm1"}}},
                                {"senders", {{"hosts", {"vm2"}}}},
                                {"receivers", {{"hosts", {"vm3"}}}}},
                               hosts({vm1, ssh_host("vm2"), ssh_host("vm3"), ssh_host("gate")}));
  ASSERT_PASSED(ended);
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["accepted"], GetParam().answers ? Json(200) : Json());
  EXPECT_EQ(logged(run, "sender"), 200u);
  EXPECT_EQ(logged(run, "receiver"), 600u);
  EXPECT_GT(run["cpu_per_delivery_ns"], 0);
  EXPECT_THAT(run_log(), testing::ContainsRegex("server of the run: " + std::string(GetParam().program) +
                                                " .* at 10.78.0.11:743[1-9]"));
  std::set<std::string> ways;
  for (const Json& layer : run["layers"])
    if (layer["layer"] == "network")
      ways.insert(layer["from"].get<std::string>() + " " + layer["to"].get<std::string>());
  EXPECT_THAT(ways, testing::ElementsAre("vm2 vm1", "vm3 vm1"));
  EXPECT_TRUE(std::filesystem::exists(run["folder"].get<std::string>() + "/server.log"));
}

INSTANTIATE_TEST_SUITE_P(Buses, RemoteServer,
                         testing::Values(ServerThere{"redis-pubsub", "redis-server", /*answers=*/true, /*by_ssh=*/true},
                                         ServerThere{"nats", "nats-server", /*answers=*/false},
                                         ServerThere{"rabbitmq", "rabbitmq-server"}, ServerThere{"kafka", "Kafka"}),
                         [](const auto& one) {
                           std::string name = one.param.kind;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(RemoteRun, AnswersForPasswordsAndPassphrasesByACommand) {
  Json with_password = ssh_host("vm1"), with_passphrase = ssh_host("vm2");
  with_password["key_file"] = "/nowhere/key";
  with_passphrase["key_file"] = lab_->locked_key();
  auto options = hosts({with_password, with_passphrase});
  const std::string ask = script("ask", "case \"$1\" in *assphrase*) echo '" + std::string(Lab::kPassphrase) +
                                            "';; *) echo '" + std::string(Lab::kPassword) + "';; esac\n");
  options.insert(options.end(), {"--askpass", ask});
  // Of the hosts too: their processes are in this computer's list.
  SecretWatch watch({Lab::kPassword, Lab::kPassphrase});
  Process bench = place_->start(run_arguments(
      {{"queue", {{"host", "vm1"}}}, {"senders", {{"hosts", {"vm2"}}}}, {"receivers", {{"hosts", {"vm1"}}}}}, options));
  EXPECT_TRUE(watch.look_until_exit(bench, 100s));
  const BenchEnded ended = BenchPlace::finish(bench);
  ASSERT_PASSED(ended);
  for (const char* secret : {Lab::kPassword, Lab::kPassphrase})
    EXPECT_THAT(ended.err + ended.out, testing::Not(HasSubstr(secret)));
  EXPECT_THAT(watch.found(), IsEmpty());
  EXPECT_THAT(watch.looked_at(),
              testing::IsSupersetOf({"n2nq-bench", "n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"}));
}

}  // namespace
}  // namespace n2nq::test
