// Runs over NATS without a window: with a server that is started for the run, and with the user's own. Judged by the
// server's own counts, and by a server that loses messages.
#include <algorithm>
#include <fstream>

#include "tests/headless/foreign_bus.h"
#include "tests/helpers/fake_nats.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct Nats : ForeignBus {
  Json nats(const std::string& address = {}) const { return base(address, "nats"); }
};

TEST_F(Nats, StartsAServerForTheRunAndMeasuresItsProcess) {
  const Json run = this->run(nats());
  expect_all_came(run, "nats", /*answers=*/false);
  EXPECT_THAT(run["server"].get<std::string>(), testing::MatchesRegex("nats-server [0-9]+\\..*"));
  EXPECT_FALSE(run["cpu_per_delivery_ns"].is_null());
  EXPECT_TRUE(run["publish_ns"].is_null());
  EXPECT_EQ(run["bus_settings"]["max_pending"], "64MiB") << run["bus_settings"];
  EXPECT_EQ(lines_of(run["folder"], "sender"), 200u);
  EXPECT_EQ(lines_of(run["folder"], "receiver"), 600u);
  std::ifstream log(run["folder"].get<std::string>() + "/server.log");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(log), {}}), HasSubstr("Server is ready"));
}

TEST_F(Nats, CountsAsItsServerDoesAndLeavesNothingThere) {
  NatsServer server;
  const Json empty = server.ask("subsz");
  for (const auto& [mode, deliveries] : {std::pair("broadcaster", 600), std::pair("load-balancer", 200)}) {
    SCOPED_TRACE(mode);
    const Json before = server.ask("varz");
    Json plan = nats(server.address());
    plan["queue"] = {{"mode", mode}};
    const Json run = this->run(plan);
    EXPECT_EQ(run["verdict"], "passed") << run;
    EXPECT_EQ(run["received"], deliveries);
    const Json after = server.ask("varz");
    EXPECT_EQ(after["in_msgs"].get<int>() - before["in_msgs"].get<int>(), 200);
    EXPECT_EQ(after["out_msgs"].get<int>() - before["out_msgs"].get<int>(), deliveries);
    EXPECT_EQ(after["connections"], 0);
    EXPECT_EQ(run["server"], "nats-server " + after["version"].get<std::string>());
    EXPECT_TRUE(run["cpu_per_delivery_ns"].is_null()) << "nobody knows what its processes take";
  }
  EXPECT_EQ(server.ask("subsz")["num_subscriptions"], empty["num_subscriptions"]);
}

TEST_F(Nats, BringsEachReplyToItsRequester) {
  NatsServer server;
  for (const auto& [from, requests] : {std::pair("one", 200), std::pair("all", 600)}) {
    SCOPED_TRACE(from);
    const Json before = server.ask("varz");
    Json plan = nats(server.address());
    plan["queue"] = {{"mode", "request-reply"}, {"reply_from", from}};
    const Json run = this->run(plan);
    EXPECT_EQ(run["verdict"], "passed") << run;
    const Json after = server.ask("varz");
    EXPECT_EQ(after["in_msgs"].get<int>() - before["in_msgs"].get<int>(), 200 + requests);
    EXPECT_EQ(after["out_msgs"].get<int>() - before["out_msgs"].get<int>(), 2 * requests);
  }
}

TEST_F(Nats, SpreadsOverTheServersOfAClusterAndLeavesOutOneThatIsNotThere) {
  const NatsPair pair;
  const ReservedPort dead;
  const auto clients = [](const NatsServer& server) {
    const Json all = server.ask("connz?state=closed")["connections"];
    return std::ranges::count_if(all, [](const Json& one) { return one.value("name", "") == "n2nq"; });
  };
  expect_all_came(run(nats(pair.addresses())), "nats", /*answers=*/false);
  EXPECT_EQ(clients(pair.first), 4) << "2 of 4 senders and 2 of 3 receivers";
  EXPECT_EQ(clients(pair.second), 3);
  expect_all_came(run(nats("127.0.0.1:" + std::to_string(dead.number()) + "," + pair.second.address())), "nats",
                  /*answers=*/false);
  EXPECT_EQ(clients(pair.second), 10);
}

// To the message, though nobody answers for any.
TEST_F(Nats, CountsWhatAServerLoses) {
  const FakeNats server({.drops_every = 1000});
  Json plan = nats(server.address());
  plan["senders"] = {{"count", 4}, {"messages", 1000}, {"delay", "0s"}};
  plan["bus"]["quiet"] = "200ms";
  const Json run = this->run(plan, 1);
  EXPECT_EQ(server.published(), 4000u);
  EXPECT_EQ(server.dropped(), 4u);
  EXPECT_TRUE(run["accepted"].is_null());
  EXPECT_EQ(run["received"], 3 * 3996);
  EXPECT_EQ(run["lost"], 3 * 4);
  EXPECT_NE(run["verdict"], "passed");
}

