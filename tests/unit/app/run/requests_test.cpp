// Requests before and in a run.
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using record::Verdict;
using testing::Each;
using testing::IsEmpty;
using testing::Not;

class Requests : public SessionRig {
 protected:
  static plan::ReceiverFilter filter(const std::string& receivers, const std::string& text) {
    return {.receivers = *control::parse_services(receivers), .filter = text};
  }
  void begin_with(plan::ReceiverFilter first) {
    plan::RunPlan plan = long_plan();
    plan.queue.requests.on = true;
    plan.queue.requests.filters = {std::move(first)};
    RunSession& session = make(plan);
    session.start_all();
    ASSERT_TRUE(wait([&] { return session.live().receivers()[0].count >= 10; })) << story();
  }
  std::vector<uint32_t> senders_in_log(uint32_t receiver) {
    std::vector<uint32_t> senders;
    const auto logs = test::read_logs(session_->folder(), "receiver");
    for (const auto& row : logs.at(receiver).rows) senders.push_back(row.sender);
    return senders;
  }
};

TEST_F(Requests, ReceiversGetWhatTheirFiltersSay) {
  plan::RunPlan plan = short_plan();
  plan.queue.requests.on = true;
  plan.queue.requests.filters = {filter("1-2", "senders=self"), filter("3", "senders=4..5")};
  make(plan).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_THAT(senders_in_log(1), testing::AllOf(testing::SizeIs(20), Each(1u)));
  EXPECT_THAT(senders_in_log(2), testing::AllOf(testing::SizeIs(20), Each(2u)));
  EXPECT_THAT(senders_in_log(3), testing::AllOf(testing::SizeIs(40), Each(testing::Ge(4u))));
  EXPECT_THAT(senders_in_log(4), testing::SizeIs(100)) << "without a filter it wants everything";
  EXPECT_EQ(session_->expected_deliveries(), Deliveries{.count = 180});
  EXPECT_THAT(record.requests, IsEmpty());
  EXPECT_THAT(story(), testing::HasSubstr("requests: 1-2: senders=self; 3: senders=4..5; all others: everything"));
}

TEST_F(Requests, AMadeRequestHoldsFromThenOnAndIsKeptWithItsTime) {
  begin_with(filter("1", "senders=1"));
  RunSession& session = *session_;
  const plan::RunPlan plan = session.plan();
  const auto before = session.expected_deliveries();
  EXPECT_TRUE(before && before->exact);
  const double progress = session.progress();
  EXPECT_GT(progress, 0);
  session.make_request({filter("all", "senders=2")});
  EXPECT_NEAR(session.progress() / progress, 1, 0.3) << "no more was sent by that";
  const auto after = session.expected_deliveries();
  ASSERT_TRUE(after);
  EXPECT_FALSE(after->exact);
  const uint64_t messages = plan.senders.messages;
  EXPECT_LT(after->count, before->count);
  EXPECT_GT(after->count, 4 * messages) << "what came before the change is not unsaid by it";
  EXPECT_EQ(session.plan().queue.requests.filters, std::vector{filter("all", "senders=2")});
  const int64_t then = session.live().receivers()[0].count;
  ASSERT_TRUE(wait([&] { return session.live().receivers()[0].count >= then + 50; })) << story();
  session.stop();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::stopped);
  EXPECT_EQ(senders_in_log(1).front(), 1u);
  EXPECT_EQ(senders_in_log(1).back(), 2u);
  EXPECT_EQ(record.plan, plan) << "the plan is the one the run began with";
  ASSERT_EQ(record.requests.size(), 1u);
  EXPECT_EQ(record.requests.front().filters, "all:senders=2");
  EXPECT_GT(record.requests.front().since_begin_ns, 0);
  EXPECT_THAT(story(), testing::HasSubstr("requests: 1: senders=1; all others: everything"));
  EXPECT_THAT(story(), testing::HasSubstr("requests from now on: all: senders=2"));
  EXPECT_EQ(session.expected_deliveries(), Deliveries{.count = *record.totals.expected}) << "the queue has counted";
}

TEST_F(Requests, OneBeforeTheRunIsThatOfThePlan) {
  plan::RunPlan plan = short_plan();
  plan.queue.requests.on = true;
  RunSession& session = make(plan);
  session.start(Role::receiver);
  session.make_request({filter("all", "senders=2")});
  EXPECT_EQ(session.expected_deliveries(), Deliveries{.count = 4 * 20});
  session.start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_EQ(record.totals.expected, 80u);
  EXPECT_EQ(record.plan.queue.requests.filters, std::vector{filter("all", "senders=2")});
  EXPECT_THAT(record.requests, IsEmpty());
}

TEST_F(Requests, ResponsesAndRequestsGoTogether) {
  plan::RunPlan plan = short_plan();
  plan.queue.requests.on = true;
  plan.queue.responses = true;
  make(plan).start_all();
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  int64_t responses = 0;
  for (const auto& receiver : session_->live().receivers()) responses += receiver.responses;
  EXPECT_EQ(responses, 400);
}

}  // namespace
}  // namespace n2nq::run
