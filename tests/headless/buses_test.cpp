// n2nq-bench buses: which servers are installed on which computer, and whether a bus really works there.
#include <filesystem>
#include <fstream>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Buses : ForeignBus {
  // A folder for PATH with nothing in it but this program.
  std::string path_with(const std::string& program = {}, const std::string& text = {}) const {
    const fs::path folder = place / "bin";
    fs::create_directories(folder);
    if (program.empty()) return "PATH=" + folder.string();
    std::ofstream(folder / program) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(folder / program, fs::perms(0755));
    return "PATH=" + folder.string();
  }
  // This computer once more, behind a command, and one that is not there.
  std::string hosts() const {
    const std::string file = place / "hosts.json";
    std::ofstream(file) << Json{{"version", 1},
                                {"hosts",
                                 {{{"name", "box"},
                                   {"kind", "command"},
                                   {"command", "env {command}"},
                                   {"data_address", "127.0.0.1"},
                                   {"work_folder", (place / "box").string()}},
                                  {{"name", "gone"}, {"address", "127.0.0.1"}, {"port", 1}}}}};
    return file;
  }
  static const Json& server_of(const Json& computer, const std::string& kind) {
    for (const Json& server : computer["servers"])
      if (server["server"] == kind) return server;
    static const Json kNone = Json::object();
    ADD_FAILURE() << "no " << kind << " in " << computer;
    return kNone;
  }
  void expect_no_results() const {
    EXPECT_EQ(Json::parse(place.run({"results", "--json"}).out)["results"], Json::array());
  }
};

