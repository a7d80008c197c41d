// Receivers that come and go in a run, over the real programs: what their logs say of when each took messages.
#include <algorithm>
#include <cmath>

#include "app/figures/metric.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using record::EventKind;
using record::Verdict;
using testing::HasSubstr;
using testing::IsEmpty;

class RunWithComings : public SessionRig {
 protected:
  static plan::RunPlan plan_of(uint32_t receivers) {
    plan::RunPlan plan;
    plan.senders.fleet.count = 1;
    plan.senders.delay_ns = 5'000'000;
    plan.senders.messages = 500;
    plan.queue.mode = plan::Mode::load_balancer;
    plan.queue.retention_ns.reset();
    plan.receivers.fleet.count = receivers;
    plan.log = plan::LogLevel::full;
    return plan;
  }
  // Since the begin: when a receiver took each of its messages, by its log.
  std::vector<int64_t> times_of(uint32_t receiver) const {
    const test::LogFile log = test::read_log(session_->log_path(Role::receiver, receiver));
    const std::string origin = "# origin_monotonic_ns=";
    const auto line = std::ranges::find_if(log.header, [&](const auto& text) { return text.starts_with(origin); });
    EXPECT_NE(line, log.header.end());
    std::vector<int64_t> times;
    for (const test::LogRow& row : log.rows)
      times.push_back(*row.received_ns - std::stoll(line->substr(origin.size())));
    return times;
  }
  static std::vector<record::RunNote> of_kind(const record::RunRecord& record, EventKind kind) {
    std::vector<record::RunNote> found;
    std::ranges::copy_if(record.notes, std::back_inserter(found), [&](const auto& note) { return note.kind == kind; });
    return found;
  }
};

TEST_F(RunWithComings, TakesNothingWhereItIsAwayByThePlan) {
  plan::RunPlan plan = plan_of(3);
  plan.receivers.fleet.processes = 2;
  plan.receivers.away = *plan::parse_spans("2:0s..1s; 3:500ms..1500ms; 3:2s..1h");
  RunSession& session = make(plan);
  session.start_all();
  ASSERT_TRUE(wait([&] { return session.role_status(Role::receiver).away == 1; })) << story();
  EXPECT_EQ(session.live().receivers()[1].state, live::ServiceState::away);
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_EQ(record.totals.received, 500u);
  EXPECT_EQ(record.totals.lost, 0u);
  EXPECT_THAT(story(), HasSubstr("receivers 2: left, 2 of 3 are there"));
  EXPECT_THAT(story(), HasSubstr("receivers 3: came, 3 of 3 are there"));
  EXPECT_EQ(of_kind(record, EventKind::leave).size(), 3u) << story();
  EXPECT_EQ(of_kind(record, EventKind::come).size(), 2u) << story();
  // What the queue had sent by then was still on its way, for some milliseconds, or longer on a busy computer.
  constexpr int64_t kMs = 1'000'000, kOnItsWayNs = 200 * kMs;
  const auto between = [&](uint32_t receiver, int64_t from_ns, int64_t to_ns) {
    return std::ranges::count_if(times_of(receiver), [&](int64_t at_ns) { return at_ns > from_ns && at_ns < to_ns; });
  };
  EXPECT_EQ(between(2, 0, 1000 * kMs), 0);
  EXPECT_GT(between(2, 1000 * kMs, 2500 * kMs), 0);
  EXPECT_GT(between(3, 0, 500 * kMs), 0);
  EXPECT_EQ(between(3, 500 * kMs + kOnItsWayNs, 1500 * kMs), 0);
  EXPECT_GT(between(3, 1500 * kMs, 2000 * kMs + kOnItsWayNs), 0);
  EXPECT_EQ(between(3, 2000 * kMs + kOnItsWayNs, 1000'000 * kMs), 0);
}

// Of 200 messages a second one receiver can work on 100 at the most, and all three on 300.
TEST_F(RunWithComings, ComesWhereMuchWaitsAndGoesWhereLittleDoes) {
  plan::RunPlan plan = plan_of(3);
  plan.queue.requests = {.on = true, .at_a_time = 1};
  plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 10'000'000};
  plan.receivers.scaling = *plan::parse_scaling("from 1 above 40 below 5 every 300ms");
  RunSession& session = make(plan);
  session.start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_EQ(record.totals.received, 500u);
  const auto came = of_kind(record, EventKind::come);
  ASSERT_FALSE(came.empty()) << story();
  EXPECT_THAT(came.front().text, HasSubstr("receivers 2: came, 2 of 3 are there: ")) << story();
  EXPECT_GT(*came.front().since_begin_ns, 400'000'000) << "before, there cannot be so many";
  std::vector<int64_t> times = times_of(2);
  ASSERT_FALSE(times.empty());
  EXPECT_GE(times.front(), *came.front().since_begin_ns - 1'000'000) << "not before it was told to";
  const auto waits = [](const record::RunNote& note) { return std::stoi(note.text.substr(note.text.rfind(": ") + 2)); };
  for (const record::RunNote& note : came) EXPECT_GT(waits(note), 40) << note.text;
  const auto left = of_kind(record, EventKind::leave);
  for (size_t i = 1; i < left.size(); i++) EXPECT_LT(waits(left[i]), 5) << left[i].text;
  EXPECT_FALSE(record.catch_ups.empty()) << story();
}

TEST_F(RunWithComings, StaysAsItIsOnceItIsStopped) {
  plan::RunPlan plan = plan_of(2);
  plan.senders.messages = 100'000;
  plan.receivers.away = *plan::parse_spans("2:200ms..9s");
  RunSession& session = make(plan);
  session.start_all();
  ASSERT_TRUE(wait([&] { return session.live().receivers()[1].state == live::ServiceState::away; })) << story();
  session.stop();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::stopped) << story();
  EXPECT_EQ(record.totals.lost, 0u);
  EXPECT_EQ(record.totals.received, record.totals.expected);
  EXPECT_THAT(of_kind(record, EventKind::come), IsEmpty());
}

}  // namespace
}  // namespace n2nq::run
