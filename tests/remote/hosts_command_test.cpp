// `n2nq-bench hosts`: the list, and what works on its hosts.
#include <csignal>
#include <fstream>

#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class HostsCommand : public RemoteTest {
 protected:
  BenchEnded hosts_command(std::vector<std::string> arguments, const std::vector<std::string>& options) const {
    arguments.insert(arguments.begin(), "hosts");
    arguments.insert(arguments.end(), options.begin(), options.end());
    return place_->run(arguments);
  }
};

TEST_F(HostsCommand, TestsEachStepAndConnectionsFromEachHost) {
  const BenchEnded ended = hosts_command({"test", "vm1", "vm2", "vm3", "--bandwidth"}, hosts());
  // This computer is not on the network of the queue.
  EXPECT_EQ(ended.exit, (Exit{.code = 4, .signal = 0})) << ended.err << ended.out;
  for (const char* host : {"vm1", "vm2", "vm3"}) {
    for (const char* step :
         {"reach", "host key", "login", "architecture", "work folder", "upload", "connection", "clock"})
      EXPECT_THAT(ended.out, testing::ContainsRegex(std::string(host) + " +" + step + " +ok "));
  }
  for (const char* line : {"path +ok .* - vm1: 1 hop, by TCP .*us", "network +ok .* - vm1: round trip .* at least, ",
                           "bandwidth +ok .* - vm1: .*/s, by "}) {
    EXPECT_THAT(ended.out, testing::ContainsRegex(std::string("vm2 +") + line));
    EXPECT_THAT(ended.out, Not(testing::ContainsRegex(std::string("vm1 +") + line))) << "to itself";
  }
  EXPECT_THAT(ended.out, testing::ContainsRegex("this computer +connection +FAILED .*data_address"));
}

TEST_F(HostsCommand, TestSaysWhatIsWrongAndGoesOnWithTheOthers) {
  Json vm1 = ssh_host("vm1");
  vm1["user"] = Lab::kOddUser;
  Json vm2 = ssh_host("vm2");
  vm2["key_file"] = "/nowhere/key";
  Json vm3 = ssh_host("vm3");
  vm3["work_folder"] = "noexec";
  const BenchEnded ended = hosts_command({"test"}, hosts({vm1, vm2, vm3, ssh_host("gate")}));
  EXPECT_EQ(ended.exit, (Exit{.code = 4, .signal = 0})) << ended.err;
  EXPECT_THAT(ended.out, testing::ContainsRegex("vm1 +architecture +FAILED .*sparc64"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("vm2 +login +FAILED "));
  EXPECT_THAT(ended.out, testing::ContainsRegex("vm3 +work folder +FAILED "));
  EXPECT_THAT(ended.out, testing::ContainsRegex("gate +connection +ok "));
}

TEST_F(HostsCommand, TestFailsOnACommandThatCannotBeStarted) {
  const Json box{{"name", "box"}, {"kind", "command"}, {"command", "/no/such {command}"}};
  const BenchEnded ended = hosts_command({"test", "box"}, hosts({box}));
  EXPECT_EQ(ended.exit, (Exit{.code = 4, .signal = 0})) << ended.out;
  EXPECT_THAT(ended.out, testing::ContainsRegex("box +reach +FAILED .*/no/such cannot be started"));
  EXPECT_THAT(ended.out, Not(HasSubstr(" ok ")));
}

TEST_F(HostsCommand, TestTriesTheHostOfTheQueueAsWell) {
  Json vm2 = ssh_host("vm2");
  vm2["key_file"] = "/nowhere/key";
  const BenchEnded ended = hosts_command({"test", "vm1", "--queue", "vm2"}, hosts({ssh_host("vm1"), vm2}));
  EXPECT_EQ(ended.exit, (Exit{.code = 4, .signal = 0})) << ended.out;
  EXPECT_THAT(ended.out, testing::ContainsRegex("vm2 +login +FAILED "));
  EXPECT_THAT(ended.out, testing::ContainsRegex("vm2 +connection +FAILED "));
}

TEST_F(HostsCommand, TrustTakesNothingButAFingerprint) {
  for (const std::string& other : {std::string("foo"), std::string("MD5:12:34"), lab_->fingerprint("vm1").substr(7)}) {
    const BenchEnded ended = hosts_command({"trust", "vm1", other}, hosts());
    EXPECT_EQ(ended.exit, (Exit{.code = 2, .signal = 0})) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("is not a fingerprint"));
  }
}

