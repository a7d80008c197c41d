// Control over stdin and stdout: hello, ready, start, ping, requests, pause and resume, stop, and a controller that is
// gone.
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string kToken = "0123456789abcdef0123456789abcdef";

class Controlled : public testing::Test {
 protected:
  Process& start(const std::string& name, Options options, const std::string& token = kToken) {
    options.emplace_back("--controlled");
    Process& process = stage.start_raw("n2nq-" + name, options, Process::Stdin::pipe);
    tell(process, {{"type", "hello"}, {"token", token}});
    return process;
  }
  Process& start_broker(Options options = {"--mode", "broadcaster"}) {
    options.insert(options.end(), {"--listen", "127.0.0.1:0"});
    Process& process = start("broker", options);
    ready = await_json(process, "ready");
    return process;
  }
  Process& start_worker(const std::string& role, Options options = {}, const std::string& token = kToken) {
    Options all{"--broker", "127.0.0.1:" + std::to_string(port()), "--log-dir", stage.logs()};
    all.insert(all.end(), options.begin(), options.end());
    return start(role, all, token);
  }
  uint16_t port() const { return ready["port"].get<uint16_t>(); }

  static void tell(Process& process, const Json& command) { process.send_line(command.dump()); }
  static Json telemetry_until(Process& process, const WantedTotals& wanted, Deadline deadline = 20s) {
    const auto line = await_telemetry(process, wanted, deadline);
    if (!line) throw std::runtime_error("no such telemetry; stdout: " + process.out().substr(0, 3000) + process.err());
    return *line;
  }
  Ended end(Process& process, Deadline deadline = 20s) { return stage.finish_one(process, deadline); }

  Stage stage;
  Json ready;
};

TEST_F(Controlled, FirstLineIsReadyAndLastIsTheSummary) {
  Process& broker = start_broker();
  EXPECT_EQ(ready.value("role", ""), "broker");
  EXPECT_EQ(ready["pid"], broker.pid());
  EXPECT_EQ(ready["version"], N2NQ_VERSION);
  Process& receiver = start_worker("receiver", {"--count", "2"});
  Process& sender = start_worker("sender", {"--messages", "20", "--delay", "2ms"});
  tell(sender, {{"type", "start"}});
  tell(receiver, {{"type", "start"}});
  for (Process* process : {&sender, &receiver, &broker}) {
    Ended ended = end(*process);
    EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
    EXPECT_TRUE(is_type(process->out_lines().front(), "ready"));
    EXPECT_FALSE(ended.summary.empty());
    for (const auto& line : process->out_lines()) EXPECT_TRUE(parse_line(line)) << line;
  }
  auto logs = read_logs(stage.logs(), "receiver");
  ASSERT_EQ(logs.size(), 2U);
  for (const auto& [number, log] : logs) EXPECT_EQ(log.rows.size(), 20U);
}

// Against the logs: whatever a sender had sent by the time of a line is in it, and nothing that a receiver got later
// is.
TEST_F(Controlled, TelemetryIsOfItsTimeAndSaysWhenTheLastMessageWas) {
  start_broker();
  Process& receiver = start_worker("receiver");
  Process& sender = start_worker("sender", {"--messages", "400", "--delay", "1ms"});
  for (Process* process : {&sender, &receiver}) tell(*process, {{"type", "start"}});
  EXPECT_EQ(end(sender).exit, Exit{.code = 0});
  EXPECT_EQ(end(receiver).exit, Exit{.code = 0});
  const auto count_until = [](const std::vector<int64_t>& stamps, int64_t time_ns) {
    return std::ranges::count_if(stamps, [time_ns](int64_t stamp) { return stamp <= time_ns; });
  };
  for (const bool sends : {true, false}) {
    std::vector<int64_t> stamps;
    const auto logs = read_logs(stage.logs(), sends ? "sender" : "receiver");
    for (const LogRow& row : logs.at(1).rows) stamps.push_back(sends ? row.sent_ns.value() : row.received_ns.value());
    ASSERT_EQ(stamps.size(), 400u);
    int lines = 0;
    for (const std::string& text : (sends ? sender : receiver).out_lines()) {
      if (!is_type(text, "telemetry")) continue;
      const Json line = *parse_line(text);
      const Json& totals = line.at("totals");
      const int64_t count = count_in(totals, sends ? "sent" : "received");
      const int64_t time_ns = line["time_ns"].get<int64_t>();
      if (count == 0) continue;
      lines++;
      EXPECT_EQ(totals.at("last_ns"), stamps[static_cast<size_t>(count - 1)]) << count;
      if (sends)
        EXPECT_GE(count, count_until(stamps, time_ns));
      else
        EXPECT_LE(count, count_until(stamps, time_ns));
      if (!line.contains("services")) continue;  // none of them has changed
      for (const Json& last_ns : line.at("services").at("last_ns")) EXPECT_EQ(last_ns, totals.at("last_ns"));
    }
    EXPECT_GE(lines, 2) << "there is something to look at";
  }
}

