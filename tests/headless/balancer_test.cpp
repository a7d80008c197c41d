// Runs whose senders reach the receivers through a load balancer, by HTTP and by WebSocket: TLS that ends there, a name
// that is not its address, and receivers in two processes at ports that it was given.
#include <ostream>
#include <random>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct BalancerCase {
  std::string name, kind, mode;
  Json settings = Json::object();
};

std::ostream& operator<<(std::ostream& out, const BalancerCase& one) {
  return out << one.name;
}

struct Balancer : ForeignBus, testing::WithParamInterface<BalancerCase> {
  // The next port is free as well; both below those that the kernel gives to connections.
  static uint16_t first_of_two() {
    std::random_device random;
    while (true) {
      const auto first = static_cast<uint16_t>(23'000 + random() % 8'000);
      try {
        const ReservedPort one(first), next(static_cast<uint16_t>(first + 1));
        return first;
      } catch (const std::runtime_error&) {
      }
    }
  }
  // 4 receivers in 2 processes.
  Json plan(const HaProxy& balancer) const {
    const BalancerCase& wanted = GetParam();
    Json plan = base(balancer.address(), wanted.kind);
    plan["bus"].update({{"host_name", "localhost"}, {"receiver_port", first_}, {"tls", true}});
    plan["bus"].update(wanted.settings);
    plan["queue"] = {{"mode", wanted.mode}};
    plan["receivers"] = {{"count", 4}, {"processes", 2}};
    return plan;
  }
  BenchEnded run_through(const HaProxy& balancer, const Json& plan) const {
    return place.run({"run", place.plan(plan), "--set", "bus.tls_ca=" + balancer.authority(), "--json"});
  }
  // That the logs of one process have.
  static int64_t came_to(const Json& run, uint32_t first, uint32_t last) {
    int64_t rows = 0;
    for (const auto& [number, log] : read_logs(run["folder"], "receiver"))
      if (number >= first && number <= last) rows += static_cast<int64_t>(log.rows.size());
    return rows;
  }

  const uint16_t first_ = first_of_two();
  const std::vector<uint16_t> ports_{first_, static_cast<uint16_t>(first_ + 1)};
};

TEST_P(Balancer, BringsEachMessageToOneReceiverAsItCountsItself) {
  const HaProxy balancer(ports_);
  const BenchEnded ended = run_through(balancer, plan(balancer));
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err << ended.out;
  const Json run = ended.result().at("runs").at(0);
  EXPECT_EQ(run["verdict"], "passed") << run;
  EXPECT_EQ(run["sent"], 200);
  EXPECT_EQ(run["lost"], 0);
  const std::vector<int64_t> came{came_to(run, 1, 2), came_to(run, 3, 4)};
  EXPECT_EQ(came[0] + came[1], 200) << run;
  int64_t beside = 0;  // what each of the 4 senders asks for once, before it sends
  for (size_t i = 0; i < 2; i++) {
    if (GetParam().kind == "http") {
      EXPECT_GT(came[i], 0) << "both get their part";
      const int64_t answered = balancer.count(i, "hrsp_2xx");
      EXPECT_GE(answered, came[i]);
      beside += answered - came[i];
    } else {
      beside += balancer.count(i, "stot");
    }
  }
  EXPECT_EQ(beside, 4);
  // A connection leads to one receiver, with all that its sender sends.
  for (uint32_t i = 1; i <= 4 && GetParam().kind == "websocket"; i++) EXPECT_EQ(came_to(run, i, i) % 50, 0) << i;
}

TEST_P(Balancer, RefusesAnotherNameAndThatIsSaid) {
  const HaProxy balancer(ports_);
  Json plan = this->plan(balancer);
  plan["bus"]["host_name"] = "elsewhere";
  const BenchEnded ended = run_through(balancer, plan);
  EXPECT_NE(ended.exit, Exit{.code = 0});
  EXPECT_THAT(ended.err, HasSubstr("the load balancer at elsewhere:" + std::to_string(balancer.port()))) << ended.err;
}

// What was on its way is not answered; messages wait for it, and go on.
struct BalancerThatGoes : Balancer {};

TEST_P(BalancerThatGoes, MayBeStartedAgain) {
  HaProxy balancer(ports_);
  Json plan = this->plan(balancer);
  plan["senders"] = {{"count", 2}, {"messages", 300}, {"delay", "10ms"}};
  Process bench = place.start(
      {"run", place.plan(plan), "--set", "bus.tls_ca=" + balancer.authority(), "--set", "warmup=0s", "--json"});
  ASSERT_TRUE(bench.wait_err(", p50 ", 60s)) << bench.err();
  balancer.process().signal(SIGKILL);
  balancer.start();
  ASSERT_TRUE(bench.wait_exit(90s)) << bench.err();
  const Json run = Json::parse(bench.out())["runs"][0];
  EXPECT_EQ(run["sent"], 600) << run;
  EXPECT_GE(run["received"], 400) << run;
  if (GetParam().kind == "http") expect_exact(run, 1);
}

INSTANTIATE_TEST_SUITE_P(Buses, BalancerThatGoes,
                         testing::Values(BalancerCase{"http", "http", "load-balancer"},
                                         BalancerCase{"websocket", "websocket", "load-balancer"}),
                         [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(Buses, Balancer,
                         testing::Values(BalancerCase{"http", "http", "load-balancer"},
                                         BalancerCase{"httpFresh", "http", "load-balancer", {{"connection", "fresh"}}},
                                         BalancerCase{"httpReplies", "http", "request-reply"},
                                         BalancerCase{"websocket", "websocket", "load-balancer"},
                                         BalancerCase{"websocketReplies", "websocket", "request-reply"}),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace n2nq::test