TEST_F(HostsCommand, ImportsListsAndExports) {
  const std::string config = *place_ / "config";
  std::ofstream(config) << "Host lab1\n  HostName 10.1.1.1\n  ProxyJump gate\n  IdentityFile /keys/lab\nHost gate\n";
  const std::vector<std::string> list{"--hosts", *place_ / "new.json"};
  const BenchEnded imported = hosts_command({"import", config}, list);
  EXPECT_EQ(imported.exit, (Exit{.code = 0, .signal = 0})) << imported.err;
  EXPECT_EQ(imported.out, "gate\nlab1\n");
  EXPECT_THAT(hosts_command({"list"}, list).out, testing::ContainsRegex("lab1 +ssh +10.1.1.1 through gate"));
  EXPECT_THAT(hosts_command({"export"}, list).out, HasSubstr("/keys/lab"));
  EXPECT_THAT(hosts_command({"export", "--without-key-files"}, list).out, Not(HasSubstr("/keys/lab")));
  const BenchEnded again = hosts_command({"import", config}, list);
  EXPECT_THAT(again.err, HasSubstr("already in the list, left unchanged: lab1"));
}

// Its processes there end by themselves, and nobody else comes for what they wrote, until the next start has made a
// result of what the bench had heard.
TEST_F(HostsCommand, CollectBringsHomeWhatABenchThatWasKilledLeft) {
  const auto on_hosts = hosts();
  auto elsewhere = on_hosts;
  elsewhere.insert(elsewhere.end(), {"--out", (*place_ / "out").string()});
  Process bench =
      place_->start(run_arguments({{"queue", {{"host", "vm1"}, {"drain_timeout", "3s"}}},
                                   {"senders", {{"hosts", {"vm1"}}, {"duration", "60s"}, {"delay", "20ms"}}},
                                   {"receivers", {{"hosts", {"vm2"}}, {"count", 2}}}},
                                  elsewhere));
  ASSERT_TRUE(bench.wait_err("running 00:", 60s, 3)) << bench.err();
  bench.signal(SIGKILL);
  ASSERT_TRUE(bench.wait_exit(20s));
  for (const char* host : {"vm1", "vm2"}) ASSERT_TRUE(lab_->wait_no_process(host, 40s)) << host;
  const BenchEnded next = place_->run({"run", place_->plan(), "--json"});
  ASSERT_THAT(next.err, HasSubstr("is now result 1"));
  const auto first_result = [&] {
    const std::string file = *place_ / "one.json";
    EXPECT_EQ(place_->run({"export", "1", file}).exit, (Exit{.code = 0, .signal = 0}));
    std::ifstream in(file);
    return Json::parse(in);
  };
  const auto heard = first_result().at("sent").get<uint64_t>();
  const BenchEnded ended = hosts_command({"collect", "vm1", "vm2"}, on_hosts);
  EXPECT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err << ended.out;
  for (const char* host : {"vm1", "vm2"}) {
    EXPECT_THAT(ended.out, testing::ContainsRegex(std::string(host) + " .*fetched to "));
    expect_nothing_left(host);
  }
  EXPECT_THAT(ended.err, HasSubstr("result #1 has the counts of the logs in"));
  const Json result = first_result();
  EXPECT_EQ(result.at("sent"), logged(result, "sender"));
  EXPECT_EQ(result.at("received"), logged(result, "receiver"));
  EXPECT_GT(result.at("sent").get<uint64_t>(), heard);
  const auto runs = std::filesystem::directory_iterator(*place_ / "out");
  for (const char* name : {"broker.log", "broker.summary.json", "sender-1.log", "receiver-2.log", "master.csv"})
    EXPECT_TRUE(std::filesystem::exists(runs->path() / name)) << name;
}

}  // namespace
}  // namespace n2nq::test