TEST_F(Controlled, BeginWaitsForStart) {
  start_broker();
  Process& receiver = start_worker("receiver");
  Process& sender = start_worker("sender", {"--messages", "5", "--delay", "1ms"});
  tell(receiver, {{"type", "start"}});
  await_json(receiver, "ready");
  await_json(sender, "joined");
  auto begun = receiver.wait_line([](const auto& line) { return is_type(line, "begin"); }, Deadline::window(300ms));
  EXPECT_FALSE(begun) << *begun;
  tell(sender, {{"type", "start"}});
  await_json(receiver, "begin");
  await_json(sender, "begin");
  EXPECT_EQ(end(sender).exit, Exit{.code = 0});
  EXPECT_EQ(end(receiver).exit, Exit{.code = 0});
}

TEST_F(Controlled, TheWayIsLookedAtBeforeTheRunAndNeverInIt) {
  start_broker();
  Process& receiver = start_worker("receiver");
  Process& sender = start_worker("sender", {"--messages", "300", "--delay", "5ms"});
  await_json(sender, "joined");
  tell(sender, {{"type", "look"}, {"path", true}, {"bandwidth", true}});
  tell(sender, {{"type", "start"}});  // is obeyed when that is done
  tell(receiver, {{"type", "start"}});
  const Json looked = await_json(sender, "looked");
  ASSERT_EQ(looked["path"]["hops"].size(), 1u);
  EXPECT_EQ(looked["path"]["hops"][0]["address"], "127.0.0.1");
  EXPECT_EQ(looked["path"]["reached"], true);
  EXPECT_EQ(looked["bandwidth"]["trouble"], "");
  EXPECT_GT(looked["bandwidth"]["bytes"].get<uint64_t>(), 1'000'000u);
  EXPECT_LE(looked["bandwidth"]["bytes"].get<uint64_t>(), (64u << 20) + (1u << 16));
  await_json(sender, "begin");
  const auto lines = sender.out_lines();
  const auto at = [&](const char* type) {
    return std::ranges::find_if(lines, [type](const std::string& line) { return is_type(line, type); });
  };
  EXPECT_LT(at("looked"), at("begin"));
  tell(sender, {{"type", "look"}, {"bandwidth", true}});
  const auto refused = [](const std::string& line) {
    return is_type(line, "error") && line.find("before start") != std::string::npos;
  };
  EXPECT_TRUE(sender.wait_line(refused, 10s)) << "in the run";
  EXPECT_EQ(end(sender).exit, Exit{.code = 0});
  EXPECT_EQ(end(receiver).exit, Exit{.code = 0});
}

TEST_F(Controlled, TheTokenOfHelloIsTheOneOfTheRun) {
  start_broker();
  Process& stranger = start_worker("sender", {}, "ffffffffffffffffffffffffffffffff");
  Ended ended = end(stranger);
  EXPECT_EQ(ended.exit, Exit{.code = 4}) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("token"));
  EXPECT_THAT(ended.err, testing::Not(HasSubstr(kToken)));
  ForeignClient client(port());
  client.send(hello_frame({.role = 1, .token = "guess"}));
  EXPECT_EQ(client.await(kError).u16(8), 3);
}

