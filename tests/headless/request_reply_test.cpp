// Runs of requests and replies without a window: what they print, what their logs hold, and what becomes of one that
// was cut off.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>

#include "tests/headless/bench_process.h"
#include "tests/helpers/log_file.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

constexpr const char* kPingPlan = N2NQ_SOURCE_DIR "/resources/plans/ping.json";

struct HeadlessRequestReplyTest : testing::Test {
  ~HeadlessRequestReplyTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  // Three requesters, two repliers.
  std::string plan(Json over = Json::object()) const {
    Json base = {{"senders", {{"count", 3}, {"messages", 40}, {"delay", "5ms"}}},
                 {"queue", {{"mode", "request-reply"}}},
                 {"receivers", {{"count", 2}, {"reply_size", "10B..300B"}}}};
    base.merge_patch(over);
    return place.plan(base);
  }
  struct Lines {
    size_t requests = 0, answers = 0, received = 0, replies = 0;
  };
  static Lines lines_of(const std::string& folder) {
    Lines lines;
    for (const auto& [number, log] : read_logs(folder, "sender")) {
      EXPECT_TRUE(log.problems.empty()) << log.problems.front();
      lines.requests += log.rows.size();
      for (const LogRow& row : log.replies) lines.answers += row.flags.size() == 1;
    }
    for (const auto& [number, log] : read_logs(folder, "receiver")) {
      EXPECT_TRUE(log.problems.empty()) << log.problems.front();
      lines.received += log.rows.size();
      lines.replies += log.replies.size();
    }
    return lines;
  }
  BenchPlace place;
};

TEST_F(HeadlessRequestReplyTest, PingSaysHowLongARoundTripOfTheApplicationTakes) {
  const BenchEnded ended = place.run({"run", kPingPlan, "--json"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err << ended.out;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["verdict"], "passed") << run;
  EXPECT_EQ(run["mode"], "request-reply");
  const int64_t sent = run["sent"];
  EXPECT_GT(sent, 1000) << "in five seconds";
  EXPECT_EQ(run["replies"], sent);
  EXPECT_EQ(run["timeouts"], 0);
  EXPECT_EQ(run["turnaround_ns"]["count"], sent);
  EXPECT_EQ(run["reply_latency_ns"]["count"], sent);
  EXPECT_EQ(run["scheduled_turnaround_ns"]["count"], 0) << "a closed loop has no schedule";
  EXPECT_GE(run["turnaround_ns"]["min"].get<int64_t>(),
            run["latency_ns"]["min"].get<int64_t>() + run["reply_latency_ns"]["min"].get<int64_t>());
}

// What is asked while it is away is for the others: by its log.
TEST_F(HeadlessRequestReplyTest, AReplierGoesAwayAndComesBackAndEachRequestIsAnswered) {
  const BenchEnded ended = place.run(
      {"run", plan({{"senders", {{"messages", 400}, {"delay", "10ms"}}}, {"receivers", {{"away", {"2:1s..3s"}}}}}),
       "--json"});
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err << ended.out;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["replies"], 1200);
  EXPECT_EQ(run["timeouts"], 0);
  EXPECT_EQ(run["duplicates"], 0);
  size_t before = 0, meanwhile = 0, after = 0;
  for (const auto& [number, log] : read_logs(run["folder"], "receiver"))
    for (const LogRow& row : log.rows)
      if (number == 2) (row.index < 100 ? before : row.index < 130 || row.index > 270 ? after : meanwhile)++;
  EXPECT_GT(before, 0u);
  EXPECT_EQ(meanwhile, 0u);
  EXPECT_GT(after, 60u) << "of 390 requests that were asked after it had come, a half";
}

TEST_F(HeadlessRequestReplyTest, CountsWhatTheLogFilesHold) {
  for (const auto& [from, answers] : {std::pair("one", 120), std::pair("first", 120), std::pair("all", 240)}) {
    const BenchEnded ended = place.run({"run", plan({{"queue", {{"reply_from", from}}}}), "--json"});
    ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err << ended.out;
    const Json run = ended.result()["runs"][0];
    EXPECT_EQ(run["verdict"], "passed") << run;
    EXPECT_EQ(run["sent"], 120);
    EXPECT_EQ(run["replies"], answers);
    EXPECT_EQ(run["turnaround_ns"]["count"], answers);
    EXPECT_EQ(run["scheduled_turnaround_ns"]["count"], answers);
    const Lines lines = lines_of(run["folder"]);
    EXPECT_EQ(run["sent"], lines.requests);
    EXPECT_EQ(run["received"], lines.received);
    EXPECT_EQ(run["replies"], lines.answers);
    EXPECT_EQ(lines.received, lines.replies);
  }
}

TEST_F(HeadlessRequestReplyTest, ARequestWithoutItsReplyInTimeFailsTheRun) {
  const BenchEnded ended = place.run({"run",
                                      plan({{"senders", {{"count", 1}, {"messages", 3}, {"timeout", "20ms"}}},
                                            {"receivers", {{"count", 1}, {"service_time", "fixed:60ms"}}}}),
                                      "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err << ended.out;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["verdict"], "failed") << run;
  EXPECT_THAT(run["reason"].get<std::string>(), HasSubstr("3 of 3 requests got no reply in time"));
  EXPECT_EQ(run["timeouts"], 3);
  EXPECT_EQ(run["late_replies"], 3);
  EXPECT_EQ(run["replies"], 0);
}

// Its workers end by themselves, and leave what they counted in their logs alone.
TEST_F(HeadlessRequestReplyTest, ARunThatWasCutOffIsRecountedFromItsLogs) {
  Process bench = place.start({"run", plan({{"senders", {{"messages", 100'000}}}})});
  ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  bench.signal(SIGKILL);
  ASSERT_TRUE(bench.wait_exit(20s));
  ASSERT_EQ(place.run({"run", plan()}).exit, Exit{.code = 0});
  const std::string file = (place / "run.json").string();
  ASSERT_EQ(place.run({"export", "1", file}).exit, Exit{.code = 0});
  std::ifstream in(file);
  const Json run = Json::parse(in);
  EXPECT_EQ(run["verdict"], "cut_off") << run["reason"];
  const Lines lines = lines_of(run["folder"]);
  EXPECT_GT(lines.answers, 0u);
  EXPECT_EQ(run["sent"], lines.requests);
  EXPECT_EQ(run["received"], lines.received);
  EXPECT_EQ(run["replies"], lines.answers);
  EXPECT_EQ(run["replies"].get<size_t>() + run["timeouts"].get<size_t>(), lines.requests);
}

}  // namespace
}  // namespace n2nq::test
