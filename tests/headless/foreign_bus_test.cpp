// Runs over Redis without a window: with a server that is started for the run, and with the user's own. Judged by the
// server's own counts, by a server that loses messages, and by a proxy that delays them.
#include "tests/headless/foreign_bus.h"

#include <signal.h>

#include <filesystem>
#include <fstream>

#include "tests/helpers/delaying_proxy.h"
#include "tests/helpers/fake_redis.h"
#include "tests/helpers/foreign_client.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST_F(ForeignBus, StartsAServerForTheRunAndMeasuresItsProcess) {
  const Json run = this->run(base());
  expect_all_came(run);
  EXPECT_THAT(run["server"].get<std::string>(), testing::MatchesRegex("redis-server [0-9]+\\..*"));
  EXPECT_FALSE(run["cpu_per_delivery_ns"].is_null());
  EXPECT_FALSE(run["host_cpu_percent"].is_null());
  EXPECT_EQ(lines_of(run["folder"], "sender"), 200u);
  EXPECT_EQ(lines_of(run["folder"], "receiver"), 600u);
  std::ifstream log(run["folder"].get<std::string>() + "/server.log");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(log), {}}), HasSubstr("Ready to accept connections"));
}

TEST_F(ForeignBus, UsesTheServerThatItIsGivenAndLeavesNothingThere) {
  RedisServer server;
  const Json run = this->run(base(server.address()));
  expect_all_came(run);
  EXPECT_EQ(server.calls("publish"), 200);
  EXPECT_EQ(server.calls("subscribe"), 3);
  EXPECT_EQ(server.ask({"PUBSUB", "CHANNELS"}), "");
  EXPECT_EQ(server.ask({"DBSIZE"}), "0");
  // Nobody knows what its processes take, nor its host.
  EXPECT_TRUE(run["cpu_per_delivery_ns"].is_null()) << run["cpu_per_delivery_ns"];
  EXPECT_TRUE(run["host_cpu_percent"].is_null()) << run["host_cpu_percent"];
  const std::string name = run["server"].get<std::string>();
  EXPECT_TRUE(name.starts_with("redis-server ")) << name;
  EXPECT_THAT(server.ask({"INFO", "server"}), HasSubstr("redis_version:" + name.substr(13) + "\r"));
  EXPECT_THAT(run["client"].get<std::string>(), testing::MatchesRegex("n2nq [0-9.]+"));
  EXPECT_FALSE(fs::exists(run["folder"].get<std::string>() + "/server.log"));
}

TEST_F(ForeignBus, NamesTheLibrariesThatSpeakWhereThereIsNoServer) {
  for (const bool tls : {false, true}) {
    Json plan = base({}, "http");
    plan["bus"]["tls"] = tls;
    plan["queue"] = {{"mode", "load-balancer"}};
    const Json run = this->run(plan);
    EXPECT_TRUE(run["server"].is_null());
    EXPECT_THAT(run["client"].get<std::string>(),
                testing::MatchesRegex(std::string("n2nq [0-9.]+, Boost 1\\.[0-9]+\\.[0-9]+") +
                                      (tls ? ", OpenSSL 3\\.[0-9]+\\.[0-9]+" : "")));
  }
}

