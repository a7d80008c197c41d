// Receivers that pause, over the real programs: what piles up meanwhile, and how it is drained, follow from the plan.
#include <algorithm>
#include <cmath>

#include "app/figures/metric.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using record::Verdict;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr int64_t kMs = 1'000'000;

class RunWithPauses : public SessionRig {
 protected:
  static plan::ReceiverSpan pause(const char* text) { return *plan::parse_span(text); }
  bool is_paused(uint32_t receiver) const {
    return session_->live().receivers()[receiver - 1].state == live::ServiceState::paused;
  }
};

// 200 a second come, and for each the receiver is busy for 2.5 ms: of what piles up in a second it drains what its
// service leaves beside those.
TEST_F(RunWithPauses, PilesUpWhatIsSentAndDrainsItAtWhatTheServiceLeaves) {
  constexpr double kInPerS = 200, kPauseS = 1;
  plan::RunPlan plan;
  plan.senders.fleet.count = 1;
  plan.senders.delay_ns = std::llround(1e9 / kInPerS);
  plan.senders.messages = 800;
  plan.queue.mode = plan::Mode::load_balancer;
  plan.queue.retention_ns.reset();
  plan.queue.requests = {.on = true, .at_a_time = 1};
  plan.receivers.fleet.count = 1;
  plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 2'500'000};
  plan.receivers.pauses = {pause("500ms..1500ms")};
  RunSession& session = make(plan);
  session.start_all();
  ASSERT_TRUE(wait([&] { return is_paused(1); })) << story();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_EQ(record.totals.received, 800u);
  ASSERT_THAT(record.catch_ups, SizeIs(1)) << story();
  const record::CatchUp& found = record.catch_ups.front();
  // Counts are known by slots of a tenth of a second: of one at either end it is not known when in it they came.
  constexpr double kSlot = kInPerS / 10, kMargin = 2 * kSlot;
  EXPECT_NEAR(found.most, kInPerS * kPauseS, kMargin);
  EXPECT_LE(found.before, kMargin);
  ASSERT_TRUE(found.took_ns) << story();
  double drained = 0;
  const int64_t drained_ns = found.resumed_ns + *found.took_ns;
  for (const live::SeriesPoint& slot : record.series) {
    const int64_t within =
        std::min(drained_ns, slot.start_ns + slot.width_ns) - std::max(found.resumed_ns, slot.start_ns);
    if (within > 0)
      drained += (slot.received - slot.sent) * static_cast<double>(within) / static_cast<double>(slot.width_ns);
  }
  EXPECT_NEAR(drained, found.most - std::max(found.before, kSlot), kMargin);
  constexpr double kServedPerS = 400;
  EXPECT_GT(static_cast<double>(*found.took_ns) / 1e9, (found.most - 2 * kMargin) / (kServedPerS - kInPerS))
      << "not faster than it can serve";
  ASSERT_GT(record.latencies[Latency::occupied].count, 0u);
  const double served_per_s = 1e9 / *record.latencies[Latency::occupied].mean;
  EXPECT_LT(static_cast<double>(*found.took_ns) / 1e9, 3 * found.most / (served_per_s - kInPerS)) << "nor much slower";
  EXPECT_EQ(figures::find_metric("recovery")->value(record), static_cast<double>(*found.took_ns));
  const int64_t longest_ns = *record.latencies[Latency::latency].max;
  EXPECT_GT(longest_ns, found.resumed_ns - found.paused_ns - 100 * kMs)
      << "the first that came in it waited for it all";
}

TEST_F(RunWithPauses, ReceiversThatStartLateMissNothing) {
  plan::RunPlan plan = short_plan();
  plan.receivers.fleet.processes = 2;
  plan.receivers.pauses = {pause("1,4:0s..400ms")};
  RunSession& session = make(plan);
  session.start_all();
  ASSERT_TRUE(wait([&] { return is_paused(1) && is_paused(4); })) << story();
  EXPECT_EQ(session.live().receivers()[0].count, 0);
  EXPECT_FALSE(is_paused(2));
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_EQ(record.totals.received, 400u);
  EXPECT_THAT(story(), HasSubstr("receivers 1,4: paused"));
  EXPECT_THAT(story(), HasSubstr("receivers 1,4: resumed"));
}

// What the one that pauses had been given, both have had: of two processes that shows, and nothing hides behind it.
TEST_F(RunWithPauses, WhatAPausedReceiverHasNotAnsweredGoesToAnotherOnceItIsDue) {
  for (const uint32_t processes : {2, 1}) {
    plan::RunPlan plan = short_plan();
    plan.senders.fleet.count = 1;
    plan.senders.delay_ns = 2 * kMs;
    plan.senders.messages = 800;
    plan.queue.mode = plan::Mode::load_balancer;
    plan.queue.policy = plan::Policy::round_robin;
    plan.queue.responses = true;
    plan.queue.response_window = 20;
    plan.queue.take_over_ns = 300 * kMs;
    plan.receivers.fleet.count = 2;
    plan.receivers.fleet.processes = processes;
    plan.receivers.pauses = {pause("2:400ms..1200ms")};
    RunSession& session = make(plan);
    session.start_all();
    const record::RunRecord& record = over();
    EXPECT_EQ(record.verdict, Verdict::passed) << story();
    EXPECT_EQ(record.totals.sent, 800u);
    const uint64_t copies = processes == 2 ? 20 : 0;  // its window full
    EXPECT_GE(record.totals.redelivered, 20u);
    EXPECT_EQ(record.totals.received, 800 + copies);
    EXPECT_EQ(record.totals.expected, 800 + copies);
    EXPECT_EQ(record.totals.lost, 0u);
    EXPECT_EQ(record.totals.duplicates, 0u);
    EXPECT_EQ(record::surplus_deliveries(record), copies);
    EXPECT_THAT(record.reason, copies > 0 ? testing::Matcher<std::string>(HasSubstr("(20 of them again)"))
                                          : testing::Matcher<std::string>(Not(HasSubstr("again"))));
    for (const record::RunWarning& warning : record.warnings) EXPECT_NE(warning.id, "surplus") << "each copy is known";
    EXPECT_EQ(record.catch_ups.empty(), copies > 0) << "how much is due is not known";
    session_.reset();
  }
}

TEST_F(RunWithPauses, StoppedInAPauseTakesWhatWasSentAndKnowsNoPauseThatWasToCome) {
  plan::RunPlan plan = long_plan();
  plan.receivers.pauses = {pause("200ms..9s"), pause("12s..13s")};
  RunSession& session = make(plan);
  session.start_all();
  ASSERT_TRUE(wait([&] { return is_paused(1); })) << story();
  session.stop();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::stopped) << story();
  EXPECT_EQ(record.totals.lost, 0u);
  EXPECT_EQ(record.totals.received, record.totals.expected);
  std::vector<record::EventKind> kinds;
  for (const record::RunNote& note : record.notes)
    if (note.text.starts_with("receivers: ") && note.kind != record::EventKind::none) kinds.push_back(note.kind);
  EXPECT_EQ(kinds, (std::vector{record::EventKind::pause, record::EventKind::resume}));
}

}  // namespace
}  // namespace n2nq::run
