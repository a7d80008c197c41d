// The senders' schedule, the clocks and what a disk that fills does, seen from the log files and summaries.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int64_t kDelay = 40'000'000;

class Schedule : public testing::TestWithParam<std::string> {};

std::vector<int64_t> first_times(const RunEnded& run) {
  std::vector<int64_t> times;
  for (const auto& [number, log] : run.sender_logs) {
    if (!log.rows.empty() && log.rows[0].intended_ns) times.push_back(*log.rows[0].intended_ns);
  }
  return times;
}

RunEnded run_with_phase(const std::string& phase) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(1));
  stage.start(senders(4, {"--messages", "6", "--delay", "40ms", "--phase", phase}));
  RunEnded run = stage.finish();
  EXPECT_THAT(check_complete_run(run, {.messages = 6}), IsEmpty());
  return run;
}

TEST_P(Schedule, IsAbsoluteWhateverThePhase) {
  RunEnded run = run_with_phase(GetParam());
  ASSERT_THAT(run.sender_logs, SizeIs(4));
  for (const auto& [number, log] : run.sender_logs) {
    for (const auto& row : log.rows) {
      ASSERT_TRUE(row.intended_ns && row.sent_ns);
      EXPECT_EQ(*row.intended_ns - *log.rows[0].intended_ns, static_cast<int64_t>(row.index - 1) * kDelay);
      EXPECT_GE(*row.sent_ns, *row.intended_ns) << "sent before its time";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Phases, Schedule, testing::Values("even", "together", "random"),
                         [](const auto& one) { return one.param; });

TEST(Phase, EvenSpreadsTheSendersOverTheDelay) {
  auto times = first_times(run_with_phase("even"));
  ASSERT_THAT(times, SizeIs(4));
  std::sort(times.begin(), times.end());
  for (size_t i = 1; i < 4; ++i) EXPECT_NEAR(static_cast<double>(times[i] - times[i - 1]), kDelay / 4.0, 2.0);
}

TEST(Phase, SeveralFleetsSpreadAsOne) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster", "--expect-senders", "4"});
  stage.start(receivers(1));
  for (const int first : {1, 3})
    stage.start(senders(2, {"--messages", "6", "--delay", "40ms", "--phase", "even", "--phase-of", "4"}, first));
  const RunEnded run = stage.finish();
  EXPECT_THAT(check_complete_run(run, {.messages = 6}), IsEmpty());
  auto times = first_times(run);
  ASSERT_THAT(times, SizeIs(4));
  std::sort(times.begin(), times.end());
  for (size_t i = 1; i < 4; ++i) EXPECT_NEAR(static_cast<double>(times[i] - times[i - 1]), kDelay / 4.0, 2.0);
}

TEST(Phase, TogetherLetsAllSendAtOnce) {
  auto times = first_times(run_with_phase("together"));
  ASSERT_THAT(times, SizeIs(4));
  EXPECT_THAT(times, Each(times[0]));
}

TEST(Phase, RandomIsNeither) {
  auto times = first_times(run_with_phase("random"));
  ASSERT_THAT(times, SizeIs(4));
  std::sort(times.begin(), times.end());
  EXPECT_LT(times[3] - times[0], kDelay);
  EXPECT_GT(times[3] - times[0], 0);
  EXPECT_FALSE(times[1] - times[0] == kDelay / 4 && times[2] - times[1] == kDelay / 4);
}

TEST(Duration, EndsTheSendersInsteadOfACount) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(1));
  stage.start(senders(2, {"--duration", "300ms", "--delay", "10ms"}));
  RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  for (const auto& [number, log] : run.sender_logs) {
    EXPECT_GE(log.rows.size(), 28U);
    EXPECT_LE(log.rows.size(), 31U);
  }
  EXPECT_EQ(run.sum("receiver", "received"), run.sum("sender", "sent"));
}

// A sender whose clock is an hour ahead: its offset is measured, and the latencies come out as if it were not.
class Skew : public testing::TestWithParam<std::string> {};

TEST_P(Skew, OfTheSendersClockIsMeasuredAndTakenOut) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  bool of_senders = GetParam().starts_with("senders");
  std::string skew = GetParam().ends_with("ahead") ? "1h" : "-10s";
  stage.start(receivers(2, of_senders ? Options{} : Options{"--clock-skew", skew}));
  Options options{"--messages", "30", "--delay", "5ms"};
  if (of_senders) options.insert(options.end(), {"--clock-skew", skew});
  stage.start(senders(2, options));
  RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  for (const auto& fleet : run.fleets) {
    if (fleet.role != "receiver") continue;
    const Json& latency = fleet.summary["latency_ns"];
    EXPECT_EQ(count_in(latency, "count"), 120) << latency.dump();
    // Far from the skew, however slow the machine.
    EXPECT_LT(std::abs(latency.value("p50", 1e18)), 2e9) << latency.dump();
    EXPECT_LT(std::abs(latency.value("mean", 1e18)), 2e9) << latency.dump();
    EXPECT_TRUE(fleet.summary["clock"].is_object()) << fleet.summary.dump();
  }
}

INSTANTIATE_TEST_SUITE_P(Clocks, Skew,
                         testing::Values("senders_ahead", "senders_behind", "receivers_ahead", "receivers_behind"),
                         [](const auto& one) { return one.param; });

TEST(FullDisk, IsReportedAndTheRunGoesOn) {
  Stage stage;
  std::filesystem::create_directories(stage.logs());
  std::filesystem::create_symlink("/dev/full", stage.logs() / "receiver-2.log");
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(3));
  stage.start(senders(1, {"--messages", "20", "--delay", "1ms"}));
  RunEnded run = stage.finish();
  EXPECT_EQ(run.sum("receiver", "received"), 60) << run.story();
  for (const auto& fleet : run.fleets) {
    if (fleet.role == "receiver") {
      EXPECT_THAT(fleet.err, HasSubstr("receiver-2.log"));
    }
  }
  EXPECT_THAT(run.receiver_logs.at(1).rows, SizeIs(20));
  EXPECT_THAT(run.receiver_logs.at(3).rows, SizeIs(20));
}

}  // namespace
}  // namespace n2nq::test
