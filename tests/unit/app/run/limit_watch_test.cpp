#include "app/run/limit_watch.h"

#include <gmock/gmock.h>

#include "app/figures/figures.h"
#include "app/figures/limit_text.h"
#include "app/figures/metric.h"
#include "app/record/trust.h"
#include "broker/base/clock.h"

namespace n2nq::run {
namespace {

using plan::LimitAction;
using record::PassedLimit;
using testing::ElementsAre;
using testing::IsEmpty;

// One sender, and one receiver with so many latencies of 6 ms.
struct LimitWatchTest : testing::Test {
  LimitWatchTest() : live_(1, 1) {
    live_.add_worker(Role::sender, 1, 1);
    live_.add_worker(Role::receiver, 1, 1);
    for (const uint32_t worker : {0u, 1u}) live_.begin(worker, 0);
  }

  // So many more.
  void tell(int64_t at_ns, uint64_t messages) {
    for (uint64_t i = 0; i < messages; i++) latencies_.record(6'000'000);
    live_.take(0, {.role = Role::sender, .time_ns = at_ns});
    control::Telemetry received{.role = Role::receiver, .time_ns = at_ns};
    const record::HistogramRecord told = record::to_record("latency_ns", latencies_);
    if (messages > 0)
      received.histograms = {{.name = told.name,
                              .moments = told.moments,
                              .buckets = {{.index = told.buckets.front().index, .count = messages}}}};
    live_.take(1, received);
  }

  LimitWatch& watch(std::vector<plan::RunLimit> limits) {
    plan_.limits = std::move(limits);
    record_.plan = plan_;
    watch_.emplace(plan_, live_, record_, TakeNote([this](const record::RunNote& note, int64_t) {
                     const bool at_a_time = !note.text.ends_with(", over the whole run");
                     EXPECT_EQ(note.kind, at_a_time ? record::EventKind::limit : record::EventKind::none) << note.text;
                     said_.push_back(note.text);
                   }));
    return *watch_;
  }

