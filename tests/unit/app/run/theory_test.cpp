// A planted truth, through the real bus: queues whose waiting time theory knows exactly.
#include <gmock/gmock.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/analysis/student.h"
#include "app/figures/waiting.h"
#include "app/run/run_session.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::run {
namespace {

using figures::Waiting;
using testing::IsEmpty;
using Kind = measure::ServiceTime::Kind;

constexpr double kUtilisation = 0.7;
constexpr uint32_t kServers = 4;
constexpr uint32_t kSenders = 20;
constexpr int64_t kServiceNs = 10'000'000;
constexpr double kMostServiceNs = 1.02 * kServiceNs;
constexpr int kPatienceMs = 90'000;
// A right prediction lies outside the interval about once in 5,000 runs, as a simulation of these queues says (20,000
// runs of M/M/4: 4 outside; without the widening of fits(), 92).
constexpr double kRight = 0.9999;
// A wrong one must be beyond this.
constexpr double kWrong = 0.95;

// Poisson arrivals for kServers receivers, kUtilisation of what they can serve.
plan::RunPlan plan_of(Kind service, bool one_shared_queue) {
  plan::RunPlan plan;
  plan.senders.fleet.count = kSenders;
  plan.senders.duration_ns = 22'000'000'000;
  plan.senders.delay_ns = std::llround(kSenders * static_cast<double>(kServiceNs) / (kServers * kUtilisation));
  plan.senders.pacing = plan::Pacing::poisson;
  plan.queue.mode = plan::Mode::load_balancer;
  plan.queue.policy = plan::Policy::random;
  plan.queue.retention_ns.reset();
  plan.queue.requests = {.on = one_shared_queue, .at_a_time = 1};
  plan.receivers.fleet.count = kServers;
  plan.receivers.service_time = {.kind = service, .mean_ns = kServiceNs};
  plan.warmup_ns = 1'000'000'000;
  plan.log = plan::LogLevel::off;
  return plan;
}

std::string notes_of(const RunSession& session) {
  std::string text = session.record().reason;
  for (const record::RunNote& note : session.notes()) text += "\n" + note.text;
  return text;
}

struct Theory : testing::Test {
  ~Theory() override {
    sessions.clear();
    EXPECT_THAT(test::processes_left(), IsEmpty());
  }
  RunSession& start(const plan::RunPlan& plan) {
    const SessionOptions options{.programs = N2NQ_BUILT_BIN_DIR,
                                 .runs_folder = (dir / std::to_string(sessions.size())).string()};
    sessions.push_back(std::make_unique<RunSession>(plan, options));
    sessions.back()->start_all();
    return *sessions.back();
  }
  static const record::RunRecord& over(RunSession& session) {
    EXPECT_TRUE(QTest::qWaitFor([&] { return session.state() == State::over; }, kPatienceMs));
    EXPECT_EQ(session.record().verdict, record::Verdict::passed) << notes_of(session);
    return session.record();
  }
  test::TempDir dir;
  std::vector<std::unique_ptr<RunSession>> sessions;
};

std::string story(const Waiting& waiting) {
  std::string text = figures::verdict_text(waiting) + "; measured " + std::to_string(waiting.mean_ns / 1e6) + " ms, " +
                     std::to_string(waiting.low_ns.value_or(0) / 1e6) + " to " +
                     std::to_string(waiting.high_ns.value_or(0) / 1e6) + " by " + std::to_string(waiting.batches) +
                     " batches, " + std::to_string(waiting.messages) + " messages, utilisation " +
                     std::to_string(waiting.utilisation()) + ", service " + std::to_string(waiting.service_ns / 1e6) +
                     ", hand-over " + std::to_string(waiting.handover_ns / 1e6);
  for (const auto& model : waiting.models)
    text += "\n" + model.name + ": " + std::to_string(waiting.predicted_ns(model) / 1e6) + " ms";
  return text;
}

enum class Width {
  measured,
  // A run that waited little by chance has a narrow interval, too: a prediction above it is given the one it would
  // have.
  at_prediction,
};

// How far theory may be from the mean that was measured, to lie within its confidence interval.
double reach_ns(const Waiting& waiting, const figures::WaitingModel& model, double confidence, Width width) {
  const auto degrees = static_cast<double>(waiting.batches) - 1;
  const double reach = (*waiting.high_ns - waiting.mean_ns) * analysis::student_bound(confidence, degrees) /
                       analysis::student_bound(0.95, degrees);
  const double predicted = waiting.predicted_ns(model);
  return reach * (width == Width::at_prediction ? std::max(1.0, predicted / waiting.mean_ns) : 1.0);
}

bool fits(const Waiting& waiting, const std::string& name, double confidence, Width width) {
  const auto model = std::ranges::find(waiting.models, name, &figures::WaitingModel::name);
  if (model == waiting.models.end() || !waiting.high_ns) {
    ADD_FAILURE() << "no " << name << ": " << story(waiting);
    return false;
  }
  return std::abs(waiting.predicted_ns(*model) - waiting.mean_ns) <= reach_ns(waiting, *model, confidence, width);
}

// Time in the system and the number there, as textbooks have them of this load, without the bus.
void expect_in_system(const Waiting& waiting) {
  SCOPED_TRACE(story(waiting));
  const figures::WaitingModel& model = *waiting.fitting();
  const double beyond_ns = reach_ns(waiting, model, kRight, Width::at_prediction) + waiting.handover_ns;
  const analysis::QueuePrediction& textbook = model.prediction;
  EXPECT_NEAR(waiting.in_system_ns, textbook.in_system_s * 1e9, beyond_ns);
  EXPECT_NEAR(waiting.number(waiting.in_system_ns), textbook.in_system, waiting.number(beyond_ns));
  // All that they were there for, over the time: how many were there, whatever the senders say of their delays.
  const double there_ns = static_cast<double>(waiting.messages) * waiting.in_system_ns;
  EXPECT_NEAR(waiting.number(waiting.in_system_ns), there_ns / (waiting.length_s * 1e9),
              0.05 * waiting.number(waiting.in_system_ns));
}

// All three at once: they are idle most of the time.
TEST_F(Theory, IsWhatIsMeasuredOfQueuesThatItKnows) {
  struct Case {
    Kind service;
    bool one_shared_queue;
    const char* fitting;
    const char* other;
  };
  const Case cases[] = {{Kind::exponential, true, "M/M/4", "4 x M/M/1"},
                        {Kind::fixed, true, "M/D/4", "M/M/4"},
                        {Kind::exponential, false, "4 x M/M/1", "M/M/4"}};
  std::vector<std::optional<Waiting>> measured;
  for (int attempt = 1;; attempt++) {
    sessions.clear();
    measured.clear();
    for (const Case& one : cases) start(plan_of(one.service, one.one_shared_queue));
    for (const auto& session : sessions) measured.push_back(figures::waiting_of(over(*session)));
    ASSERT_TRUE(std::ranges::all_of(measured, [](const auto& one) { return one.has_value(); }));
    // How late the timers of fixed service times are tells of the machine, and nothing of the queues.
    if (measured[1]->service_ns < kMostServiceNs) break;
    if (attempt < 3) continue;
    const std::string why = "THEORY WAS NOT CHECKED: this machine is too busy, a service of 10 ms takes " +
                            std::to_string(measured[1]->service_ns / 1e6) + " ms; run it again on one that is idle";
    ASSERT_EQ(std::getenv("CI"), nullptr) << why;  // where it has a second try
    GTEST_SKIP() << why;
  }
  for (size_t i = 0; i < std::size(cases); i++) {
    const auto& waiting = measured[i];
    EXPECT_GT(waiting->messages, 5'000u);
    EXPECT_NEAR(waiting->utilisation(), kUtilisation, 0.1) << story(*waiting);
    EXPECT_THAT(waiting->caveats, IsEmpty());
    ASSERT_NE(waiting->fitting(), nullptr);
    EXPECT_EQ(waiting->fitting()->name, cases[i].fitting);
    EXPECT_TRUE(fits(*waiting, cases[i].fitting, kRight, Width::at_prediction)) << story(*waiting);
    EXPECT_FALSE(fits(*waiting, cases[i].other, kWrong, Width::measured)) << story(*waiting);
    expect_in_system(*waiting);
  }
}

TEST_F(Theory, SaysThatReceiversAreOverloadedAndTheRunEndsOnlyOnceTheirLinesAreServed) {
  plan::RunPlan plan = plan_of(Kind::fixed, false);
  plan.senders.duration_ns = 1'000'000'000;
  plan.senders.delay_ns = 50'000'000;
  plan.receivers.fleet.count = 2;
  plan.warmup_ns = 0;
  const auto& record = over(start(plan));
  const auto waiting = figures::waiting_of(record);
  ASSERT_TRUE(waiting);
  EXPECT_EQ(waiting->messages, record.totals.received);
  EXPECT_EQ(record.latencies[Latency::service].count, record.totals.received);
  EXPECT_TRUE(waiting->overloaded()) << story(*waiting);
  EXPECT_THAT(waiting->models, IsEmpty());
}

// The session gives receivers seven seconds to end after the queue; these take longer for what is in their lines.
TEST_F(Theory, ReceiversThatStillServeAreNotTakenForOnesThatHang) {
  plan::RunPlan plan = plan_of(Kind::fixed, false);
  plan.senders.fleet.count = 1;
  plan.senders.duration_ns = 0;
  plan.senders.messages = 3;
  plan.senders.delay_ns = 1'000'000;
  plan.receivers.fleet.count = 1;
  plan.receivers.service_time.mean_ns = 3'000'000'000;
  plan.warmup_ns = 0;
  EXPECT_EQ(over(start(plan)).latencies[Latency::service].count, 3u);
}

}  // namespace
}  // namespace n2nq::run