TEST_F(Buses, AreListedWithTheServersThatAreInstalled) {
  const BenchEnded ended = place.run({"buses"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("n2nq +broadcaster, load balancer, requests +memory +needs no server\n"));
  EXPECT_THAT(ended.out, ContainsRegex("http +load balancer, requests +nowhere +needs no server\n"));
  EXPECT_THAT(ended.out,
              ContainsRegex("redis-streams +broadcaster, load balancer, requests +memory +[0-9]+\\.[0-9.]+\n"));
  EXPECT_THAT(ended.out, ContainsRegex("  redis-server [0-9.]+ +/.*/redis-server\n"));

  const Json list = Json::parse(place.run({"buses", "--json"}).out);
  ASSERT_EQ(list["computers"].size(), 1u);
  EXPECT_TRUE(list["computers"][0]["host"].is_null());
  for (const std::string kind : {"redis", "nats", "jetstream", "rabbitmq", "kafka", "relay"}) {
    const Json& server = server_of(list["computers"][0], kind);
    EXPECT_TRUE(fs::exists(server["file"].get<std::string>())) << server;
    EXPECT_THAT(server["version"].get<std::string>(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+")) << server;
    EXPECT_THAT(server["install"].get<std::string>(),
                AnyOf(HasSubstr("sudo apt install "), HasSubstr("n2nq-bench buses fetch "),
                      HasSubstr("it is part of n2nq-broker")));
  }
  for (const Json& bus : list["buses"]) {
    EXPECT_FALSE(bus["modes"].empty()) << bus;
    if (bus["server"].is_string()) server_of(list["computers"][0], bus["server"]);
  }
}

TEST_F(Buses, WhoseServersLackSayWhatInstallsThem) {
  const std::string none = path_with();
  const BenchEnded ended = place.run({"buses"}, {none});
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("redis-pubsub .* not installed\n"));
  EXPECT_THAT(ended.out,
              ContainsRegex("redis-server +not installed; install it with: sudo apt install redis-server\n"));
  const Json list = Json::parse(place.run({"buses", "--json"}, {none}).out);
  EXPECT_TRUE(server_of(list["computers"][0], "redis")["file"].is_null());

  const BenchEnded tested = place.run({"buses", "test", "redis-streams"}, {none});
  EXPECT_EQ(tested.exit, Exit{.code = 3}) << tested.err;
  EXPECT_THAT(tested.out, ContainsRegex("program +FAILED .*redis-server is not installed here; install it with: sudo "
                                        "apt install redis-server\n"));
  EXPECT_THAT(tested.out, Not(HasSubstr("messages"))) << "nothing else was tried";
  for (const std::string bus : {"http", "relay"})
    EXPECT_EQ(place.run({"buses", "test", bus}, {none}).exit, Exit{.code = 0}) << "it needs none that is not there";
}

TEST_F(Buses, AreTestedStepByStepAndTheRunIsNoResult) {
  for (const std::string bus : {"n2nq", "redis-streams", "http", "rabbitmq", "kafka"}) {
    SCOPED_TRACE(bus);
    const BenchEnded ended = place.run({"buses", "test", bus});
    EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.out << ended.err;
    for (const std::string step : {"connections", "messages", "end"})
      EXPECT_THAT(ended.out, ContainsRegex(step + " +ok +[0-9.]+ (µs|ms|s)  "));
    EXPECT_THAT(ended.out, HasSubstr("10 sent, 10 accepted, 10 received, none lost"));
    EXPECT_THAT(ended.out, HasSubstr(" works on this computer.\n"));
    const bool server = bus != "n2nq" && bus != "http";
    EXPECT_EQ(ended.out.find("server        ok ") != std::string::npos, server) << ended.out;
    EXPECT_EQ(ended.out.find("program       ok ") != std::string::npos, server);
  }
  const Json json = Json::parse(place.run({"buses", "test", "redis-streams", "--json"}).out);
  EXPECT_EQ(json["bus"], "redis-streams");
  EXPECT_TRUE(json["host"].is_null());
  EXPECT_EQ(json["outcome"], "works");
  ASSERT_EQ(json["steps"].size(), 5u);
  EXPECT_EQ(json["steps"][3]["step"], "messages");
  EXPECT_THAT(json["steps"][3]["text"].get<std::string>(), HasSubstr("10 received, none lost"));
  EXPECT_GT(json["steps"][3]["duration_ns"], 0);
  expect_no_results();
}

TEST_F(Buses, WhoseServerDoesNotStartFailThere) {
  const std::string broken =
      path_with("redis-server", "test \"$*\" = --version && echo 'Redis server v=9.9.1' || { echo no disk; exit 7; }");
  const BenchEnded ended = place.run({"buses", "test", "redis-pubsub"}, {broken});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("program +ok .*redis-server 9\\.9\\.1, "));
  EXPECT_THAT(ended.out, ContainsRegex("server +FAILED .*has not started.*no disk"));
  EXPECT_THAT(ended.out, Not(HasSubstr("works on")));
}

TEST_F(Buses, OfHostsAreListedAndTestedToo) {
  const std::string file = hosts();
  const BenchEnded all = place.run({"buses", "--all-hosts", "--json", "--hosts", file});
  EXPECT_EQ(all.exit, Exit{.code = 4}) << "one of them is not there";
  EXPECT_THAT(all.err, HasSubstr("gone"));
  const Json computers = Json::parse(all.out)["computers"];
  ASSERT_EQ(computers.size(), 3u) << all.out;
  EXPECT_EQ(computers[1]["host"], "box");
  const auto installed = [](Json servers) {
    for (Json& server : servers)
      if (server["server"] == "relay") server.erase("file");  // the queue's own program there
    return servers;
  };
  EXPECT_EQ(installed(computers[1]["servers"]), installed(computers[0]["servers"])) << "it is this computer";
  EXPECT_TRUE(computers[2]["servers"].is_null());
  EXPECT_FALSE(computers[2]["error"].is_null());
  EXPECT_THAT(place.run({"buses", "box", "--hosts", file}).out, HasSubstr("\nbox\n  redis-server "));

  const BenchEnded tested = place.run({"buses", "test", "redis-streams", "--host", "box", "--hosts", file});
  EXPECT_EQ(tested.exit, Exit{.code = 0}) << tested.out << tested.err;
  EXPECT_THAT(tested.out, HasSubstr("Redis Streams works on box.\n"));
  const BenchEnded lacks = place.run({"buses", "test", "redis-streams", "--host", "box", "--hosts", file},
                                     {path_with("env", "exec \"$@\"")});
  EXPECT_EQ(lacks.exit, Exit{.code = 4}) << lacks.out << lacks.err;
  const BenchEnded gone = place.run({"buses", "test", "n2nq", "--host", "gone", "--hosts", file});
  EXPECT_EQ(gone.exit, Exit{.code = 4}) << gone.out << gone.err;
  EXPECT_EQ(place.run({"buses", "nobody", "--hosts", file}).exit, Exit{.code = 2});
  expect_no_results();
}

// By a Maven that puts two files where it is told, or does as this one does.
struct Fetch : Buses {
  BenchEnded fetch(const std::string& maven) const {
    path_with("java", "exit 0");
    return place.run({"buses", "fetch", "kafka"}, environment(maven));
  }
  std::vector<std::string> environment(const std::string& maven) const {
    return {path_with("mvn", "PATH=/usr/bin:/bin\n" + maven), "XDG_DATA_HOME=" + (place / "share").string()};
  }
  fs::path folder() const { return place / "share/n2nq"; }
  bool is_empty() const { return !fs::exists(folder()) || fs::is_empty(folder()); }

  const std::string works =
      "for word in \"$@\"; do case $word in -DoutputDirectory=*) to=${word#*=};; esac; done\n"
      "grep -q '<artifactId>slf4j-reload4j</artifactId><version>1.7.36<' pom.xml || exit 3\n"
      "mkdir -p \"$to\"; echo 12 > \"$to/kafka_2.13-3.7.0.jar\"; echo 34 > \"$to/kafka-clients-3.7.0.jar\"";
};

TEST_F(Fetch, PutsTheServerIntoPlaceOnce) {
  const BenchEnded ended = fetch(works);
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("Kafka 3.7.0 fetched: " + (folder() / "kafka/libs").string() + " (2 files, 6 B)"));
  EXPECT_TRUE(fs::exists(folder() / "kafka/libs/kafka_2.13-3.7.0.jar"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1) << "and nothing beside it";
  const BenchEnded again = fetch("exit 9");
  EXPECT_EQ(again.exit, Exit{.code = 0}) << again.err;
  EXPECT_THAT(again.out, HasSubstr("Kafka is there already: "));
}

TEST_F(Fetch, LeavesNothingThatIsNotWhole) {
  const BenchEnded failed = fetch(works + "\necho '[ERROR] Could not resolve' >&2; exit 1");
  EXPECT_EQ(failed.exit, Exit{.code = 3});
  EXPECT_THAT(failed.err, HasSubstr("[ERROR] Could not resolve"));
  EXPECT_TRUE(is_empty());
  EXPECT_EQ(fetch("exit 0").exit, Exit{.code = 3}) << "nothing was fetched";
  EXPECT_TRUE(is_empty());

  Process bench = place.start({"buses", "fetch", "kafka"}, environment(works + "; sleep 60"));
  for (const Deadline until = 30s; !fs::exists(folder()) || is_empty();) ASSERT_FALSE(until.passed()) << bench.err();
  bench.signal(SIGINT);
  EXPECT_EQ(BenchPlace::finish(bench).exit, Exit{.code = 5});
  EXPECT_TRUE(is_empty());
}

TEST_F(Fetch, SaysWhatInstallsMavenWhereItLacks) {
  const BenchEnded ended = place.run({"buses", "fetch", "kafka"}, {path_with()});
  EXPECT_EQ(ended.exit, Exit{.code = 3});
  EXPECT_THAT(ended.err,
              HasSubstr("mvn is not installed, and is needed to fetch Kafka; install it with: sudo apt install "
                        "maven default-jre-headless"));
  const BenchEnded other = place.run({"buses", "fetch", "nats"});
  EXPECT_EQ(other.exit, Exit{.code = 2});
  EXPECT_THAT(other.err, HasSubstr("only kafka is fetched, not \"nats\""));
}

TEST_F(Buses, ThatAreNotThereAreRefusedByName) {
  const BenchEnded ended = place.run({"buses", "test", "carrier-pigeon"});
  EXPECT_EQ(ended.exit, Exit{.code = 2});
  EXPECT_THAT(ended.err, HasSubstr("there is no bus \"carrier-pigeon\"; write n2nq, redis-pubsub"));
}

}  // namespace
}  // namespace n2nq::test