  plan::RunPlan plan_;
  live::LiveFigures live_;
  record::RunRecord record_;
  measure::Histogram latencies_;
  std::vector<std::string> said_;
  std::optional<LimitWatch> watch_;
};

TEST(LimitText, SaysWhatWasPassedAndWhen) {
  PassedLimit passed{.metric = "p99", .limit = 5e6, .value = 6.2e6, .since_begin_ns = 3 * kSecond};
  EXPECT_EQ(figures::passed_text(passed), "latency p99 6.20 ms, above 5 ms");
  EXPECT_EQ(figures::passed_when_text(passed), "latency p99 6.20 ms, above 5 ms, as of 3.00 s");
  passed = {.metric = "rate", .at_most = false, .limit = 20000, .value = 19000};
  EXPECT_EQ(figures::passed_when_text(passed), "received per second 19,000 /s, below 20,000 /s, over the whole run");
  passed.since_begin_ns = 3 * kSecond;
  EXPECT_EQ(figures::passed_when_text(passed), "received per second 19,000 /s, below 20,000 /s, at 3.00 s");
  passed.metric = "of a newer bench";
  EXPECT_EQ(figures::passed_text(passed), "of a newer bench");
  EXPECT_EQ(figures::limit_text({.metric = "p99", .value = 5e6}), "p99 <= 5 ms");
}

TEST(LimitText, LimitsByWhichARunFailsAreItsReason) {
  const PassedLimit p99{.metric = "p99", .limit = 1e6, .value = 3.2e6, .since_begin_ns = 3 * kSecond, .fails = true};
  const PassedLimit rate{.metric = "rate", .at_most = false, .limit = 20'000, .value = 19'000, .fails = true};
  const PassedLimit newer{.metric = "of a newer bench", .fails = true};
  const PassedLimit warned{.metric = "lost", .limit = 0, .value = 3};
  EXPECT_EQ(figures::failed_text(std::vector{p99, warned, rate, newer}),
            "p99 <= 1 ms: it was 3.20 ms, as of 3.00 s; rate >= 20,000 /s: it was 19,000 /s, over the whole run; of a "
            "newer bench");
  EXPECT_EQ(figures::failed_text(std::vector{warned}), "");
  EXPECT_EQ(figures::verdict_words(record::Verdict::exceeded, std::vector{p99}), "failed, limit exceeded");
}

TEST(LimitText, LimitsThatOnlyWarnStandBesideAVerdict) {
  const PassedLimit p99{.metric = "p99", .limit = 1e3, .value = 2.74e6, .since_begin_ns = kSecond};
  const PassedLimit lost{.metric = "lost", .limit = 0, .value = 3};
  PassedLimit ended = p99, failed = p99;
  ended.stopped = true;  // as before there were limits by which runs fail
  failed.fails = true;
  EXPECT_EQ(figures::warned_text(std::vector{p99, lost}),
            "limit exceeded: latency p99 2.74 ms, above 1 µs, as of 1.00 s; lost 3, above 0, over the whole run");
  EXPECT_EQ(figures::warned_text(std::vector{ended, failed}), "") << "the verdict says so";
  EXPECT_EQ(figures::verdict_words(record::Verdict::passed, std::vector{p99}), "passed, limit exceeded");
  EXPECT_EQ(figures::verdict_words(record::Verdict::passed, {}), "passed");
}

TEST(LimitText, LimitsAreLinesInTheFiguresOfTheirKind) {
  record::RunRecord run;
  run.plan.limits = {
      {.metric = "p99", .value = 5e6}, {.metric = "rate", .at_most = false, .value = 20000}, {.metric = "lost"}};
  run.series = {{.start_ns = 0,
                 .width_ns = kSecond,
                 .sent = 1,
                 .received = 1,
                 .p50_ns = 1,
                 .p95_ns = 1,
                 .p99_ns = 1,
                 .max_ns = 1}};
  const auto figures = figures::figures_of(run);
  EXPECT_THAT(figures[0].limits, ElementsAre(figures::Limit{.label = "rate at least 20,000 /s", .value = 20000}));
  EXPECT_THAT(figures[1].limits, ElementsAre(figures::Limit{.label = "p99 at most 5 ms", .value = 5e6}));
}

TEST_F(LimitWatchTest, IsJudgedASecondAfterWarmUpAndOnceASecondFromThenOn) {
  plan_.warmup_ns = 2 * kSecond;
  LimitWatch& watch = this->watch({{.metric = "lost", .at_most = false, .value = 1}});
  tell(kSecond, 0);
  EXPECT_FALSE(watch.judge(kSecond, kSecond, true));
  EXPECT_FALSE(watch.states()[0].value) << "still warm-up";
  tell(3 * kSecond, 0);
  EXPECT_FALSE(watch.judge(3 * kSecond - 1, 3 * kSecond - 1, true));
  EXPECT_FALSE(watch.states()[0].value) << "not a second of what counts";
  EXPECT_FALSE(watch.judge(3 * kSecond, 3 * kSecond, true));
  EXPECT_EQ(watch.states()[0].value, 0);
  EXPECT_TRUE(watch.states()[0].beyond);
}

// However early the figures are there: repeats of one plan are judged at the same moments.
TEST_F(LimitWatchTest, EachRunIsJudgedAnewAndNotBeforeItsFirstSecond) {
  for (int run = 1; run <= 3; run++) {
    record_ = {};
    LimitWatch& watch = this->watch({{.metric = "lost", .at_most = false, .value = 1}});
    EXPECT_FALSE(watch.states()[0].passed);
    tell(kSecond / 6, 100);
    watch.judge(kSecond / 6, kSecond / 6, true);
    EXPECT_FALSE(watch.states()[0].passed) << "run " << run;
    tell(kSecond, 100);
    watch.judge(kSecond, kSecond, true);
    ASSERT_EQ(record_.passed_limits.size(), 1u) << "run " << run;
    EXPECT_EQ(record_.passed_limits[0].since_begin_ns, kSecond);
  }
}

TEST_F(LimitWatchTest, IsPassedOnceAndSaysSoInTheLog) {
  LimitWatch& watch = this->watch({{.metric = "lost", .at_most = false, .value = 1},
                                   {.metric = "duplicates", .at_most = true, .value = 0, .action = LimitAction::stops},
                                   {.metric = "corrupt", .at_most = false, .value = 1, .action = LimitAction::stops}});
  tell(kSecond, 0);
  const auto passed = watch.judge(kSecond, kSecond, true);
  ASSERT_TRUE(passed);
  EXPECT_EQ(passed->metric, "corrupt");
  EXPECT_THAT(said_, ElementsAre("limit exceeded: lost 0, below 1, as of 1.00 s",
                                 "limit exceeded: corrupt 0, below 1, as of 1.00 s; the run is stopped"));
  EXPECT_FALSE(watch.judge(2 * kSecond, 2 * kSecond, true));
  watch.judge_whole_run();
  EXPECT_EQ(said_.size(), 2u);
  ASSERT_EQ(record_.passed_limits.size(), 2u);
  EXPECT_EQ(record_.passed_limits[0].since_begin_ns, kSecond);
}

TEST_F(LimitWatchTest, EndsNoRunInWhichEverythingWasSent) {
  LimitWatch& watch = this->watch({{.metric = "lost", .at_most = false, .value = 1, .action = LimitAction::stops}});
  tell(kSecond, 0);
  EXPECT_FALSE(watch.judge(kSecond, kSecond, false));
  ASSERT_EQ(record_.passed_limits.size(), 1u);
  EXPECT_FALSE(record_.passed_limits[0].stopped);
}

TEST_F(LimitWatchTest, ARunFailsByALimitUnlessThatOnlyWarns) {
  LimitWatch& watch =
      this->watch({{.metric = "lost", .at_most = false, .value = 1},
                   {.metric = "corrupt", .at_most = false, .value = 1, .action = LimitAction::warns},
                   {.metric = "duplicates", .at_most = false, .value = 1, .action = LimitAction::stops}});
  tell(kSecond, 0);
  ASSERT_TRUE(watch.judge(kSecond, kSecond, true));
  ASSERT_EQ(record_.passed_limits.size(), 3u);
  EXPECT_TRUE(record_.passed_limits[0].fails);
  EXPECT_TRUE(record::only_warns(record_.passed_limits[1]));
  EXPECT_TRUE(record_.passed_limits[2].fails && record_.passed_limits[2].stopped);
}

TEST_F(LimitWatchTest, ALimitThatWasNeverJudgedIsADoubtThatSaysWhy) {
  plan_.recorder.on = false;
  LimitWatch& watch = this->watch({{.metric = "host-cpu", .value = 80}, {.metric = "lost"}, {.metric = "p99"}});
  record_.began_utc_ns = kSecond;
  record_.ended_utc_ns = 4 * kSecond;
  record_.totals.lost = 0;
  record_.warnings = {{.id = "cpu-sender-1", .from_ns = 5}};
  watch.judge_whole_run();
  ASSERT_EQ(record_.warnings.size(), 3u);
  EXPECT_EQ(record_.warnings[0], (record::RunWarning{.id = "limit-host-cpu",
                                                     .text = "the limit host-cpu <= 80 % was never judged: the "
                                                             "recorder was off",
                                                     .from_ns = 0,
                                                     .held_ns = 3 * kSecond,
                                                     .doubt = true}));
  EXPECT_EQ(record_.warnings[1].text, "the limit p99 <= 0 s was never judged: the run does not have this figure");
  EXPECT_EQ(record_.warnings[2].id, "cpu-sender-1");
  ASSERT_NE(record::unjudged_limit(record_), nullptr);
  record::judge_trust(record_);
  EXPECT_EQ(record_.trust, record::Trust::doubtful);
  EXPECT_EQ(record::unjudged_limit(record_)->id, "limit-host-cpu") << "whenever it is judged again";
}

TEST_F(LimitWatchTest, ALimitThatWasJudgedOnceIsNoDoubt) {
  LimitWatch& watch = this->watch({{.metric = "p99", .value = 60e9}});
  tell(kSecond, 100);
  watch.judge(kSecond, kSecond, true);
  record_.totals.received = 100;
  record_.latencies[Latency::latency] = {.count = 100, .p99 = 4'000'000};
  watch.judge_whole_run();
  EXPECT_THAT(record_.warnings, IsEmpty());
}

// A recorder that ended in mid-run, say.
TEST_F(LimitWatchTest, ALimitWhoseFigureIsNotKnownToTheEndWasNeverJudged) {
  LimitWatch& watch = this->watch({{.metric = "p99", .value = 60e9}});
  tell(kSecond, 100);
  watch.judge(kSecond, kSecond, true);
  record_.latencies[Latency::latency] = {};
  watch.judge_whole_run();
  watch.judge_whole_run();
  ASSERT_EQ(record_.warnings.size(), 1u);
  EXPECT_THAT(record_.warnings[0].text, HasSubstr("was never judged: its figure is not known to the end of the run"));
}

// After a link was lost; what the host left there may come later.
TEST_F(LimitWatchTest, WhatAPartOfTheDeliveriesKeepsToIsNotJudged) {
  LimitWatch& watch = this->watch({{.metric = "p99", .value = 5e6}});
  record_.began_utc_ns = 0;
  record_.totals.received = 1000;
  record_.latencies[Latency::latency] = {.count = 100, .p99 = 4'000'000};
  watch.judge_whole_run();
  ASSERT_EQ(record_.warnings.size(), 1u);
  EXPECT_EQ(record_.warnings[0].text,
            "the limit p99 <= 5 ms was never judged: latencies are known of 100 of 1,000 deliveries only");
  record_.latencies[Latency::latency].count = 1000;
  watch.judge_whole_run();
  EXPECT_THAT(record_.warnings, IsEmpty());
  EXPECT_THAT(record_.passed_limits, IsEmpty());
  record_.latencies[Latency::latency] = {.count = 100, .p99 = 6'000'000};
  watch.judge_whole_run();
  EXPECT_EQ(record_.passed_limits.size(), 1u);
  EXPECT_THAT(record_.warnings, IsEmpty());
}

// Over another bus nobody knows it before, and of a load balancer the queue alone.
TEST_F(LimitWatchTest, WhatWasLostIsJudgedAtTheEndWhereNoReceiverIsTold) {
  for (const auto& [bus, mode] : {std::pair("http", plan::Mode::broadcaster), {"n2nq", plan::Mode::load_balancer}}) {
    plan_.bus.kind = bus;
    plan_.queue.mode = mode;
    record_ = {};
    LimitWatch& watch = this->watch({{.metric = "lost", .at_most = true, .value = 0, .action = LimitAction::stops}});
    tell(kSecond, 0);
    EXPECT_FALSE(watch.judge(kSecond, kSecond, true));
    EXPECT_FALSE(watch.states()[0].value) << bus;
    record_.totals.lost = 3;
    watch.judge_whole_run();
    ASSERT_EQ(record_.passed_limits.size(), 1u) << bus;
    EXPECT_EQ(record_.passed_limits[0].value, 3);
  }
}

TEST_F(LimitWatchTest, RatesAreJudgedWhileAllSend) {
  LimitWatch& watch = this->watch({{.metric = "sent-rate", .at_most = false, .value = 1}});
  tell(kSecond, 0);
  watch.judge(kSecond, kSecond, true);
  EXPECT_THAT(record_.passed_limits, IsEmpty()) << "there is no whole second yet";
  tell(2 * kSecond, 0);
  watch.judge(2 * kSecond, 2 * kSecond, false);
  EXPECT_THAT(record_.passed_limits, IsEmpty()) << "some have sent all";
  watch.judge(3 * kSecond, 3 * kSecond, true);
  EXPECT_EQ(record_.passed_limits.size(), 1u);
}

TEST_F(LimitWatchTest, RepliesOfTheLastSecondAreJudgedWhereThereAreAny) {
  LimitWatch& watch = this->watch({{.metric = "reply-rate", .at_most = false, .value = 100}});
  const auto answered = [this](int64_t at_ns, int64_t replies) {
    control::Telemetry telemetry{.role = Role::sender, .time_ns = at_ns};
    telemetry.services = {{{.count = at_ns / 1'000'000, .replies = replies}, /*service=*/1}};
    telemetry.totals = telemetry.services.front();
    live_.take(0, telemetry);
    live_.take(1, {.role = Role::receiver, .time_ns = at_ns});
  };
  answered(2 * kSecond, 0);
  watch.judge(2 * kSecond, 2 * kSecond, true);
  EXPECT_FALSE(watch.states()[0].value) << "no reply, no timeout: perhaps nothing asks";
  answered(3 * kSecond, 500);
  watch.judge(3 * kSecond, 3 * kSecond, true);
  EXPECT_EQ(watch.states()[0].value, 500);
  EXPECT_FALSE(watch.states()[0].passed);
  answered(4 * kSecond, 520);
  watch.judge(4 * kSecond, 4 * kSecond, true);
  ASSERT_TRUE(watch.states()[0].passed);
  EXPECT_EQ(watch.states()[0].passed->value, 20);
}

TEST_F(LimitWatchTest, ARunTooShortForARateIsJudgedByThatOfItsResult) {
  LimitWatch& watch = this->watch({{.metric = "rate", .at_most = false, .value = 100}});
  live_.take(1, {.role = Role::receiver, .time_ns = kSecond / 2, .totals = {{.count = 60}}});
  ASSERT_GT(live_.of_whole_run(live_.all_receivers()).rate_per_s, 100) << "to the last message";
  record_.totals.received = 60;
  record_.began_utc_ns = 7;
  record_.ended_utc_ns = 7 + kSecond;
  watch.judge_whole_run();
  ASSERT_EQ(record_.passed_limits.size(), 1u);
  EXPECT_DOUBLE_EQ(record_.passed_limits[0].value, 60);
}

TEST_F(LimitWatchTest, APercentileIsJudgedFromTheNumberOfMessagesThatItNeeds) {
  LimitWatch& watch = this->watch({{.metric = "p99", .at_most = true, .value = 1}});
  tell(kSecond, 99);
  watch.judge(kSecond, kSecond, true);
  EXPECT_FALSE(watch.states()[0].value);
  tell(2 * kSecond, 1);
  watch.judge(2 * kSecond, 2 * kSecond, true);
  EXPECT_TRUE(watch.states()[0].value);
}

}  // namespace
}  // namespace n2nq::run
