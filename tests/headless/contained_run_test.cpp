// Runs whose server or workers are in containers, by a plan: what their results say of it, and what stops them.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "tests/headless/foreign_bus.h"
#include "tests/helpers/lab/boxes.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

struct ContainedRun : ForeignBus {
  void SetUp() override {
    if (const auto why = Boxes::why_not()) GTEST_SKIP() << *why;
    boxes = std::make_unique<Boxes>();
    boxes->make_image_of("servers/nats:test", "nats-server", N2NQ_TEST_SERVERS "/usr/sbin/nats-server");
    boxes->enter_environment();
  }
  ~ContainedRun() override { EXPECT_TRUE(boxes == nullptr || boxes->wait_no_container(10s)); }
  Json nats(const std::string& image = "servers/nats:test") const {
    Json plan = base({}, "nats");
    plan["bus"]["image"] = image;
    return plan;
  }
  std::unique_ptr<Boxes> boxes;
};

TEST_F(ContainedRun, SaysInWhatItsServerRanAndMeasuresItsProcess) {
  Json plan = nats();
  plan["bus"]["cpus"] = 1.5;
  plan["bus"]["memory"] = "256MiB";
  const Json run = this->run(plan);
  expect_all_came(run, "nats", /*answers=*/false);
  EXPECT_THAT(run["server"].get<std::string>(),
              MatchesRegex("nats-server [0-9.]+ in servers/nats:test \\(sha256:[0-9a-f]{64}\\)"));
  EXPECT_EQ(run["bus_settings"]["image"], "servers/nats:test");
  EXPECT_EQ(run["bus_settings"]["cpus"], 1.5);
  EXPECT_EQ(run["bus_settings"]["memory"], "256MiB");
  EXPECT_FALSE(run["cpu_per_delivery_ns"].is_null()) << "its own process, and not podman";
}

// As the recorder reads it in /proc, of the receivers' own process: 200 times 5 ms, at most half of each second where
// it is held to that. That nothing else holds it is shown by one run of several, as others may want the processor too.
TEST_F(ContainedRun, HoldsReceiversThatComputeToHalfAProcessor) {
  Json plan = {{"senders", {{"count", 1}, {"messages", 200}, {"delay", "1ms"}}},
               {"receivers", {{"count", 1}, {"service_time", "busy:5ms"}}},
               {"queue", {{"mode", "load-balancer"}, {"drain_timeout", "60s"}}},
               {"recorder", {{"period", "200ms"}}}};
  const auto shares = [&] {
    const Json run = this->run(plan);
    EXPECT_EQ(run["verdict"], "passed") << run;
    EXPECT_EQ(run["received"], 200);
    std::vector<double> all;
    for (const Json& host : run["hosts"])
      for (const Json& series : host["series"]) {
        if (series["subject"] != "receivers" || series["name"] != "cpu") continue;
        EXPECT_GE(series["total"].get<double>(), 1e9) << "of its services alone";
        EXPECT_LE(series["total"].get<double>(), 1.2e9) << "of all else that it did";
        for (const Json& value : series["values"])
          if (value.is_number()) all.push_back(value);
      }
    std::ranges::sort(all);
    return all;
  };
  const auto most_of_a_free_one = [&] {
    const std::vector<double> all = shares();
    return all.empty() ? 0 : all.back();
  };
  plan["receivers"]["cpus"] = 0.5;
  const std::vector<double> held = shares();
  ASSERT_GE(held.size(), 8u) << "a second's work takes two";
  EXPECT_LE(held[held.size() / 2], 0.6);
  plan["receivers"].erase("cpus");
  double most = 0;
  for (int runs = 0; runs < 3 && most <= 0.6; runs++) most = most_of_a_free_one();
  EXPECT_GT(most, 0.6) << "nothing but the limit holds it";
}