// One receiver takes nothing for some seconds; the server holds for it no more than it may.
TEST_F(Nats, CountsWhatAReceiverMissesThatIsCutOffForBeingBehind) {
  NatsServer server("max_pending: 1048576\nmax_payload: 1048576");
  Json plan = nats(server.address());
  plan["senders"] = {{"count", 1}, {"messages", 2000}, {"delay", "0s"}, {"size", "64KiB"}};
  plan["receivers"] = {{"count", 1}, {"pause", "100ms..5s"}};
  plan["bus"]["quiet"] = "500ms";
  const Json run = this->run(plan, 1);
  EXPECT_EQ(server.ask("varz")["slow_consumers"], 1);
  EXPECT_EQ(run["sent"], 2000);
  EXPECT_GT(run["lost"], 0);
  EXPECT_EQ(run["received"].get<int>() + run["lost"].get<int>(), 2000);
  EXPECT_EQ(run["received"], lines_of(run["folder"], "receiver"));
  EXPECT_THAT(run["reason"].get<std::string>(), HasSubstr("max_pending")) << run;
}

TEST_F(Nats, CountsToTheEndWhenItsServerDies) {
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    SCOPED_TRACE(mode);
    NatsServer server;
    Json plan = nats(server.address());
    plan["queue"] = {{"mode", mode}};
    plan["senders"] = {{"count", 2}, {"messages", 100000}, {"delay", "1ms"}};
    plan["bus"]["quiet"] = "200ms";
    const Json run = run_until_killed(plan, server);
    const int copies = mode == "broadcaster" ? 3 : 1;
    EXPECT_EQ(run["lost"].get<int>(), copies * run["sent"].get<int>() - run["received"].get<int>()) << run;
  }
}

TEST_F(Nats, SaysWhatIsWrongWithTheServer) {
  const NatsServer locked("authorization { token: \"x\" }");
  const NatsServer small("max_payload: 1000");
  const FakeNats other({.greeting = "HTTP/1.1 400 Bad Request\r\n\r\n"});
  for (const auto& [address, text] :
       {std::pair(locked.address(), "it wants a login"), std::pair(other.address(), "does not speak as one"),
        std::pair(small.address(), "takes no message above 1000 B")}) {
    Json plan = nats(address);
    plan["senders"]["size"] = "2KiB";
    const BenchEnded ended = place.run({"run", place.plan(plan), "--json"});
    EXPECT_NE(ended.exit, Exit{.code = 0}) << address;
    EXPECT_THAT(ended.err, HasSubstr(text));
  }
}

struct JetStream : Nats {
  Json jetstream(const std::string& address = {}) const { return base(address, "jetstream"); }
};

TEST_F(JetStream, StartsAServerForTheRunAndAnswersForEachMessage) {
  const Json run = this->run(jetstream());
  expect_all_came(run, "jetstream");
  EXPECT_EQ(run["kept_in"], "page cache");
  EXPECT_EQ(run["publish_ns"]["count"], 200);
  EXPECT_EQ(lines_of(run["folder"], "receiver"), 600u);
}

TEST_F(JetStream, CountsAsItsServerDoesAndLeavesNothingThere) {
  JetStreamServer server;
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    for (const std::string acknowledge : {"explicit", "all", "none"}) {
      SCOPED_TRACE(mode + " " + acknowledge);
      Json plan = jetstream(server.address());
      plan["queue"] = {{"mode", mode}};
      plan["bus"]["acknowledge"] = acknowledge;
      plan["bus"]["storage"] = "memory";
      const Json run = this->run(plan);
      EXPECT_EQ(run["verdict"], "passed") << run;
      EXPECT_EQ(run["kept_in"], "memory");
      EXPECT_EQ(run["accepted"], 200);
      EXPECT_EQ(run["received"], mode == "broadcaster" ? 600 : 200);
      EXPECT_EQ(run["redelivered"], 0);
      const Json after = server.ask("jsz");
      EXPECT_EQ(after["streams"], 0);
      EXPECT_EQ(after["consumers"], 0);
      EXPECT_EQ(server.ask("varz")["connections"], 0);
    }
  }
}

// What its files have after a restart lies between what was accepted and what was sent.
TEST_F(JetStream, LosesNothingOfWhatItAcceptedWhenItIsKilled) {
  JetStreamServer server;
  Json plan = jetstream(server.address());
  plan["senders"] = {{"count", 2}, {"messages", 100000}, {"delay", "200us"}};
  plan["bus"]["quiet"] = "200ms";
  const Json run = run_until_killed(plan, server);
  expect_exact(run, 3);
  server.start();
  const Json kept = server.ask("jsz")["messages"];
  EXPECT_GE(kept, run["accepted"]);
  EXPECT_LE(kept, run["sent"]);
}

// Some are in, and then there is no room; what to do depends on where it keeps them.
TEST_F(JetStream, SaysThatItHasNoMoreRoom) {
  for (const auto& [storage, limit] :
       {std::pair<std::string, std::string>("file", "max_file_store"), {"memory", "max_memory_store"}}) {
    SCOPED_TRACE(storage);
    const JetStreamServer server(limit + ": 1MB");
    Json plan = jetstream(server.address());
    plan["senders"] = {{"count", 2}, {"messages", 1000}, {"delay", "0s"}, {"size", "4KiB"}};
    plan["bus"].update({{"storage", storage}, {"window", 10}, {"quiet", "200ms"}});
    const Json run = this->run(plan, 1);
    EXPECT_EQ(run["verdict"], "failed");
    EXPECT_THAT(run["reason"].get<std::string>(), HasSubstr("raise its " + limit)) << run;
    EXPECT_GT(run["accepted"], 100);
    EXPECT_GT(run["refused"], 0);
    EXPECT_EQ(run["lost"], 0);
    expect_exact(run, 3);
  }
}

}  // namespace
}  // namespace n2nq::test
