#include "app/live/warnings.h"

#include <gmock/gmock.h>

#include "broker/base/clock.h"

namespace n2nq::live {
namespace {

using control::ServiceRow;
using control::Telemetry;

struct WarningsTest : testing::Test {
  WarningsTest() {
    figures.begin(senders, 0);
    figures.begin(receivers, 0);
  }
  void senders_are_late(std::vector<int64_t> lateness_ns) {
    Telemetry telemetry{.role = Role::sender, .time_ns = kSecond};
    for (size_t i = 0; i < lateness_ns.size(); i++) {
      telemetry.services.push_back({{.count = 1}, static_cast<int64_t>(i + 1), control::kRunning});
      telemetry.services.back().lateness_ns = lateness_ns[i];
    }
    figures.take(senders, telemetry);
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const LiveWarning& warning : warnings_of(figures, plan)) all.push_back(warning.text);
    return all;
  }
  std::string id() const {
    const auto all = warnings_of(figures, plan);
    return all.size() == 1 ? all[0].id : std::to_string(all.size()) + " warnings";
  }

  plan::RunPlan plan{};
  LiveFigures figures{20, 20};
  uint32_t senders = figures.add_worker(Role::sender, 1, 20);
  uint32_t receivers = figures.add_worker(Role::receiver, 1, 20);
};

TEST_F(WarningsTest, SayNothingWhenAllIsWell) {
  senders_are_late({0, 50'000, 999'999});
  EXPECT_TRUE(texts().empty());
}

TEST_F(WarningsTest, KeepTheLargestOfTheRun) {
  senders_are_late({0, 3'900'000'000});
  const auto then = warnings_of(figures, plan);
  senders_are_late({0, 3'100'000});
  const auto now = at_their_largest(warnings_of(figures, plan), then);
  EXPECT_EQ(now, then);
  EXPECT_EQ(at_their_largest(then, now), then);
}

TEST_F(WarningsTest, NameEachHostWhoseCoresAreNotKeptAwakeAsThePlanWants) {
  figures.hosts().add("this computer");
  figures.hosts().add("vm2");
  EXPECT_TRUE(texts().empty()) << "the plan does not want it";
  plan.awake = true;
  EXPECT_EQ(texts().size(), 2u) << "nobody has said anything";
  figures.hosts().awake("this computer", "by spinners");
  figures.hosts().not_awake("vm2", "no spinner here");
  ASSERT_EQ(id(), "awake-vm2");
  EXPECT_EQ(texts()[0], "the cores of vm2 are not kept awake, as the plan wants: no spinner here");
  EXPECT_EQ(warnings_of(figures, plan)[0].weight, Weight::always);
}

TEST_F(WarningsTest, NameALateSender) {
  senders_are_late({0, 3'100'000});
  ASSERT_EQ(id(), "behind");
  EXPECT_EQ(
      texts()[0],
      "sender 2 is up to 3.10 ms behind its schedule: its computer or the queue is slower than the plan requires; "
      "raise the delay or lower the amounts");
}

TEST_F(WarningsTest, BlameNoQueueThatCarriesNothing) {
  senders_are_late({0, 3 * kMs});
  Telemetry timed_out{.role = Role::sender, .time_ns = 2 * kSecond};
  timed_out.totals.count = 2;
  timed_out.totals.timeouts = 2;
  figures.take(senders, timed_out);
  ASSERT_EQ(texts().size(), 2u);
  EXPECT_THAT(texts(), testing::Each(testing::HasSubstr("or the queue")));
  plan.bus.kind = "http";
  EXPECT_THAT(texts(), testing::Each(testing::AllOf(testing::HasSubstr("or the bus"),
                                                    testing::Not(testing::HasSubstr("queue")))));
}

TEST_F(WarningsTest, NameTheLatestOfSeveralSenders) {
  senders_are_late({3 * kMs, 9 * kMs, 4 * kMs});
  ASSERT_EQ(id(), "behind");
  EXPECT_TRUE(texts()[0].starts_with("sender 2 and 2 more are up to 9.00 ms behind their schedule")) << texts()[0];
}

TEST_F(WarningsTest, AllowATenthOfALongDelayAndAnythingWithoutADelay) {
  plan.senders.delay_ns = kSecond;
  senders_are_late({99 * kMs});
  EXPECT_TRUE(texts().empty());
  senders_are_late({101 * kMs});
  EXPECT_EQ(id(), "behind");
  plan.senders.delay_ns = 0;
  EXPECT_TRUE(texts().empty());
}

TEST_F(WarningsTest, CountLossesAndSayWhy) {
  Telemetry telemetry{.role = Role::receiver, .time_ns = kSecond};
  telemetry.totals.lost = 1200;
  figures.take(receivers, telemetry);
  EXPECT_EQ(id(), "lost");
  EXPECT_EQ(texts()[0],
            "1,200 messages were lost to receivers: the queue removed what was not delivered within 5.00 s; keep "
            "messages for longer, or send less");
  plan.queue.retention_ns.reset();
  EXPECT_NE(texts()[0].find("gave up delivering"), std::string::npos);
  plan.bus = {.kind = "kafka", .settings = {{"quiet", "3s"}}};
  EXPECT_EQ(texts()[0],
            "1,200 messages were lost to receivers: nothing more had come for 3s (bus.quiet) when they were given up");
  plan.bus = {.kind = "rabbitmq", .settings = {{"max_bytes", "1MiB"}}};
  EXPECT_NE(texts()[0].find("lets the server drop messages"), std::string::npos);
}

TEST_F(WarningsTest, TellOfCorruptMessages) {
  Telemetry telemetry{.role = Role::receiver, .time_ns = kSecond};
  telemetry.totals.corrupt = 1;
  figures.take(receivers, telemetry);
  EXPECT_EQ(id(), "corrupt");
  EXPECT_TRUE(texts()[0].starts_with("1 message arrived corrupted"));
  Telemetry replies{.role = Role::sender, .time_ns = kSecond};
  replies.totals.corrupt = 2;
  figures.take(senders, replies);
  EXPECT_TRUE(texts()[0].starts_with("3 messages arrived corrupted")) << "replies count too";
}

TEST_F(WarningsTest, TellOfClocksThatAreKnownLessWellThanTheLatencyAsks) {
  Telemetry telemetry{.role = Role::receiver, .time_ns = kSecond};
  telemetry.process.clock =
      control::ClockFigures{.kind = "measured", .offset_ns = 5, .bound_ns = 90'000, .own_bound_ns = 50'000};
  telemetry.totals.count = 10;
  telemetry.histograms = {{.name = "latency_ns",
                           .moments = {.count = 10, .min = 80, .max = 80, .sum = 800, .sum_squares = 64'000},
                           .buckets = {{.index = 80, .count = 10}}}};
  figures.take(receivers, telemetry);
  EXPECT_EQ(figures.clocks(), (ClockState{.kind = "measured", .bound_ns = 90'000}));
  ASSERT_EQ(id(), "clock");
  EXPECT_THAT(texts()[0], testing::AllOf(testing::HasSubstr("known to within 90.0 µs"),
                                         testing::HasSubstr("more than the median latency of 80 ns")));
  telemetry.process.clock->bound_ns = 80;
  telemetry.histograms.clear();
  telemetry.time_ns += kSecond;
  figures.take(receivers, telemetry);
  EXPECT_TRUE(texts().empty());
}

TEST_F(WarningsTest, TakeNoClockForWrongThatIsNotMeasuredYet) {
  Telemetry telemetry{.role = Role::sender, .time_ns = kSecond};
  telemetry.process.clock = control::ClockFigures{.kind = "measured", .offset_ns = 5, .bound_ns = 90'000};
  figures.take(senders, telemetry);
  EXPECT_EQ(figures.clocks(), (ClockState{.kind = "measured"})) << "the receivers say how wrong a latency may be";
  EXPECT_TRUE(texts().empty());
  telemetry.process.clock->own_bound_ns = 40'000;
  figures.take(senders, telemetry);
  EXPECT_EQ(figures.clocks().bound_ns, 90'000u) << "a requester's, with the clocks of its repliers";
}

TEST_F(WarningsTest, TellOfAWorkerThatUsesItsWholeCore) {
  for (int64_t tick = 1; tick <= 20; tick++) {
    Telemetry telemetry{.role = Role::sender, .time_ns = tick * 100 * kMs};
    telemetry.process.cpu_ns = static_cast<uint64_t>(tick * 98 * kMs);
    figures.take(senders, telemetry);
  }
  EXPECT_EQ(id(), "cpu-sender-1");
  EXPECT_EQ(texts()[0],
            "the senders' process uses 98 % of a core: figures may show the limit of the bench, not of the bus; use "
            "more processes");
  plan.senders.fleet.loops = 2;
  EXPECT_TRUE(texts().empty());
}

TEST_F(WarningsTest, NameTheProcessWhereThereAreSeveral) {
  LiveFigures split(20, 20);
  split.add_worker(Role::sender, 1, 10);
  const uint32_t second = split.add_worker(Role::sender, 11, 10);
  Telemetry telemetry{.role = Role::sender, .time_ns = kSecond};
  telemetry.process.log_lines_not_written = 3;
  split.take(second, telemetry);
  const auto warnings = warnings_of(split, plan);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].id, "log-sender-11");
  EXPECT_EQ(warnings[0].text,
            "3 log lines of the process of senders 11-20 could not be written: the disk may be full; free some space, "
            "or log less");
}

TEST_F(WarningsTest, TellOfLogsThatCannotKeepUp) {
  Telemetry telemetry{.role = Role::receiver, .time_ns = kSecond};
  telemetry.totals.log_stalls = 7;
  figures.take(receivers, telemetry);
  EXPECT_EQ(id(), "stalls-receiver");
  EXPECT_TRUE(texts()[0].starts_with("receivers waited 7 times for their log files"));
}

TEST_F(WarningsTest, TellOfMergedTelemetryOnceItIsMuch) {
  Telemetry telemetry{.role = Role::receiver, .time_ns = kSecond, .merged = 9};
  figures.take(receivers, telemetry);
  EXPECT_TRUE(texts().empty());
  telemetry.merged = 1000;
  figures.take(receivers, telemetry);
  EXPECT_EQ(id(), "merged-receiver-1");
}

TEST_F(WarningsTest, TellOfFiguresThatCannotBe) {
  figures.take(receivers, Telemetry{.role = Role::sender});
  EXPECT_EQ(id(), "nonsense-receiver-1");
}

}  // namespace
}  // namespace n2nq::live
