#include "app/record/losses.h"

#include <gmock/gmock.h>

namespace n2nq::record {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

live::ServiceFigures service(Role role, uint32_t number, control::Counts counts) {
  live::ServiceFigures made{counts};
  made.role = role;
  made.number = number;
  return made;
}

// Two senders with 100 messages each, to two receivers.
RunRecord run_over(const char* bus) {
  RunRecord run;
  run.plan.bus.kind = bus;
  run.plan.senders.fleet.count = run.plan.receivers.fleet.count = 2;
  for (uint32_t i = 1; i <= 2; i++) run.services.push_back(service(Role::sender, i, {.count = 100, .accepted = 100}));
  for (uint32_t i = 1; i <= 2; i++) run.services.push_back(service(Role::receiver, i, {.count = 200}));
  run.totals = {.sent = 200, .accepted = 200, .expected = 400, .received = 400, .lost = 0};
  return run;
}

TEST(LossesByService, AreNoneWhereNothingIsAmiss) {
  EXPECT_THAT(losses_by_service(run_over("n2nq")), IsEmpty());
  EXPECT_THAT(losses_by_service(run_over("kafka")), IsEmpty());
  EXPECT_THAT(losses_by_service(RunRecord()), IsEmpty());
}

TEST(LossesByService, OfOurQueueAreOfTheSendersThatItSkippedAndTheReceiversThatItTold) {
  RunRecord run = run_over("n2nq");
  run.losses = {{.sender = 2, .expired = 5, .undeliverable = 2}};
  run.services[3].count = 193;
  run.services[3].lost = 7;
  run.totals.lost = 7;
  EXPECT_THAT(
      losses_by_service(run),
      ElementsAre(
          ServiceLosses{
              .role = Role::sender, .number = 2, .messages = 100, .not_accepted = 0, .expired = 5, .undeliverable = 2},
          ServiceLosses{.role = Role::receiver, .number = 2, .messages = 193, .lost = 7, .doubled = 0}));
}

TEST(LossesByService, OfAnotherBusAreWhatEachReceiverIsShortOf) {
  RunRecord run = run_over("nats");
  run.services[2].count = 190;
  run.services[2].duplicates = 3;
  run.services[3].count = 195;
  run.totals.lost = 15;
  const auto all = losses_by_service(run);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].lost, 10u);
  EXPECT_EQ(all[0].doubled, 3u);
  EXPECT_EQ(all[1].lost, 5u);
}

// A delivery that was not due to it hides one that was.
TEST(LossesByService, AreNotSaidOfReceiversWhereTheyAreNotAllThatWasLost) {
  RunRecord run = run_over("nats");
  run.services[2].count = 190;
  run.totals.lost = 12;
  EXPECT_THAT(losses_by_service(run), IsEmpty());
  run.services[2].duplicates = 3;
  EXPECT_EQ(losses_by_service(run).at(0).lost, std::nullopt);
  run.totals.lost = 10;
  EXPECT_EQ(losses_by_service(run).at(0).lost, 10u);
  run.plan.queue.mode = plan::Mode::load_balancer;
  EXPECT_EQ(losses_by_service(run).at(0).lost, std::nullopt) << "none was due to one of them";
  run.totals.expected.reset();
  run.plan.queue.mode = plan::Mode::broadcaster;
  EXPECT_EQ(losses_by_service(run).at(0).lost, std::nullopt);
  run.services.pop_back();
  run.totals.lost.reset();
  EXPECT_EQ(losses_by_service(run).at(0).lost, std::nullopt) << "the only receiver was killed: nobody knows";
}

TEST(LossesByService, HaveWhatABusDidNotAcceptWhereItAnswers) {
  RunRecord run = run_over("kafka");
  run.services[0].accepted = 96;
  EXPECT_EQ(losses_by_service(run).at(0).not_accepted, 4u);
  EXPECT_EQ(losses_by_service(run).at(0).expired, std::nullopt);
  run.plan.bus.kind = "nats";
  EXPECT_THAT(losses_by_service(run), IsEmpty()) << "it answers none";
}

TEST(LossesByService, DoNotCallWhatAKilledSenderSentNotAccepted) {
  RunRecord run = run_over("kafka");
  run.services[0].accepted = 96;
  for (const char* from : {"logs", "telemetry", "nothing"}) {
    run.processes = {{.name = "senders", .role = Role::sender, .figures_from = from}};
    EXPECT_THAT(losses_by_service(run), IsEmpty()) << from;
  }
  run.processes.front().figures_from = "fetched";
  EXPECT_THAT(losses_by_service(run), SizeIs(1));
}

TEST(LossesByService, HaveWhatWasSkippedOfASenderThatIsNotThere) {
  RunRecord run = run_over("n2nq");
  run.losses = {{.sender = 9, .expired = 4}};
  EXPECT_THAT(losses_by_service(run),
              ElementsAre(ServiceLosses{.role = Role::sender, .number = 9, .expired = 4, .undeliverable = 0}));
}

TEST(LossesByService, AreNotSharedOutWhereReceiversHaveFilters) {
  RunRecord run = run_over("n2nq");
  run.services[2].count = 100;
  run.totals.lost = 100;
  EXPECT_EQ(losses_by_service(run).at(0).lost, 100u);
  run.plan.queue.requests = {.on = true, .filters = {{.filter = "senders=1"}}};
  EXPECT_THAT(losses_by_service(run), IsEmpty());
}

}  // namespace
}  // namespace n2nq::record