TEST_F(Controlled, WithoutHelloFirstNothingConnects) {
  start_broker();
  Process& worker = stage.start_raw("n2nq-sender", {"--broker", "127.0.0.1:" + std::to_string(port()), "--controlled"},
                                    Process::Stdin::pipe);
  tell(worker, {{"type", "start"}});
  Ended ended = end(worker);
  ASSERT_TRUE(ended.exit);
  EXPECT_GT(ended.exit->code, 0);
  EXPECT_THAT(ended.err + ended.out, HasSubstr("hello"));
}

TEST_F(Controlled, AWrongFirstLineIsLocalTroubleOfEachProgram) {
  for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"}) {
    Options options{"--controlled"};
    if (name == std::string("n2nq-sender") || name == std::string("n2nq-receiver"))
      options.insert(options.end(), {"--broker", "127.0.0.1:1"});
    Process& process = stage.start_raw(name, options, Process::Stdin::pipe);
    process.send_line("good morning");
    const Ended ended = stage.finish_one(process, 20s);
    ASSERT_TRUE(ended.exit) << name;
    EXPECT_EQ(ended.exit->code, 3) << name;
    EXPECT_THAT(ended.err, HasSubstr("hello")) << name;
    EXPECT_THAT(ended.out, testing::Not(HasSubstr("\"end\""))) << name;
  }
}

TEST_F(Controlled, PingIsAnsweredAndNonsenseIsAnError) {
  Process& broker = start_broker();
  Process& sender = start_worker("sender");
  await_json(sender, "ready");
  for (Process* process : {&broker, &sender}) {
    tell(*process, {{"type", "ping"}, {"id", 7}});
    EXPECT_EQ(await_json(*process, "pong")["id"], 7);
    tell(*process, {{"type", "sing"}});
    EXPECT_THAT(await_json(*process, "error").value("text", ""), HasSubstr("sing"));
    process->send_line("this is not JSON");
    await_json(*process, "error");
    tell(*process, {{"type", "ping"}, {"id", 8}});
    EXPECT_EQ(await_json(*process, "pong")["id"], 8);
  }
}

TEST_F(Controlled, RequestChangesTheFilterDuringTheRun) {
  start_broker({"--mode", "broadcaster", "--retention", "until-collected"});
  Process& receiver =
      start_worker("receiver", {"--requests", "100", "--filter", "size=10B..10B", "--telemetry", "50ms"});
  ForeignSender sender(port(), {.token = kToken});
  tell(receiver, {{"type", "start"}});
  sender.begin();
  for (size_t size : {10, 50, 10, 50, 10}) sender.send_sized(size);
  Json first = telemetry_until(receiver, at_least("received", 3));
  tell(receiver, {{"type", "request"}, {"filter", "size=50B..50B"}});
  telemetry_until(receiver, at_least("requests", first["totals"]["requests"].get<int64_t>() + 1));
  for (size_t size : {50, 10, 50}) sender.send_sized(size);
  EXPECT_TRUE(sender.finish());
  Ended ended = end(receiver);
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  auto logs = read_logs(stage.logs(), "receiver");
  ASSERT_EQ(logs.size(), 1U);
  std::vector<uint64_t> had;
  for (const auto& row : logs.begin()->second.rows) had.push_back(row.index);
  EXPECT_THAT(had, testing::ElementsAre(1, 3, 5, 6, 8));
  EXPECT_EQ(ended.total("expected"), 5);
}

TEST_F(Controlled, RequestAsksForMoreDuringTheRun) {
  start_broker({"--mode", "broadcaster", "--retention", "until-collected"});
  Process& receiver = start_worker("receiver", {"--telemetry", "50ms"});
  ForeignSender sender(port(), {.token = kToken});
  await_json(receiver, "joined");
  tell(receiver, {{"type", "request"}, {"count", 2}, {"replace", true}});
  tell(receiver, {{"type", "start"}});
  sender.begin();
  sender.send(5);
  sender.done();
  ASSERT_TRUE(sender.wait_accepted(5));
  telemetry_until(receiver, at_least("received", 2));
  tell(receiver, {{"type", "ping"}, {"id", 1}});
  await_json(receiver, "pong");
  tell(receiver, {{"type", "request"}, {"count", "unlimited"}});
  EXPECT_TRUE(sender.finish());
  Ended ended = end(receiver);
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_EQ(ended.total("received"), 5);
  EXPECT_EQ(ended.total("requests"), 2);
}