// Which pods the service in front of receivers takes, as kubectl would be told: "app=n2nq,role=receiver".
std::string selected_by_the_service() {
  std::ifstream service(N2NQ_SOURCE_DIR "/resources/kubernetes/receivers.yaml");
  std::string labels;
  bool selector = false;
  for (std::string line; std::getline(service, line);) {
    std::string key, value;
    std::istringstream(line) >> key >> value;
    if (selector && !line.starts_with("    ")) break;
    if (selector) labels += (labels.empty() ? "" : ",") + key.substr(0, key.find(':')) + "=" + value;
    selector = selector || key == "selector:";
  }
  return labels;
}

TEST_F(ContainedRun, EndsWithTheRunThatIsStopped) {
  Json plan = nats();
  plan["senders"] = {{"count", 1}, {"messages", 100'000}, {"delay", "1ms"}};
  Process bench = place.start({"run", place.plan(plan), "--json"});
  EXPECT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  EXPECT_EQ(boxes->containers().size(), 1u);
  bench.signal(SIGKILL);
  EXPECT_TRUE(bench.wait_exit(20s));
  EXPECT_TRUE(boxes->wait_no_container(20s));
  EXPECT_EQ(processes_left_at(20s), std::vector<std::string>());
}

// By the template of docs/remote.md. A process looks itself whether it is held, as there is no podman in its pod.
TEST_F(ContainedRun, HasAPodForEachProcessWithItsLimits) {
  std::ifstream docs(N2NQ_SOURCE_DIR "/docs/remote.md");
  std::string entry;
  for (std::string line; std::getline(docs, line);)
    if (line.starts_with("{ \"name\": \"node1\"")) {
      std::getline(docs, entry);
      entry = line + entry;
    }
  Json host = Json::parse(entry);
  std::string command = host["command"];
  command.replace(0, std::string("kubectl").size(), N2NQ_SOURCE_DIR "/tests/headless/false_kubectl.py");
  command.replace(command.find("registry.example/n2nq"), std::string("registry.example/n2nq").size(), "localhost/n2nq");
  host["command"] = command;
  host["data_address"] = "127.0.0.1";
  const std::string hosts = place / "hosts.json", log = place / "pods";
  std::ofstream(hosts) << Json{{"version", 1}, {"hosts", {host}}};
  output_of({N2NQ_SOURCE_DIR "/resources/kubernetes/image.sh", "n2nq", N2NQ_PROGRAMS_FOR_HOSTS});
  const Json plan = {{"senders", {{"count", 2}, {"processes", 2}, {"messages", 50}, {"hosts", {"node1"}}}},
                     {"receivers", {{"count", 1}, {"hosts", {"node1"}}, {"cpus", 0.5}, {"memory", "64MiB"}}},
                     {"queue", {{"host", "node1"}, {"cpus", 1}}}};
  const BenchEnded ended =
      place.run({"run", place.plan(plan), "--json", "--hosts", hosts}, {"FALSE_KUBECTL_LOG=" + log});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_EQ(ended.result()["runs"][0]["received"], 100);
  std::map<std::string, int> pods;
  std::set<std::string> names;
  std::ifstream made(log);
  for (std::string name, cpus, memory, labels; made >> name >> cpus >> memory >> labels;) {
    EXPECT_TRUE(names.insert(name).second) << name;
    const std::string role = name.substr(5, name.find('-', 5) - 5);
    pods[role + " " + cpus + " " + memory]++;
    EXPECT_EQ(labels == selected_by_the_service(), role == "receiver") << name << ' ' << labels;
  }
  EXPECT_EQ(pods["sender 0 0"], 2);
  EXPECT_EQ(pods["receiver 0.5 67108864"], 1);
  EXPECT_EQ(pods["queue 1 0"], 1);
}

TEST_F(ContainedRun, DoesNotBeginWithoutItsImage) {
  const BenchEnded ended = place.run({"run", place.plan(nats("servers/nats:other")), "--json"});
  EXPECT_NE(ended.exit, Exit{.code = 0});
  EXPECT_THAT(ended.err + ended.out, HasSubstr("podman pull servers/nats:other"));
}

}  // namespace
}  // namespace n2nq::test
