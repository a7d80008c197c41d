// Hosts with an old kernel: our programs need no system call that Linux 3.10 did not have, over any bus.
#include <gmock/gmock.h>
#include <sys/utsname.h>

#include <fstream>

#include "tests/headless/bench_process.h"
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;

struct OldKernel : testing::TestWithParam<const char*> {
  static void SetUpTestSuite() { put_servers_into_path(); }
  void SetUp() override {
    utsname name{};
    ::uname(&name);
    if (std::string(name.machine) != "x86_64") GTEST_SKIP() << "old_kernel.py knows the system calls of x86_64 alone";
  }
  ~OldKernel() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }

  // A host on which each of them runs as if it were there.
  std::string hosts() const {
    const fs::path folder = place / "placed";
    fs::create_directories(folder);
    for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"}) {
      std::ofstream(folder / name) << "#!/bin/sh\nexec " N2NQ_SOURCE_DIR "/tests/headless/old_kernel.py "
                                   << program(name) << " \"$@\"\n";
      fs::permissions(folder / name, fs::perms(0755));
    }
    const Json old{{"name", "old"},
                   {"kind", "command"},
                   {"command", "env {command}"},
                   {"work_folder", folder},
                   {"data_address", "127.0.0.1"}};
    const fs::path path = place / "hosts.json";
    std::ofstream(path) << Json{{"version", 1}, {"hosts", {old}}}.dump();
    return path;
  }
  BenchPlace place;
};

TEST_P(OldKernel, CarriesARunAndIsRecorded) {
  const char* mode = std::string(GetParam()) == "http" ? "load-balancer" : "broadcaster";
  const std::string plan = place.plan({{"bus", {{"kind", GetParam()}}},
                                       {"queue", {{"host", "old"}, {"mode", mode}}},
                                       {"senders", {{"hosts", {"old"}}}},
                                       {"receivers", {{"hosts", {"old"}}}},
                                       {"recorder", {{"on", true}}}});
  const BenchEnded ended = place.run({"run", plan, "--json", "--hosts", hosts()});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["verdict"], "passed") << run;
  EXPECT_GT(run["received"], 0);
  EXPECT_NE(place.stored("SELECT count(*) FROM host_series"), "0\n");
}

INSTANTIATE_TEST_SUITE_P(Buses, OldKernel,
                         testing::Values("n2nq", "redis-pubsub", "redis-streams", "nats", "jetstream", "rabbitmq",
                                         "kafka", "http", "websocket"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace n2nq::test