TEST_F(Controlled, PauseHaltsAndResumeGoesOn) {
  start_broker();
  Process& receiver = start_worker("receiver");
  Process& sender = start_worker("sender", {"--messages", "150", "--delay", "4ms", "--telemetry", "50ms"});
  tell(receiver, {{"type", "start"}});
  tell(sender, {{"type", "start"}});
  telemetry_until(sender, at_least("sent", 10));
  tell(sender, {{"type", "pause"}});
  tell(sender, {{"type", "ping"}, {"id", 1}});
  await_json(sender, "pong");
  int64_t last = -1, still = 0;
  telemetry_until(sender, [&](const Json& totals) {
    int64_t sent = count_in(totals, "sent");
    still = sent == last ? still + 1 : 0;
    last = sent;
    return still == 4;  // 200 ms: 50 messages would have gone
  });
  EXPECT_LT(last, 150);
  tell(sender, {{"type", "resume"}});
  Ended ended = end(sender);
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_EQ(ended.total("sent"), 150);
  // A pause shifts the schedule: nobody was late by the length of the pause.
  EXPECT_LT(ended.summary["lateness_ns"].value("p50", 0.0), 100e6);
  EXPECT_EQ(end(receiver).exit, Exit{.code = 0});
}

TEST_F(Controlled, StopSendsNoMoreDrainsAndEnds) {
  Process& broker = start_broker();
  Process& receiver = start_worker("receiver");
  Process& sender = start_worker("sender", {"--messages", "100000", "--delay", "2ms", "--telemetry", "50ms"});
  tell(receiver, {{"type", "start"}});
  tell(sender, {{"type", "start"}});
  telemetry_until(sender, at_least("sent", 10));
  tell(sender, {{"type", "stop"}});
  Ended sent = end(sender), received = end(receiver), bus = end(broker);
  ASSERT_TRUE(sent.exit && received.exit && bus.exit);
  EXPECT_LE(sent.exit->code, 1) << sent.err;
  EXPECT_EQ(received.exit, Exit{.code = 0}) << received.err;
  EXPECT_EQ(sent.total("accepted"), sent.total("sent"));
  EXPECT_EQ(received.total("received"), sent.total("sent"));
  EXPECT_EQ(bus.total("delivered"), sent.total("sent"));
}

// One after the other, so that none is ended by another before it has seen the end of its own stdin.
TEST_F(Controlled, TheEndOfStdinStopsEachByItself) {
  Process& broker = start_broker();
  Process& receiver = start_worker("receiver");
  Process& sender = start_worker("sender", {"--messages", "100000", "--delay", "2ms", "--telemetry", "50ms"});
  tell(receiver, {{"type", "start"}});
  tell(sender, {{"type", "start"}});
  telemetry_until(sender, at_least("sent", 10));
  for (Process* process : {&receiver, &sender, &broker}) {
    process->close_stdin();
    Ended ended = end(*process, 15s);
    ASSERT_TRUE(ended.exit) << "an orphan";
    EXPECT_EQ(ended.exit->signal, 0);
    EXPECT_FALSE(ended.summary.empty());
    // Whoever would read it may be gone, as stdin is.
    if (process == &broker) continue;
    const std::string name = ended.summary.value("role", "") + "-1.summary.json";
    std::ifstream kept(std::filesystem::path(stage.logs()) / name);
    EXPECT_EQ(Json::parse(kept, nullptr, false), ended.summary) << name;
  }
  EXPECT_THAT(processes_left(), IsEmpty());
}

