// Runs over RabbitMQ without a window: with a server that is started for the run, and with the user's own. Judged by
// the server's own counts.
#include <fstream>
#include <thread>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct RabbitMq : ForeignBus {
  Json rabbit(const std::string& address = {}) const { return base(address, "rabbitmq"); }
};

TEST_F(RabbitMq, StartsAServerForTheRunAndMeasuresItsProcesses) {
  const Json run = this->run(rabbit());
  expect_all_came(run, "rabbitmq");
  EXPECT_THAT(run["server"].get<std::string>(), testing::MatchesRegex("rabbitmq-server [0-9]+\\..*"));
  EXPECT_FALSE(run["cpu_per_delivery_ns"].is_null());
  EXPECT_EQ(run["publish_ns"]["count"], 200);
  EXPECT_EQ(run["kept_in"], "memory");
  EXPECT_EQ(run["bus_settings"]["prefetch"], 250) << run["bus_settings"];
  EXPECT_EQ(lines_of(run["folder"], "receiver"), 600u);
  std::ifstream log(run["folder"].get<std::string>() + "/server.log");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(log), {}}), HasSubstr("started TCP listener"));
}

TEST_F(RabbitMq, CountsAsItsServerDoesAndLeavesNothingThere) {
  RabbitServer server;
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    for (const std::string type : {"classic", "quorum"}) {
      SCOPED_TRACE(mode + " " + type);
      Json plan = rabbit(server.address());
      plan["queue"] = {{"mode", mode}};
      plan["bus"]["queue_type"] = type;
      plan["bus"]["exchange"] = "direct";
      if (mode == "load-balancer") plan["bus"]["queues"] = 3;
      const char* const kCounts[] = {"messages_received_total", "messages_confirmed_total", "messages_delivered_total",
                                     "messages_acknowledged_total"};
      std::vector<int64_t> counts;
      for (const char* of : kCounts) counts.push_back(-server.count(of));
      const Json run = this->run(plan);
      for (size_t i = 0; i < counts.size(); i++) counts[i] += server.count(kCounts[i]);
      const int64_t copies = mode == "broadcaster" ? 3 : 1;
      EXPECT_EQ(counts, (std::vector<int64_t>{200, 200, copies * 200, copies * 200}));
      EXPECT_EQ(run["verdict"], "passed") << run;
      EXPECT_EQ(run["kept_in"], type == "quorum" ? "file (fsync each time)" : "memory");
      EXPECT_EQ(run["accepted"], 200);
      EXPECT_EQ(run["received"], mode == "broadcaster" ? 600 : 200);
      EXPECT_EQ(run["redelivered"], 0);
      EXPECT_TRUE(run["cpu_per_delivery_ns"].is_null()) << "nobody knows what its processes take";
      EXPECT_EQ(server.of_runs(), "");
    }
  }
}

TEST_F(RabbitMq, KnowsOfNoneThatItIsAcceptedWithoutConfirms) {
  Json plan = rabbit(shared_server("rabbitmq").address());
  plan["bus"]["confirms"] = false;
  const Json run = this->run(plan);
  expect_all_came(run, "rabbitmq", /*answers=*/false);
  EXPECT_TRUE(run["publish_ns"].is_null());
}

// What receivers have had, and what its files have after a restart, is at least what was accepted.
TEST_F(RabbitMq, LosesNothingOfWhatItAcceptedWhenItIsKilled) {
  RabbitServer server;
  Json plan = rabbit(server.address());
  plan["queue"] = {{"mode", "load-balancer"}};
  plan["senders"] = {{"count", 2}, {"messages", 100000}, {"delay", "1ms"}};
  plan["receivers"] = {{"count", 2}, {"service_time", "5ms"}};
  plan["bus"].update({{"persistent", true}, {"quiet", "200ms"}});
  const Json run = run_until_killed(plan, server);
  expect_exact(run, 1);
  server.start();
  const std::string queue = server.queues("messages");
  const int kept = std::stoi(queue.substr(queue.find(".queue.1 ") + 9));
  EXPECT_GT(kept, 0) << queue;
  EXPECT_GE(kept + run["received"].get<int>(), run["accepted"].get<int>());
}

// It has run low on something, or says so; then it takes messages again.
TEST_F(RabbitMq, SaysThatAnAlarmOfTheServerHoldsSendersUp) {
  struct Alarm {
    std::string what, set, by, no_more;
    std::chrono::seconds length;
  };
  RabbitServer server;
  Json plan = rabbit(server.address());
  plan["senders"] = {{"count", 2}, {"messages", 3000}, {"delay", "1ms"}};
  // One for longer than a server that says nothing is taken for dead, and than there is to send.
  for (const Alarm& alarm :
       {Alarm{"memory", "vm_memory_monitor:set_vm_memory_high_watermark", "0.00001", "0.4", 9s},
        Alarm{"disk", "rabbit_disk_monitor:set_disk_free_limit", "1000000000000000", "50000000", 0s}}) {
    SCOPED_TRACE(alarm.what);
    Process bench = place.start({"run", place.plan(plan), "--json"});
    ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
    server.ask(alarm.set + "(" + alarm.by + ")");
    EXPECT_TRUE(bench.wait_err("takes no messages for now: \"low on " + alarm.what + "\"; it has an alarm", 60s))
        << bench.err();
    std::this_thread::sleep_for(alarm.length);
    server.ask(alarm.set + "(" + alarm.no_more + ")");
    EXPECT_TRUE(bench.wait_err("takes messages again", 60s)) << bench.err();
    ASSERT_TRUE(bench.wait_exit(60s));
    const Json run = Json::parse(bench.out())["runs"][0];
    EXPECT_EQ(run["received"], 3 * 6000) << run;
    EXPECT_EQ(server.of_runs(), "");
  }
}

TEST_F(RabbitMq, SaysWhatIsWrongWithTheServer) {
  RabbitServer server;
  server.ask("rabbit_auth_backend_internal:change_password(<<\"guest\">>, <<\"other\">>, <<\"test\">>)");
  const BenchEnded ended = place.run({"run", place.plan(rabbit(server.address())), "--json"});
  EXPECT_NE(ended.exit, Exit{.code = 0});
  EXPECT_THAT(ended.err, HasSubstr("it wants a login; give bus.user"));
}

}  // namespace
}  // namespace n2nq::test
