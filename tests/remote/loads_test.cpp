// Background loads between the hosts of the lab: what the result says that arrived is what the hosts' networks carried.
#include <fstream>

#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class RemoteLoads : public RemoteTest {
 protected:
  // That the host has got over all of its networks so far.
  uint64_t received(const std::string& host) const {
    std::istringstream lines(output_of(lab_->on(host, {"/bin/cat", "/proc/net/dev"})));
    uint64_t bytes = 0;
    for (std::string line; std::getline(lines, line);)
      if (const size_t colon = line.find(':'); colon != std::string::npos && line.find("lo:") == std::string::npos)
        bytes += std::stoull(line.substr(colon + 1));
    return bytes;
  }
  static Json plan_with(const std::string& loads) {
    return {{"queue", {{"host", "vm1"}}},
            {"senders", {{"hosts", {"vm2"}}, {"messages", 200}, {"delay", "10ms"}}},
            {"receivers", {{"hosts", {"vm3"}}}},
            {"background", loads}};
  }
};

TEST_F(RemoteLoads, AreWhatTheNetworkCarried) {
  std::map<std::string, uint64_t> before;
  for (const char* host : {"vm1", "vm2", "vm3"}) before[host] = received(host);
  const BenchEnded ended = run(plan_with("vm2 to vm3 at 300ms for 700ms; vm3 to vm1 at 1200ms for 300ms"), hosts());
  ASSERT_PASSED(ended);
  const Json run = ended.result()["runs"][0];
  ASSERT_EQ(run["background_loads"].size(), 2u) << run["background_loads"] << run_log();
  EXPECT_EQ(run["received"], 2400) << "and all of the messages came";
  for (const auto& [i, to, from] : {std::tuple(0, "vm3", "vm2"), {1, "vm1", "vm3"}}) {
    const Json& load = run["background_loads"][static_cast<size_t>(i)];
    EXPECT_EQ(load["to"], to);
    EXPECT_EQ(load["from"], from);
    EXPECT_EQ(load["trouble"], "");
    const auto bytes = load["bytes"].get<double>();
    EXPECT_GT(bytes, 20e6) << "far more than all else together";
    const auto carried = static_cast<double>(received(to) - before[to]);
    EXPECT_GT(carried, bytes);
    // Programs, messages and the heads of packets come to it.
    EXPECT_LT(carried, 1.1 * bytes + 5e6) << load;
  }
  EXPECT_LT(received("vm2") - before["vm2"], run["background_loads"][0]["bytes"].get<uint64_t>() / 2)
      << "nothing of it went the other way";
  std::vector<std::string> kinds;
  for (const Json& event : run["events"]) kinds.push_back(event["kind"]);
  EXPECT_THAT(kinds, testing::ElementsAre("load", "load-end", "load", "load-end"));
  EXPECT_EQ(place_->stored("SELECT from_host || to_host FROM background_loads"), "vm2vm3\nvm3vm1\n");
}

TEST_F(RemoteLoads, ThatFindNoWayAreToldAndTheRunGoesOn) {
  output_of(lab_->on("vm3", {"/sbin/ip", "route", "add", "blackhole", lab_->data_address("vm2") + "/32"}));
  const BenchEnded ended = run(plan_with("vm2 to vm3 at 100ms for 1s"), hosts());
  ASSERT_PASSED(ended);
  const Json run = ended.result()["runs"][0];
  ASSERT_EQ(run["background_loads"].size(), 1u);
  EXPECT_TRUE(run["background_loads"][0]["at_ns"].is_null());
  EXPECT_EQ(run["received"], 2400);
  EXPECT_THAT(run_log(), HasSubstr("background load from vm2 to vm3: the run ended before there was a connection"));
}

TEST_F(RemoteLoads, OfAHostThatTakesNoPartAreRefused) {
  const BenchEnded ended = run(plan_with("vm2 to gate at 0s for 1s"), hosts());
  EXPECT_EQ(ended.exit, (Exit{.code = 2, .signal = 0})) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("\"gate\" takes no part in this run"));
}

}  // namespace
}  // namespace n2nq::test