TEST_F(ForeignBus, TellsHowTheKernelHasTheConnectionsOfItsWorkers) {
  std::string usual;
  std::ifstream("/proc/sys/net/ipv4/tcp_congestion_control") >> usual;
  for (const std::string kind : {"n2nq", "redis-pubsub", "websocket", "n2nq as asked for"}) {
    SCOPED_TRACE(kind);
    const bool asked = kind.ends_with("asked for");
    Json plan = base({}, kind.substr(0, kind.find(' ')));
    if (asked) plan["tcp"] = {{"congestion", "reno"}, {"no_delay", false}, {"send_buffer", "64KiB"}};
    const Json run = this->run(plan);
    int workers = 0;
    for (const Json& process : run["processes"]) {
      const Json& socket = process["socket"];
      if (process["role"] == "broker") {
        EXPECT_TRUE(socket.is_null()) << socket;
        continue;
      }
      workers++;
      EXPECT_EQ(socket["nodelay"], !asked) << process;
      EXPECT_EQ(socket["congestion_control"], asked ? "reno" : usual);
      if (asked) {
        EXPECT_EQ(socket["send_buffer_bytes"], 131'072) << "twice as much";
      }
      for (const char* buffer : {"send_buffer_bytes", "receive_buffer_bytes"})
        EXPECT_GT(socket[buffer].get<uint64_t>(), 4'096u) << process;
    }
    EXPECT_EQ(workers, 2);
  }
}

TEST_F(ForeignBus, SaysWithWhichSettingsItWasRunAndItsProfileReachesTheServer) {
  RedisServer server;
  Json plan = base(server.address(), "redis-streams");
  plan["bus"]["profile"] = "throughput";
  plan["bus"]["quiet"] = "900ms";
  const Json run = this->run(plan);
  EXPECT_EQ(run["verdict"], "passed") << run;
  EXPECT_EQ(run["bus_settings"], (Json{{"profile", "throughput"},
                                       {"address", server.address()},
                                       {"user", ""},
                                       {"tls", false},
                                       {"window", 10'000},
                                       {"fetch", 1'000},
                                       {"max_length", 0},
                                       {"take_over", "5s"},
                                       {"acknowledge_after", "reading"},
                                       {"quiet", "900ms"}}));
}

TEST_F(ForeignBus, SharesAStreamOfTheServerThatItIsGivenAndLeavesNothingThere) {
  RedisServer server;
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    SCOPED_TRACE(mode);
    Json plan = base(server.address(), "redis-streams");
    plan["queue"] = {{"mode", mode}};
    const Json run = this->run(plan);
    const int64_t due = mode == "broadcaster" ? 600 : 200;
    EXPECT_EQ(run["verdict"], "passed") << run;
    EXPECT_EQ(run["accepted"], 200);
    EXPECT_EQ(run["received"], due);
    EXPECT_EQ(run["expected"], due);
    EXPECT_EQ(run["lost"], 0);
    EXPECT_EQ(run["latency_ns"]["count"], due);
    EXPECT_TRUE(run["kept_in"].is_null()) << "a server of the user's own has settings of its own";
    EXPECT_EQ(lines_of(run["folder"], "receiver"), static_cast<size_t>(due));
    EXPECT_EQ(server.ask({"DBSIZE"}), "0");
  }
  EXPECT_EQ(server.calls("xadd"), 400);
}

// By the other of its process, which has it first; what comes to the one that paused comes late, and is no duplicate.
TEST_F(ForeignBus, LosesNothingThatIsTakenOverFromAReceiverThatPauses) {
  Json plan = base({}, "redis-streams");
  plan["queue"] = {{"mode", "load-balancer"}};
  plan["bus"]["take_over"] = "100ms";
  plan["senders"] = {{"count", 2}, {"messages", 1000}, {"delay", "1ms"}};
  plan["receivers"] = {{"count", 2}, {"pause", "1:200ms..500ms;1:600ms..800ms;1:900ms..2s"}};
  const Json run = this->run(plan);
  EXPECT_EQ(run["verdict"], "passed") << run;
  EXPECT_EQ(run["accepted"], 2000);
  EXPECT_EQ(run["received"], 2000);
  EXPECT_EQ(run["expected"], 2000);
  EXPECT_EQ(run["lost"], 0);
  EXPECT_EQ(run["duplicates"], 0);
  EXPECT_GT(run["redelivered"], 0);
}

// Taken from the stream before any receiver of the group had them.
TEST_F(ForeignBus, CountsWhatNoReceiverOfAGroupHasHad) {
  const RedisServer server;
  Json plan = base(server.address(), "redis-streams");
  plan["queue"] = {{"mode", "load-balancer"}};
  plan["bus"]["fetch"] = 5;
  plan["bus"]["take_over"] = "100ms";
  plan["bus"]["quiet"] = "300ms";
  plan["senders"] = {{"count", 4}, {"messages", 50}, {"delay", "0s"}};
  plan["receivers"] = {{"count", 3}, {"pause", "0s..4s"}};
  Process bench = place.start({"run", place.plan(plan), "--json"});
  std::string key;
  for (const Deadline until = 30s; server.calls("xadd") < 200;) ASSERT_FALSE(until.passed()) << bench.err();
  key = server.ask({"KEYS", "*"});
  key = key.substr(0, key.find('\n')).substr(0, std::string("n2nq.0123456789abcdef").size());
  Options removal{"XDEL", key};
  std::istringstream newest(server.ask({"XREVRANGE", key, "+", "-", "COUNT", "7"}));
  for (std::string line; std::getline(newest, line);)
    if (!line.empty() && line.find_first_not_of("0123456789-") == std::string::npos && line.contains('-'))
      removal.push_back(line);
  ASSERT_EQ(removal.size(), 2u + 7u);
  EXPECT_EQ(server.ask(removal), "7");
  ASSERT_TRUE(bench.wait_exit(60s));
  const Json run = Json::parse(bench.out())["runs"][0];
  EXPECT_NE(run["verdict"], "passed") << run;
  EXPECT_EQ(run["accepted"], 200);
  EXPECT_EQ(run["received"], 193);
  EXPECT_EQ(run["expected"], 200);
  EXPECT_EQ(run["lost"], 7);
  EXPECT_EQ(server.ask({"DBSIZE"}), "0");
}

// To the message, though the server has answered for each.
TEST_F(ForeignBus, CountsWhatAServerLoses) {
  const FakeRedis server({.drops_every = 1000});
  Json plan = base(server.address());
  plan["senders"] = {{"count", 4}, {"messages", 1000}, {"delay", "0s"}};
  plan["bus"]["quiet"] = "200ms";
  const Json run = this->run(plan, 1);
  EXPECT_EQ(server.published(), 4000u);
  EXPECT_EQ(server.dropped(), 4u);
  EXPECT_EQ(run["accepted"], 4000);
  EXPECT_EQ(run["received"], 3 * 3996);
  EXPECT_EQ(run["lost"], 3 * 4);
  EXPECT_NE(run["verdict"], "passed");
}

// One sender, whose messages the server drops every second one of; it answers for 500, and for the 10 more that the
// sender may have out it does not, but passes those on as well. Then it is gone.
TEST_F(ForeignBus, TellsWhatBecameOfEachMessageOfAServerThatDies) {
  const FakeRedis server({.drops_every = 2, .answers_no_more_after = 500, .ends_after = 510});
  Json plan = base(server.address());
  plan["senders"] = {{"count", 1}, {"messages", 1000}, {"delay", "0s"}};
  plan["receivers"] = {{"count", 3}, {"processes", 2}, {"loops", 2}};
  plan["bus"]["window"] = 10;
  const Json run = this->run(plan, 1);
  EXPECT_EQ(run["verdict"], "failed");
  EXPECT_EQ(run["sent"], 510);
  EXPECT_EQ(run["accepted"], 500);
  EXPECT_EQ(run["refused"], 0);
  EXPECT_EQ(run["unanswered"], 10);
  EXPECT_EQ(run["received"], 3 * (250 + 5));
  EXPECT_EQ(run["expected"], 3 * (500 + 5));
  EXPECT_EQ(run["lost"], 3 * 250);
  EXPECT_EQ(run["unanswered_received"], 3 * 5);
  EXPECT_EQ(run["unsent"], 0);
  EXPECT_THAT(run["reason"].get<std::string>(),
              HasSubstr("; 750 deliveries lost; 10 messages unanswered (15 deliveries of them received)"));
}

TEST_F(ForeignBus, CountsWhatAServerRefuses) {
  const FakeRedis server({.refuses_after = 500});
  Json plan = base(server.address());
  plan["senders"] = {{"count", 1}, {"messages", 1000}, {"delay", "0s"}};
  plan["bus"]["window"] = 10;
  plan["bus"]["quiet"] = "200ms";
  const Json run = this->run(plan, 1);
  EXPECT_THAT(run["reason"].get<std::string>(), HasSubstr("its memory is used up; raise its maxmemory"));
  EXPECT_EQ(run["accepted"], 500);
  EXPECT_EQ(run["refused"], server.refused());
  EXPECT_GE(server.refused(), 1u);
  EXPECT_EQ(run["sent"], 500 + server.refused());
  EXPECT_EQ(run["unanswered"], 0);
  EXPECT_EQ(run["received"], 1500);
  EXPECT_EQ(run["expected"], 1500);
  EXPECT_EQ(run["lost"], 0);
  EXPECT_EQ(run["refused_received"], 0);
}

// An alarm, though nothing is missing.
TEST_F(ForeignBus, SaysThatMessagesCameThatNobodySent) {
  const FakeRedis server({.forges_every = 100});
  Json plan = base(server.address());
  plan["senders"] = {{"count", 1}, {"messages", 200}};
  const Json run = this->run(plan, 1);
  EXPECT_EQ(run["verdict"], "failed");
  EXPECT_EQ(run["unsent"], 3 * 2);
  EXPECT_EQ(run["received"], 600 + 3 * 2);
  EXPECT_EQ(run["lost"], 0);
  EXPECT_EQ(run["accepted"], 200);
  EXPECT_THAT(run["reason"].get<std::string>(), HasSubstr("6 deliveries of messages that no sender of this run sent"));
}

TEST_F(ForeignBus, SaysThatMessagesCameToAGroupThatNobodySent) {
  const RedisServer server;
  Json plan = base(server.address(), "redis-streams");
  plan["queue"] = {{"mode", "load-balancer"}};
  plan["senders"] = {{"count", 1}, {"messages", 500}, {"delay", "1ms"}};
  plan["receivers"] = {{"count", 3}, {"loops", 2}};
  plan["bus"]["quiet"] = "200ms";
  Process bench = place.start({"run", place.plan(plan), "--json"});
  for (const Deadline until = 30s; server.calls("xadd") < 100;) ASSERT_FALSE(until.passed()) << bench.err();
  const std::string key = server.ask({"KEYS", "*"}).substr(0, std::string("n2nq.0123456789abcdef").size());
  const TempDir dir;
  const std::string stranger = dir / "stranger";
  std::ofstream(stranger, std::ios::binary) << data_frame(77, 5, "from nobody");
  output_of({"/bin/sh", "-c",
             "/usr/bin/redis-cli -p " + std::to_string(server.port()) + " -x XADD " + key + " '*' m < " + stranger});
  ASSERT_TRUE(bench.wait_exit(60s));
  const Json run = Json::parse(bench.out())["runs"][0];
  EXPECT_EQ(run["verdict"], "failed");
  EXPECT_EQ(run["unsent"], 1) << run;
  EXPECT_EQ(run["accepted"], 500);
  EXPECT_GE(run["received"], 500);
  EXPECT_LE(run["lost"], 1) << "which one of them waited for may be the stranger's";
}

// By the server's own file: what it has answered for is in it, and what it has not may be.
TEST_F(ForeignBus, KnowsWhatAKilledServerHasInItsFile) {
  for (const std::string mode : {"broadcaster", "load-balancer"}) {
    SCOPED_TRACE(mode);
    RedisServer server({"--appendonly", "yes", "--appendfsync", "always"});
    Json plan = base(server.address(), "redis-streams");
    plan["queue"] = {{"mode", mode}};
    plan["senders"] = {{"count", 4}, {"duration", "30s"}, {"messages", nullptr}, {"delay", "200us"}};
    Process bench = place.start({"run", place.plan(plan), "--json"});
    for (const Deadline until = 30s; server.calls("xadd") < 500;) ASSERT_FALSE(until.passed()) << bench.err();
    server.process().signal(SIGKILL);
    ASSERT_TRUE(bench.wait_exit(60s));
    const Json run = Json::parse(bench.out())["runs"][0];
    EXPECT_EQ(run["verdict"], "failed") << run;
    const auto count = [&run](const char* name) { return run[name].is_null() ? -1 : run[name].get<int64_t>(); };
    EXPECT_EQ(count("sent"), count("accepted") + count("unanswered"));
    EXPECT_GE(count("accepted"), 500);
    EXPECT_EQ(count("refused"), 0);
    EXPECT_EQ(lines_of(run["folder"], "sender"), static_cast<size_t>(count("sent")));
    EXPECT_EQ(lines_of(run["folder"], "receiver"), static_cast<size_t>(count("received")));
    const int64_t copies = mode == "broadcaster" ? 3 : 1;
    EXPECT_EQ(count("lost"), copies * count("accepted") - (count("received") - count("unanswered_received")));
    server.start();
    std::string key = server.ask({"KEYS", "*"});
    key = key.substr(0, std::string("n2nq.0123456789abcdef").size());
    const int64_t kept = std::stoll(server.ask({"XLEN", key}));
    EXPECT_GE(kept, count("accepted"));
    EXPECT_LE(kept, count("sent"));
  }
}

// Twice: to the server, and from it.
TEST_F(ForeignBus, FindsTheTimeThatAProxyDelaysMessages) {
  constexpr int64_t kEachWayMs = 40;
  const RedisServer server;
  const DelayingProxy proxy(server.port(), std::chrono::milliseconds(kEachWayMs));
  const auto p50 = [this](const std::string& address) {
    const Json run = this->run(base(address));
    expect_all_came(run);
    return run["latency_ns"]["p50"].get<int64_t>();
  };
  const int64_t delay_ns = p50(proxy.address()) - p50(server.address());
  EXPECT_GE(delay_ns, 2 * kEachWayMs * 999'000);
  EXPECT_LT(delay_ns, 3 * kEachWayMs * 1'000'000);
}

// From the send to the server and back is twice the way, whatever receivers do.
TEST_F(ForeignBus, TimesTheAnswersOfTheServer) {
  constexpr int64_t kEachWayMs = 40;
  const RedisServer server;
  const DelayingProxy proxy(server.port(), std::chrono::milliseconds(kEachWayMs));
  Json plan = base(proxy.address());
  plan["limits"] = {{{"metric", "publish-p50"}, {"at_most", "1ms"}, {"warn", true}}};
  const Json run = this->run(plan);
  expect_all_came(run);
  EXPECT_EQ(run["publish_ns"]["count"], 200);
  EXPECT_GE(run["publish_ns"]["p50"], 2 * kEachWayMs * 999'000);
  ASSERT_EQ(run["passed_limits"].size(), 1u) << run["passed_limits"];
  EXPECT_EQ(run["passed_limits"][0]["metric"], "publish-p50");
}

TEST_F(ForeignBus, TellsNoPublishLatencyOfOurOwnQueue) {
  const Json run = this->run(Json::object());
  EXPECT_EQ(run["accepted"], 200);
  EXPECT_TRUE(run["publish_ns"].is_null()) << run["publish_ns"];
}

TEST_F(ForeignBus, SaysWhatIsWrongWithTheServer) {
  std::string nowhere;
  {
    const ReservedPort port;
    nowhere = "127.0.0.1:" + std::to_string(port.number());
  }
  const RedisServer locked({"--requirepass", "secret"});
  const FakeRedis other({.answers = {{"PING", {7, "HTTP/1.1 400 Bad Request\r\n\r\n"}}}});
  for (const auto& [address, text] : {std::pair(nowhere, "cannot be reached: nothing listens at"),
                                      std::pair(locked.address(), "it wants a login; give bus.user"),
                                      std::pair(other.address(), "does not speak as one")}) {
    const BenchEnded ended = place.run({"run", place.plan(base(address)), "--json"});
    EXPECT_NE(ended.exit, Exit{.code = 0}) << address;
    EXPECT_THAT(ended.err, HasSubstr(text));
  }
}

// The password is where the plan says, and nowhere else.
TEST_F(ForeignBus, LogsInAtAServerOfTheUsersOwn) {
  const std::string password = "pass word/7c2";
  const RedisServer server({"--requirepass", "x", "--user", "bench", "on", ">" + password, "~*", "&*", "+@all"});
  const TempDir dir;
  const std::string file = (dir / "password").string();
  std::ofstream(file) << password << "\n";
  Json plan = base(server.address());
  plan["bus"].update({{"user", "bench"}, {"password_file", file}});
  SecretWatch watch({password});
  Process bench = place.start({"run", place.plan(plan), "--json", "--allow", file});
  ASSERT_TRUE(watch.look_until_exit(bench, 60s));
  const Json run = Json::parse(bench.out())["runs"][0];
  expect_all_came(run);
  EXPECT_EQ(watch.found(), std::set<std::string>());
  EXPECT_TRUE(watch.looked_at().contains("n2nq-sender"));
  EXPECT_EQ((bench.out() + bench.err()).find(password), std::string::npos);
  for (const auto& log : std::filesystem::recursive_directory_iterator(run["folder"].get<std::string>())) {
    std::ifstream in(log.path());
    EXPECT_EQ((std::string{std::istreambuf_iterator<char>(in), {}}).find(password), std::string::npos) << log.path();
  }
  // Or it is typed, here by a program; also for several runs, once.
  const auto typing = [&dir](const std::string& typed) {
    const std::string program = (dir / "askpass").string();
    std::ofstream(program) << "#!/bin/sh\necho \"$1\" >> " << dir / "asked" << "\necho '" << typed << "'\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return program;
  };
  plan["bus"]["password_file"] = "ask";
  const BenchEnded unallowed = place.run({"run", place.plan(plan), "--json", "--askpass", typing(password)});
  EXPECT_EQ(unallowed.exit, Exit{.code = 2});
  EXPECT_THAT(unallowed.err, HasSubstr("the password that you give would be sent to " + server.address() +
                                       ". If that is what you want, add --allow ask"));
  for (const Json& empty : {Json("ask"), Json("")}) {
    plan["bus"]["password_file"] = empty;
    const BenchEnded typed = place.run({"run", place.plan(plan, Json::parse(R"([{}, {"name": "again"}])")), "--json",
                                        "--askpass", typing(password), "--allow", "ask"});
    EXPECT_THAT(typed.result()["runs"], testing::SizeIs(2)) << typed.err;
    for (const Json& each : typed.result()["runs"]) expect_all_came(each);
    std::ifstream asked(dir / "asked");
    EXPECT_EQ((std::string{std::istreambuf_iterator<char>(asked), {}}),
              "Password for bench at " + server.address() + " (not encrypted)\n");
    std::filesystem::remove(dir / "asked");
    const BenchEnded wrong = place.run({"run", place.plan(plan), "--json", "--askpass", typing("wrong")});
    EXPECT_THAT(wrong.err, HasSubstr("it refuses the login"));
    const BenchEnded nobody = place.run({"run", place.plan(plan), "--json"});
    EXPECT_EQ(nobody.exit, Exit{.code = 2});
    EXPECT_THAT(nobody.err, HasSubstr("the password is in no file; add --askpass COMMAND"));
    const BenchEnded refused = place.run({"run", place.plan(plan), "--json", "--askpass", "false", "--repeats", "3"});
    EXPECT_EQ(refused.exit, Exit{.code = 4});
    EXPECT_THAT(refused.err, HasSubstr("the password of bench at " + server.address() + " was not given"));
    EXPECT_THAT(refused.result()["runs"], testing::SizeIs(1)) << "the others would lack it too";
    std::filesystem::remove(dir / "asked");
  }
  plan["bus"]["password_file"] = "/nowhere";
  const BenchEnded missing = place.run({"run", place.plan(plan), "--json", "--allow", "/nowhere"});
  EXPECT_NE(missing.exit, Exit{.code = 0});
  EXPECT_THAT(missing.err, HasSubstr("bus.password_file: cannot read the password file /nowhere: no such file"));
}

// The authority is a file of the bench, which no worker sees.
TEST_F(ForeignBus, GoesOverTlsToAServerOfTheUsersOwn) {
  const Certificates certificates;
  for (const auto& [kind, server_kind] :
       {std::pair("redis-pubsub", "redis"), std::pair("jetstream", "jetstream"), std::pair("nats", "nats"),
        std::pair("rabbitmq", "rabbitmq"), std::pair("kafka", "kafka")}) {
    SCOPED_TRACE(kind);
    const auto server = tls_server(server_kind, certificates);
    Json plan = base(server->address_by_name(), kind);
    plan["bus"].update({{"tls", true}, {"tls_ca", certificates.authority()}});
    const BenchEnded allowed = place.run({"run", place.plan(plan), "--json", "--allow", certificates.authority()});
    const Json run = allowed.result().value("runs", Json::array({Json::object()}))[0];
    expect_all_came(run, kind, /*answers=*/kind != std::string("nats"));
    EXPECT_EQ(run["bus_settings"]["tls"], true) << run["bus_settings"];
    EXPECT_FALSE(run["bus_settings"].contains("tls_ca"));
    EXPECT_THAT(run.dump(), HasSubstr("OpenSSL 3."));
    for (const auto& [file, text] :
         {std::pair(certificates.stranger(), "is not trusted: none of those in bus.tls_ca has signed its certificate"),
          std::pair(certificates.key(), " cannot be used: it has a private key in it"),
          std::pair(std::string("/nowhere"), "bus.tls_ca: cannot read the certificates in /nowhere: no such file")}) {
      plan["bus"]["tls_ca"] = file;
      const BenchEnded ended = place.run({"run", place.plan(plan), "--json", "--allow", file});
      EXPECT_NE(ended.exit, Exit{.code = 0});
      EXPECT_THAT(ended.err, HasSubstr(text));
    }
  }
}

TEST_F(ForeignBus, SaysThatNoServerIsInstalled) {
  const BenchEnded ended = place.run({"run", place.plan(base()), "--json"}, {"PATH=/nowhere"});
  EXPECT_NE(ended.exit, Exit{.code = 0});
  EXPECT_THAT(ended.err, HasSubstr("redis-server is not installed where it is to run; install it there: "
                                   "sudo apt install redis-server"));
}

TEST_F(ForeignBus, RefusesWhatTheBusHasNot) {
  Json plan = base();
  plan["queue"] = {{"mode", "load-balancer"}};
  const BenchEnded ended = place.run({"run", place.plan(plan)});
  EXPECT_EQ(ended.exit, Exit{.code = 2});
  EXPECT_THAT(ended.err, HasSubstr("Redis pub/sub has no load-balancer; choose another mode, or another bus"));
}

// Of the bench, which has no time to say anything to anybody.
TEST_F(ForeignBus, EndsItsServerWhenTheBenchIsKilled) {
  Json plan = base();
  plan["senders"] = {{"duration", "30s"}, {"messages", nullptr}};
  Process bench = place.start({"run", place.plan(plan), "--json"});
  ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  std::vector<pid_t> all;  // its processes, and first the server, which has written over its environment
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::error_code gone;
    const fs::path cwd = fs::read_symlink(entry.path() / "cwd", gone);
    if (gone || !cwd.filename().string().starts_with("n2nq-server-")) continue;
    const pid_t server = std::atoi(entry.path().filename().c_str());
    const pid_t queue = parent_of(parent_of(server));
    if (parent_of(queue) == bench.pid()) all.push_back(server);
  }
  EXPECT_EQ(all.size(), 1u);
  for (const std::string& process : processes_left())
    if (const pid_t pid = std::atoi(process.c_str()); pid != bench.pid()) all.push_back(pid);
  bench.signal(SIGKILL);
  EXPECT_TRUE(bench.wait_exit(20s));
  for (const pid_t pid : all) EXPECT_TRUE(wait_gone(pid, 20s)) << pid;
}

}  // namespace
}  // namespace n2nq::test
