// Runs over a server of the user's own to which something happens meanwhile: each message has one fate all the same.
#include <signal.h>

#include <ostream>
#include <sstream>
#include <thread>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct OwnServerCase {
  std::string kind, server;
  Json settings = Json::object();
};

std::ostream& operator<<(std::ostream& out, const OwnServerCase& one) {
  return out << one.kind;
}

struct OwnServer : ForeignBus, testing::WithParamInterface<OwnServerCase> {
  // Of 2 receivers.
  Json plan(const BusServer& server, const std::string& mode = "broadcaster") const {
    Json plan = base(server.address(), GetParam().kind);
    plan["bus"].update(GetParam().settings);
    plan["queue"]["mode"] = mode;
    plan["senders"] = {{"count", 2}, {"duration", "5s"}, {"messages", nullptr}, {"delay", "5ms"}};
    plan["receivers"] = {{"count", 2}};
    return plan;
  }
};

TEST_P(OwnServer, MayPauseForAWhile) {
  const auto server = new_server(GetParam().server);
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    SCOPED_TRACE(mode);
    const Json run = run_with(plan(*server, mode), [&] {
      server->process().signal(SIGSTOP);
      std::this_thread::sleep_for(3s);
      server->process().signal(SIGCONT);
    });
    EXPECT_EQ(run["verdict"], "passed") << run;
    expect_exact(run, mode == "broadcaster" ? 2 : 1);
    EXPECT_EQ(run["accepted"], run["sent"]);
    EXPECT_EQ(run["lost"], 0);
    EXPECT_GT(run["publish_ns"]["max"], 1'000'000'000) << "some waited for it";
  }
}

// A link goes on or ends, and says so.
TEST_P(OwnServer, MayBeKilledAndStartedAgain) {
  const auto server = new_server(GetParam().server);
  const Json run = run_with(plan(*server), [&] {
    server->process().signal(SIGKILL);
    server->start();
  });
  expect_exact(run, 2);
  EXPECT_GT(run["accepted"], 0);
  if (run["verdict"] == "passed") {
    EXPECT_EQ(run["lost"], 0) << run;
  } else {
    EXPECT_EQ(run["verdict"], "failed");
    EXPECT_THAT(run["reason"].get<std::string>(), HasSubstr(" has ended: ")) << run;
  }
}

const auto kNameOfOwn = [](const auto& info) {
  std::string name = info.param.kind;
  std::erase(name, '-');
  return name;
};
INSTANTIATE_TEST_SUITE_P(Buses, OwnServer,
                         testing::Values(OwnServerCase{"redis-streams", "redis"},
                                         OwnServerCase{"jetstream", "jetstream"},
                                         OwnServerCase{"rabbitmq", "rabbitmq", {{"persistent", true}}},
                                         OwnServerCase{"kafka", "kafka"}),
                         kNameOfOwn);

// By somebody else, of a server that goes on.
void remove_what_it_keeps(BusServer& server) {
  if (auto* redis = dynamic_cast<RedisServer*>(&server)) {
    Options removal{"DEL"};
    std::istringstream keys(redis->ask({"KEYS", "n2nq.*"}));
    for (std::string key; std::getline(keys, key);) removal.push_back(key);
    redis->ask(removal);
  }
  if (auto* kafka = dynamic_cast<KafkaServer*>(&server)) kafka->remove(kafka->topic_of_run());
  if (auto* rabbit = dynamic_cast<RabbitServer*>(&server)) rabbit->remove_queues();
  if (auto* jetstream = dynamic_cast<JetStreamServer*>(&server)) jetstream->remove_streams();
}

struct RobbedServer : OwnServer {};

TEST_P(RobbedServer, EndsTheRunByWordsAndACountOfEach) {
  const auto server = new_server(GetParam().server);
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    SCOPED_TRACE(mode);
    Json plan = this->plan(*server, mode);
    plan["senders"]["duration"] = "60s";  // it ends before that
    const Json run = run_with(plan, [&] { remove_what_it_keeps(*server); });
    EXPECT_EQ(run["verdict"], "failed") << run;
    EXPECT_LT(run["sent"], 20'000) << run;
    EXPECT_THAT(run["events"].dump(), HasSubstr("removed")) << run["reason"];
    expect_exact(run, mode == "broadcaster" ? 2 : 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Buses, RobbedServer,
                         testing::Values(OwnServerCase{"redis-streams", "redis"},
                                         OwnServerCase{"jetstream", "jetstream"}, OwnServerCase{"rabbitmq", "rabbitmq"},
                                         OwnServerCase{"kafka", "kafka", {{"delivery_timeout", "3s"}}}),
                         kNameOfOwn);

}  // namespace
}  // namespace n2nq::test
