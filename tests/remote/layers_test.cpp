// What each layer between two hosts takes is measured for each pair, by echo where the host lets us, else by
// connecting.
#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

class RemoteLayers : public RemoteTest {
 protected:
  void let_ping(const std::string& host, const std::string& groups) const {
    Process sysctl(lab_->on(host, {"/sbin/sysctl", "-qw", "net.ipv4.ping_group_range=" + groups}));
    EXPECT_TRUE(sysctl.wait_exit(10s));
    EXPECT_EQ(sysctl.err(), "") << host;
  }
  static const Json* find(const Json& run, const std::string& from, const std::string& layer) {
    for (const Json& each : run.at("layers"))
      if (each.at("from") == from && each.at("layer") == layer) return &each;
    return nullptr;
  }
};

TEST_F(RemoteLayers, AreToldForEachPairOfHosts) {
  let_ping("vm2", "0 2147483647");
  let_ping("vm3", "1 0");
  // Where clocks differ there are probes; these are on vm2 alone.
  const std::string skew =
      script("skew", "case \"$6\" in *n2nq-sender) set -- \"$@\" --clock-skew 1ms;; esac\nexec \"$@\"\n");
  const BenchEnded ended =
      run({{"queue", {{"host", "vm1"}}},
           {"senders", {{"hosts", {"vm2"}}, {"messages", 100}, {"delay", "20ms"}}},
           {"receivers", {{"hosts", {"vm3"}}, {"processes", 2}}}},
          hosts({ssh_host("vm1"), command_host("vm2", {skew}), ssh_host("vm3"), ssh_host("gate")}));
  ASSERT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
  const Json run = ended.result().at("runs").at(0);
  for (const Json& each : run["layers"]) {
    EXPECT_EQ(each["to"], "vm1");
    EXPECT_GT(each["time_ns"]["count"].get<uint64_t>(), 0u) << each;
    EXPECT_GT(each["time_ns"]["p50"].get<int64_t>(), 0) << each;
    EXPECT_LE(each["time_ns"]["p50"].get<int64_t>(), each["time_ns"]["p99"].get<int64_t>()) << each;
  }
  ASSERT_NE(find(run, "vm2", "network"), nullptr);
  EXPECT_EQ((*find(run, "vm2", "network"))["method"], "icmp");
  EXPECT_EQ((*find(run, "vm2", "network"))["lost"], 0);
  ASSERT_NE(find(run, "vm3", "network"), nullptr);
  EXPECT_EQ((*find(run, "vm3", "network"))["method"], "tcp_connect");
  EXPECT_EQ((*find(run, "vm3", "network"))["lost"], 0);
  EXPECT_NE(find(run, "vm2", "tcp"), nullptr);
  EXPECT_NE(find(run, "vm3", "tcp"), nullptr);
  EXPECT_NE(find(run, "vm2", "probe"), nullptr);
  EXPECT_EQ(find(run, "vm3", "probe"), nullptr) << "one clock with the queue";
  EXPECT_EQ(find(run, "vm2", "bus"), nullptr) << "nobody receives there";
  ASSERT_NE(find(run, "vm3", "bus"), nullptr);
  EXPECT_EQ((*find(run, "vm3", "bus"))["time_ns"]["count"], run["latency_ns"]["count"]);
  EXPECT_TRUE(run["paths"].empty()) << "only where the plan asks for it";
  EXPECT_TRUE(run["bandwidths"].empty());
  EXPECT_EQ(run_log().find("refused"), std::string::npos) << "connections that only measure trouble nobody";
}

TEST_F(RemoteLayers, ComeWithThePathAndTheBandwidthBeforeTheRunWhereThePlanAsksForThem) {
  const BenchEnded ended = run({{"queue", {{"host", "vm1"}}},
                                {"senders", {{"hosts", {"vm2"}}, {"messages", 20}, {"delay", "20ms"}}},
                                {"receivers", {{"hosts", {"vm2", "vm3"}}, {"processes", 3}}},
                                {"look", {{"path", true}, {"bandwidth", true}}}},
                               hosts());
  ASSERT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
  const Json run = ended.result().at("runs").at(0);
  ASSERT_EQ(run["paths"].size(), 2u) << "one hop from each host, whatever runs there: " << run["paths"];
  ASSERT_EQ(run["bandwidths"].size(), 2u) << run["bandwidths"];
  for (const Json& hop : run["paths"]) {
    EXPECT_EQ(hop["to"], "vm1");
    EXPECT_EQ(hop["address"], lab_->data_address("vm1"));
    EXPECT_EQ(hop["reached"], true);
  }
  EXPECT_NE(run["paths"][0]["from"], run["paths"][1]["from"]);
  for (const Json& one : run["bandwidths"]) EXPECT_GT(one["bytes_per_s"].get<double>(), 1e6);
  const std::string log = run_log();
  const size_t path = log.find("vm2 - vm1: 1 hop, by TCP from port ");
  EXPECT_LT(path, log.find("the run begins"));
  EXPECT_NE(log.find(": " + lab_->data_address("vm1"), path), std::string::npos);
}

}  // namespace
}  // namespace n2nq::test
