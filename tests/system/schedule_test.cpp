// The senders' schedule, the clocks and what a disk that fills does, seen from the log files and summaries.
#include <sys/resource.h>

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

// The truth is known here, and the product has no part in it: both programs read the same clock, so every offset is 0,
// and all that is sent waits so long on its way to the broker or from there. The estimate must be wrong by half of it.
class UnequalWay : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int64_t kDelayNs = 80'000'000;
  // A delay towards the broker makes a clock seem late, one on the way from there early.
  static Process slow_bus(uint16_t broker, bool up) {
    const std::string delay = std::to_string(kDelayNs / 1'000'000);
    return Process({N2NQ_BROKEN_BUS, std::to_string(broker), "slow", up ? delay : "0", up ? "0" : delay});
  }
  static uint16_t port_of(Process& bus) { return await_json(bus, "ready")["port"].get<uint16_t>(); }
};

TEST_P(UnequalWay, MakesAnOffsetWrongByHalfOfItAndTheBoundSaysSo) {
  const bool senders_up = GetParam() == "errors_add_up";
  RunEnded run;
  {
    Stage stage;
    stage.start_broker({"--mode", "broadcaster"});
    Process senders_bus = slow_bus(stage.port(), senders_up), receivers_bus = slow_bus(stage.port(), false);
    Fleet listening = receivers(2), sending = senders(2, {"--messages", "60", "--delay", "20ms"});
    listening.port = port_of(receivers_bus);
    sending.port = port_of(senders_bus);
    stage.start(listening);
    stage.start(sending);
    run = stage.finish();
  }
  ASSERT_TRUE(run.all_ended_with(0)) << run.story();
  for (const FleetEnded& fleet : run.fleets) {
    const Json& clock = fleet.summary["clock"];
    EXPECT_EQ(clock["kind"], "measured") << clock;
    const int64_t offset = count_in(clock, "offset_ns"), bound = count_in(clock, "own_bound_ns");
    const bool up = fleet.role == "sender" && senders_up;
    EXPECT_GT(up ? offset : -offset, kDelayNs / 4) << "the way is unequal: " << clock;
    EXPECT_LE(std::abs(offset), bound) << clock;
    EXPECT_GE(bound, kDelayNs / 2) << "half of what is known to lie between: " << clock;
    EXPECT_LT(bound, kDelayNs) << "else a huge bound would pass: " << clock;
    ASSERT_FALSE(clock["intervals"].empty());
    for (const Json& interval : clock["intervals"])
      EXPECT_LE(std::abs(interval["offset_ns"].get<int64_t>()), interval["bound_ns"].get<int64_t>()) << interval;
    if (fleet.role == "sender") continue;
    const int64_t both = count_in(clock, "bound_ns");
    EXPECT_LT(both, 2 * kDelayNs) << clock;
    int64_t furthest = 0;
    for (const auto& [number, log] : run.receiver_logs) {
      ASSERT_EQ(log.rows.size(), 120u);
      for (const LogRow& row : log.rows)
        furthest = std::max(furthest, std::abs(*row.latency_ns - (*row.received_ns - *row.sent_ns)));
    }
    EXPECT_LE(furthest, both) << clock;
    if (senders_up) {
      EXPECT_GT(furthest, kDelayNs / 2) << "what one clock is wrong by adds to the other's";
    }
  }
}

// What a turnaround consists of: each way took at least the delay that is planted there, and at the most what the
// turnaround leaves beside the other's. The clock of the requesters is measured over the unequal way and is wrong by
// half of the difference, which the turnaround must not have in it.
TEST_P(UnequalWay, ATurnaroundHasNoClockInItAndItsTwoWaysAreFoundWithinTheBound) {
  const bool up = GetParam() == "errors_add_up";
  RunEnded run;
  {
    Stage stage;
    stage.start_broker({"--mode", "request-reply"});
    Process bus = slow_bus(stage.port(), up);
    Fleet asking = senders(2, {"--reply-from", "one", "--messages", "30", "--delay", "20ms", "--clock-skew", "3s"});
    asking.port = port_of(bus);
    stage.start(receivers(1, {"--reply-size", "50B"}));
    stage.start(asking);
    run = stage.finish();
  }
  ASSERT_TRUE(run.all_ended_with(0)) << run.story();
  const Json& asked = run.fleets[1].summary;
  const Json &turnaround = asked["turnaround"]["turnaround_ns"], &back = asked["turnaround"]["reply_latency_ns"];
  const Json& there = run.fleets[0].summary["latency_ns"];
  for (const Json* one : {&turnaround, &back, &there}) ASSERT_EQ(count_in(*one, "count"), 60) << run.story();
  EXPECT_GE(count_in(turnaround, "min"), kDelayNs) << turnaround;
  const int64_t bound = count_in(asked["clock"], "own_bound_ns"), offset = count_in(asked["clock"], "offset_ns");
  EXPECT_GE(bound, kDelayNs / 2) << asked["clock"];
  EXPECT_GT(std::abs(offset + 3'000'000'000), kDelayNs / 4) << "the way is unequal: " << asked["clock"];
  const int64_t least_there = up ? kDelayNs : 0, least_back = kDelayNs - least_there;
  EXPECT_GE(count_in(there, "min") + bound, least_there);
  EXPECT_GE(count_in(back, "min") + bound, least_back);
  EXPECT_LE(count_in(there, "max") - bound, count_in(turnaround, "max") - least_back);
  EXPECT_LE(count_in(back, "max") - bound, count_in(turnaround, "max") - least_there);
  const auto mean = [](const Json& latency) { return latency.value("mean", -1.0); };
  EXPECT_LE(mean(there) + mean(back), mean(turnaround) + kDelayNs / 20.0)
      << "the clock's error is in both and cancels out";
}

INSTANTIATE_TEST_SUITE_P(Ways, UnequalWay, testing::Values("errors_add_up", "errors_cancel_out"),
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

// As 'ulimit -f' has it: the signal for it would end whoever does not ignore it.
TEST(FileSize, ThatMayNotGrowIsReportedAndTheRunGoesOn) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  const Process& receiving = stage.start(receivers(1));
  const rlimit small{.rlim_cur = 1000, .rlim_max = 1000};
  ASSERT_EQ(::prlimit(receiving.pid(), RLIMIT_FSIZE, &small, nullptr), 0);
  stage.start(senders(1, {"--messages", "200", "--delay", "1ms"}));
  const RunEnded run = stage.finish();
  EXPECT_EQ(run.sum("receiver", "received"), 200) << run.story();
  for (const auto& fleet : run.fleets) {
    if (fleet.role != "receiver") continue;
    ASSERT_TRUE(fleet.exit);
    EXPECT_EQ(fleet.exit->signal, 0);
    EXPECT_THAT(fleet.err, HasSubstr("receiver-1.log"));
  }
}

}  // namespace
}  // namespace n2nq::test
