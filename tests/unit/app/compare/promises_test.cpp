#include "app/compare/promises.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/plan/plan_fields.h"
#include "tests/unit/app/compare/example_side.h"

namespace n2nq::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Side over(const char* name, std::vector<const char*> settings) {
  Side side = test::side_with(name, {5'000'000, 5'000'000, 5'000'000});
  for (record::RunRecord& run : side.runs) {
    for (const char* set : settings) EXPECT_TRUE(plan::set_field(run.plan, set)) << set;
    run.latencies[Latency::latency].p50 = 5'000'000;
  }
  return side;
}

const Promise& promise(const std::vector<Promise>& all, const char* name) {
  const auto found = std::ranges::find(all, name, &Promise::name);
  EXPECT_NE(found, all.end()) << name;
  return *found;
}

TEST(Promises, StandBesideEachOther) {
  const std::vector<Side> sides{
      over("Kafka", {"bus.kind=kafka", "bus.servers=3", "bus.replicas=3"}),
      over("RabbitMQ", {"bus.kind=rabbitmq", "bus.queue_type=quorum", "bus.servers=3", "bus.replicas=3"}),
      over("NATS", {"bus.kind=nats"}), over("HTTP", {"bus.kind=http"})};
  const auto all = promises_of(sides);
  EXPECT_THAT(promise(all, "Answered by").values,
              ElementsAre("all in step of 3 servers", "a majority of 3 servers", "nobody", "the receiver"));
  EXPECT_THAT(promise(all, "Kept in").values, ElementsAre("page cache", "file (fsync each time)", "memory", "nowhere"));
  EXPECT_THAT(promise(all, "Copies").values, ElementsAre("3", "3", "1", "none"));
  EXPECT_THAT(promise(all, "May drop unread").values, ElementsAre("no", "no", "yes", "no"));
  EXPECT_THAT(promise(all, "Waits for a batch").values, ElementsAre("up to 5.00 ms", "no", "no", "no"));
  for (const Promise& one : all) EXPECT_EQ(one.differs, true) << one.name;
}

TEST(Promises, SayWhatIsDroppedUnread) {
  const std::vector<Side> sides{over("N2NQ", {"queue.retention=2s"}), over("Streams", {"bus.kind=redis-streams"}),
                                over("short", {"bus.kind=redis-streams", "bus.max_length=100"}),
                                over("Pub/sub", {"bus.kind=redis-pubsub"}), over("Relay", {"bus.kind=relay"})};
  EXPECT_THAT(promise(promises_of(sides), "May drop unread").values,
              ElementsAre("after 2.00 s", "no", "yes", "yes", "yes"));
}

// A server is a server, ours too; and what only a user's own server knows may be the same.
TEST(Promises, ThatAreTheSameOrMayBeDoNotDiffer) {
  const std::vector<Side> answered{over("N2NQ", {}), over("Pub/sub", {"bus.kind=redis-pubsub"})};
  EXPECT_FALSE(promise(promises_of(answered), "Answered by").differs);
  const std::vector<Side> kept{over("theirs", {"bus.kind=redis-streams", "bus.address=10.0.0.1:6379"}),
                               over("started", {"bus.kind=redis-streams"})};
  EXPECT_THAT(promise(promises_of(kept), "Kept in").values, ElementsAre("-", "memory"));
  EXPECT_FALSE(promise(promises_of(kept), "Kept in").differs);
}

TEST(Promises, ThatAreTheSameDoNotDiffer) {
  const std::vector<Side> sides{over("a", {"bus.kind=kafka"}), over("b", {"bus.kind=kafka", "senders.count=7"})};
  for (const Promise& one : promises_of(sides)) EXPECT_FALSE(one.differs) << one.name;
  EXPECT_THAT(explanations(sides), ElementsAre());
}

TEST(Promises, OfASideWithoutRunsAreNotKnown) {
  const std::vector<Side> sides{over("a", {"bus.kind=kafka"}), {.name = "b"}};
  for (const Promise& one : promises_of(sides)) {
    EXPECT_EQ(one.values[1], "-");
    EXPECT_FALSE(one.differs) << one.name;
  }
}

TEST(Promises, ExplainADifference) {
  const std::vector<Side> sides{over("Kafka", {"bus.kind=kafka"}), over("RabbitMQ", {"bus.kind=rabbitmq"})};
  EXPECT_THAT(
      explanations(sides),
      ElementsAre("Kafka: senders wait up to 5.00 ms to fill a batch (linger), which is part of its p50 of 5.00 ms.",
                  HasSubstr("The sides promise different things (\"Kept in\"")));
  const std::vector<Side> quick{over("Kafka", {"bus.kind=kafka", "bus.linger=0s"}), sides[1]};
  EXPECT_THAT(explanations(quick), ElementsAre(HasSubstr("promise different things")));
  const std::vector<Side> slow{over("Kafka", {"bus.kind=kafka", "bus.linger=50ms"}), sides[1]};
  EXPECT_EQ(explanations(slow).front(),
            "Kafka: senders wait up to 50.0 ms to fill a batch (linger), or until one is full.");
}

// What is made of the sides can be run again as one plan, whose runs are theirs.
TEST(PlanOfSides, HasTheRunsOfEachSide) {
  const std::vector<Side> sides{over("Kafka", {"bus.kind=kafka", "bus.flush_messages=1", "senders.count=7"}),
                                over("RabbitMQ", {"bus.kind=rabbitmq", "bus.queue_type=quorum", "senders.count=7"}),
                                over("N2NQ", {"queue.mode=load-balancer", "senders.count=9"})};
  const auto file = plan_of_sides(sides);
  ASSERT_TRUE(file) << file.error().text;
  const auto runs = plan::runs_of(*file);
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 3u);
  for (size_t i = 0; i < 3; i++)
    EXPECT_THAT(differences((*runs)[i], sides[i].runs.front().plan), ElementsAre()) << sides[i].name;
  EXPECT_EQ((*runs)[1].bus.setting("queue_type"), "quorum");
  EXPECT_FALSE(plan_of_sides(std::vector<Side>{sides[0]}));
  EXPECT_FALSE(plan_of_sides(std::vector<Side>{sides[0], {.name = "b"}}));
}

}  // namespace
}  // namespace n2nq::compare