// A link may take with it what a worker has said: what was heard of, and what it leaves, are all of it, each once.
TEST_F(Controlled, WhatWasNotHeardIsLeftWithTheSummary) {
  start_broker();
  const Options keeps{"--telemetry", "50ms", "--keep-summary", "--control-timeout", "10s"};
  Process& receiver = start_worker("receiver", keeps);
  Options sends{"--messages", "300", "--delay", "4ms"};
  sends.insert(sends.end(), keeps.begin(), keeps.end());
  Process& sender = start_worker("sender", sends);
  for (Process* process : {&sender, &receiver}) tell(*process, {{"type", "start"}});
  std::map<Process*, int64_t> heard;
  for (Process* process : {&sender, &receiver}) {
    heard[process] = telemetry_until(*process, at_least(process == &sender ? "sent" : "received", 50))["sequence"];
    tell(*process, {{"type", "heard"}, {"sequence", heard[process]}});
    telemetry_until(*process, at_least(process == &sender ? "sent" : "received", 100));
    process->close_stdin();
  }
  for (Process* process : {&sender, &receiver}) {
    const std::string role = process == &sender ? "sender" : "receiver";
    Ended ended = end(*process);
    ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
    std::vector<Json> lines;
    for (const std::string& text : process->out_lines())
      if (is_type(text, "telemetry") && parse_line(text)->at("sequence") <= heard[process])
        lines.push_back(*parse_line(text));
    const size_t before = lines.size();
    std::ifstream file(std::filesystem::path(stage.logs()) / (role + "-1.summary.json"));
    for (std::string text; std::getline(file, text);) lines.push_back(parse_line(text).value_or(Json()));
    ASSERT_GT(lines.size(), before + 2);
    EXPECT_EQ(lines.back(), ended.summary);
    lines.pop_back();
    uint64_t in_slots = 0;
    std::map<std::string, uint64_t> in_buckets;
    for (size_t i = 0; i < lines.size(); i++) {
      EXPECT_EQ(lines[i].at("sequence"), i + 1) << role;
      const Json& slots = lines[i].at("slots");
      for (size_t at = 1; at < slots.size(); at += 2) in_slots += slots[at].get<uint64_t>();
      EXPECT_EQ(in_slots, count_in(lines[i]["totals"], role == "sender" ? "sent" : "received")) << role << i;
      const Json histograms = lines[i].value("histograms", Json::object());
      for (const auto& [name, histogram] : histograms.items())
        for (size_t at = 1; at < histogram.at("buckets").size(); at += 2)
          in_buckets[name] += histogram["buckets"][at].get<uint64_t>();
    }
    EXPECT_EQ(in_slots, 300u) << role;
    const char* name = role == "sender" ? "delay_ns" : "latency_ns";
    EXPECT_EQ(in_buckets[name], ended.summary[name]["count"]) << name;
  }
}

TEST_F(Controlled, TheEndOfStdinMayAlsoLetTheRunFinish) {
  Options finish{"--on-control-lost", "finish"};
  Process& broker = start_broker({"--mode", "broadcaster", "--on-control-lost", "finish"});
  Process& receiver = start_worker("receiver", finish);
  Process& sender = start_worker(
      "sender", {"--messages", "100", "--delay", "4ms", "--telemetry", "50ms", "--on-control-lost", "finish"});
  tell(receiver, {{"type", "start"}});
  tell(sender, {{"type", "start"}});
  telemetry_until(sender, at_least("sent", 10));
  for (Process* process : {&sender, &receiver, &broker}) process->close_stdin();
  for (Process* process : {&sender, &receiver, &broker}) EXPECT_EQ(end(*process).exit, Exit{.code = 0});
  EXPECT_EQ(count_in(summary_of(sender.out_lines()), "sent"), 100);
}

TEST_F(Controlled, AControllerThatNoLongerPingsIsGone) {
  start_broker();
  Process& receiver = start_worker("receiver");
  await_json(receiver, "ready");
  // Ten seconds without a ping, then the end, though stdin stays open.
  Ended ended = end(receiver, 25s);
  ASSERT_TRUE(ended.exit) << "still there";
  EXPECT_EQ(ended.exit->signal, 0);
  EXPECT_FALSE(ended.summary.empty());
}

}  // namespace
}  // namespace n2nq::test
