// What the tests of runs over another bus share: a plan that is run without a window, and what its result has to say.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <functional>
#include <string>

#include "tests/headless/bench_process.h"
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/log_file.h"

namespace n2nq::test {

struct ForeignBus : testing::Test {
  static void SetUpTestSuite() { put_servers_into_path(); }
  // What a server that was killed had started for a moment is on its way out.
  ~ForeignBus() override { EXPECT_EQ(processes_left_at(Deadline::window(2s)), std::vector<std::string>()); }
  // 4 senders of 50 messages, 3 receivers.
  Json base(const std::string& address = {}, const std::string& kind = "redis-pubsub") const {
    Json plan = {{"bus", {{"kind", kind}}}};
    if (!address.empty()) plan["bus"]["address"] = address;
    return plan;
  }
  Json run(const Json& plan, int code = 0) const {
    const BenchEnded ended = place.run({"run", place.plan(plan), "--json"});
    EXPECT_EQ(ended.exit, Exit{.code = code}) << ended.err << ended.out;
    return ended.result().value("runs", Json::array({Json::object()}))[0];
  }
  // In which that is done once messages flow.
  Json run_with(const Json& plan, const std::function<void()>& what) const {
    Process bench = place.start({"run", place.plan(plan), "--json"});
    EXPECT_TRUE(bench.wait_err(", p50 ", 60s)) << bench.err();
    what();
    EXPECT_TRUE(bench.wait_exit(90s)) << bench.err();
    const Json run = Json::parse(bench.out())["runs"][0];
    EXPECT_EQ(run["sent"], lines_of(run["folder"], "sender"));
    return run;
  }
  // Its server is killed, and the run is counted to its end, as the logs have it.
  Json run_until_killed(const Json& plan, BusServer& server) const {
    const Json run = run_with(plan, [&] { server.process().signal(SIGKILL); });
    EXPECT_EQ(run["verdict"], "failed");
    EXPECT_EQ(run["received"], lines_of(run["folder"], "receiver"));
    return run;
  }
  static void expect_all_came(const Json& run, const std::string& kind = "redis-pubsub", bool answers = true) {
    EXPECT_EQ(run["verdict"], "passed") << run;
    EXPECT_EQ(run["bus"], kind);
    EXPECT_EQ(run["sent"], 200);
    EXPECT_EQ(run["accepted"], answers ? Json(200) : Json());
    EXPECT_EQ(run["received"], 600);
    EXPECT_EQ(run["lost"], 0);
    EXPECT_EQ(run["latency_ns"]["count"], 600);
    for (const std::string unknown : {"expired", "undeliverable", "redelivered", "in_doubt"}) {
      if (unknown == "redelivered" && (kind == "jetstream" || kind == "rabbitmq")) continue;
      EXPECT_TRUE(!run.contains(unknown) || run[unknown].is_null()) << unknown;
    }
  }
  // Of a bus that answers: each message has one fate, and each delivery of what was accepted came or is lost.
  static void expect_exact(const Json& run, int copies) {
    const int accepted = run["accepted"], refused = run["refused"], unanswered = run["unanswered"];
    EXPECT_EQ(run["sent"], accepted + refused + unanswered) << run;
    EXPECT_EQ(run["received"].get<int>() - run["unanswered_received"].get<int>() - run["refused_received"].get<int>() +
                  run["lost"].get<int>(),
              copies * accepted)
        << run;
    EXPECT_EQ(run["publish_ns"]["count"], accepted) << "each answer was timed";
  }
  static size_t lines_of(const std::string& folder, const std::string& role) {
    size_t lines = 0;
    for (const auto& [number, log] : read_logs(folder, role)) {
      EXPECT_TRUE(log.problems.empty()) << log.problems.front();
      lines += log.rows.size();
    }
    return lines;
  }
  BenchPlace place;
};

}  // namespace n2nq::test
