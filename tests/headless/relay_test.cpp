// Runs over the bare relay without a window: one that is started for the run, one of the user's own, and one that is
// killed.
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct ForeignBusRelay : ForeignBus {
  Json relay(const std::string& address = {}) const { return base(address, "relay"); }
};

TEST_F(ForeignBusRelay, IsStartedForTheRunAndMeasured) {
  const Json run = this->run(relay());
  expect_all_came(run, "relay", /*answers=*/false);
  EXPECT_THAT(run["server"].get<std::string>(), testing::MatchesRegex("n2nq-relay [0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_FALSE(run["cpu_per_delivery_ns"].is_null());
  EXPECT_TRUE(run["publish_ns"].is_null());
  EXPECT_EQ(run["bus_settings"], (Json{{"address", ""}, {"quiet", "1s"}}));
  EXPECT_EQ(run["kept_in"], "memory");
  EXPECT_EQ(lines_of(run["folder"], "receiver"), 600u);
  std::ifstream log(run["folder"].get<std::string>() + "/server.log");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(log), {}}),
              HasSubstr("200 messages came, 0 of them for nobody; "));
}

TEST_F(ForeignBusRelay, OfTheUsersOwnCarriesRunsApartWithItsToken) {
  RelayServer server("secret-of-theirs");
  const std::string file = place / "token";
  std::ofstream(file) << "secret-of-theirs\n";
  Json plan = relay(server.address());
  plan["bus"]["password_file"] = file;
  const std::string path = place.plan(plan);
  Process other = place.start({"run", path, "--json"});
  const BenchEnded beside = place.run({"run", path, "--set", "queue.mode=load-balancer", "--json"});
  EXPECT_EQ(beside.exit, Exit{.code = 0}) << beside.err;
  const Json run = beside.result()["runs"][0];
  EXPECT_EQ(run["received"], 200);
  EXPECT_TRUE(run["cpu_per_delivery_ns"].is_null()) << "nobody knows what it takes";
  ASSERT_TRUE(other.wait_exit(60s));
  expect_all_came(Json::parse(other.out())["runs"][0], "relay", /*answers=*/false);
  plan["bus"].erase("password_file");
  const BenchEnded ended = place.run({"run", place.plan(plan), "--json"});
  EXPECT_NE(ended.exit, Exit{.code = 0});
  EXPECT_THAT(ended.err, HasSubstr("give its token in bus.password_file"));
}

// With cores that are kept awake, which ends with the bench however that ends.
TEST_F(ForeignBusRelay, KeepsCoresAwakeAndLeavesNoSpinnerWhenTheBenchIsKilled) {
  Json plan = relay();
  plan["awake"] = true;
  const Json run = this->run(plan);
  expect_all_came(run, "relay", /*answers=*/false);
  EXPECT_THAT(run["hosts"][0]["awake"].get<std::string>(), HasSubstr("spinners of class idle"));
  plan["senders"] = {{"duration", "30s"}, {"messages", nullptr}};
  Process bench = place.start({"run", place.plan(plan), "--json"});
  ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  bench.signal(SIGKILL);
  EXPECT_TRUE(bench.wait_exit(20s));
  EXPECT_EQ(processes_left_at(20s), std::vector<std::string>());
}

// Nothing is dropped for being behind: 64 MiB and what sockets hold are less than what is sent.
TEST_F(ForeignBusRelay, HoldsUpSendersForAReceiverThatPauses) {
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    Json plan = relay();
    plan["queue"] = {{"mode", mode}};
    plan["senders"] = {{"count", 2}, {"messages", 2000}, {"delay", "0s"}, {"size", "64KiB"}};
    plan["receivers"] = {{"count", 2}, {"pause", "1:100ms..7s"}};
    const Json run = this->run(plan);
    EXPECT_EQ(run["verdict"], "passed") << run;
    EXPECT_EQ(run["received"], mode == "broadcaster" ? 8000 : 4000);
    EXPECT_EQ(run["lost"], 0);
  }
}

// The senders', receivers' and queue's accounts say what of it is known, as the logs have it.
TEST_F(ForeignBusRelay, ThatIsKilledIsMissedByWordsAndCounted) {
  RelayServer server;
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    SCOPED_TRACE(mode);
    Json plan = relay(server.address());
    plan["queue"] = {{"mode", mode}};
    plan["senders"] = {{"count", 4}, {"duration", "30s"}, {"messages", nullptr}, {"delay", "200us"}};
    const Json run = run_until_killed(plan, server);
    EXPECT_TRUE(run["accepted"].is_null()) << "it answers for nothing";
    EXPECT_GT(run["received"], 0);
    if (mode == "broadcaster" && run["lost"].is_number()) {
      EXPECT_EQ(run["lost"].get<int64_t>(), 3 * run["sent"].get<int64_t>() - run["received"].get<int64_t>());
    }
    EXPECT_THAT(run["reason"].get<std::string>(), HasSubstr("the connection to the relay server at"));
    server.start();
  }
}

TEST_F(ForeignBusRelay, OfTheRunThatIsKilledEndsItAndLeavesNothing) {
  Json plan = relay();
  plan["senders"] = {{"duration", "30s"}, {"messages", nullptr}};
  Process bench = place.start({"run", place.plan(plan), "--json"});
  ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  int killed = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream name(entry.path() / "comm");
    std::string comm;
    if (!std::getline(name, comm) || comm != "n2nq-relay") continue;
    const pid_t relay = std::atoi(entry.path().filename().c_str());
    if (parent_of(parent_of(parent_of(relay))) != bench.pid()) continue;
    killed++;
    ::kill(relay, SIGKILL);
  }
  EXPECT_EQ(killed, 1);
  ASSERT_TRUE(bench.wait_exit(60s));
  const Json run = Json::parse(bench.out())["runs"][0];
  EXPECT_EQ(run["verdict"], "failed");
  EXPECT_EQ(run["sent"], lines_of(run["folder"], "sender"));
  EXPECT_EQ(run["received"], lines_of(run["folder"], "receiver"));
  EXPECT_THAT(run["reason"].get<std::string>() + bench.err(), HasSubstr("Bare relay, has ended by itself by signal 9"));
}

}  // namespace
}  // namespace n2nq::test
