// The values that a receiver keeps its accounts with.
#include <gtest/gtest.h>

#include "workers/receiver/account.h"
#include "workers/receiver/distinct.h"
#include "workers/receiver/fleet_seen.h"
#include "workers/receiver/sender_clocks.h"
#include "workers/receiver/sender_table.h"

namespace n2nq::receiver {
namespace {

using measure::Seen;

TEST(Distinct, TellsAMessageThatHasComeFromAFreshOne) {
  Distinct distinct;
  for (uint64_t i = 1; i <= 5; i++) EXPECT_EQ(distinct.insert(i), Seen::fresh);
  EXPECT_EQ(distinct.insert(3), Seen::seen);
  EXPECT_EQ(distinct.insert(5), Seen::seen);
  EXPECT_EQ(distinct.insert(6), Seen::fresh);
}

TEST(Distinct, HoldsThroughGapsInAnyOrder) {
  Distinct distinct;
  for (const uint64_t i : {10, 11, 14, 12, 3, 13, 15}) EXPECT_EQ(distinct.insert(i), Seen::fresh) << i;
  for (const uint64_t i : {3, 10, 11, 12, 13, 14, 15}) EXPECT_EQ(distinct.insert(i), Seen::seen) << i;
  EXPECT_EQ(distinct.insert(0), Seen::implausible);
}

TEST(SenderTable, HasAnEntryForEverySenderNumber) {
  SenderTable<int> table;
  for (const uint32_t sender : {1u, 700u, 16'383u, 16'384u, 4'294'967'295u})
    table.at(sender) = static_cast<int>(sender % 1000) + 1;
  for (const uint32_t sender : {1u, 700u, 16'383u, 16'384u, 4'294'967'295u})
    EXPECT_EQ(table.at(sender), static_cast<int>(sender % 1000) + 1);
}

TEST(FleetSeen, KeepsSendersOfOneStripeApart) {
  for (const bool locked : {false, true}) {
    FleetSeen seen(locked);
    EXPECT_EQ(seen.insert(1, 1), Seen::fresh);
    EXPECT_EQ(seen.insert(65, 1), Seen::fresh);
    EXPECT_EQ(seen.insert(1, 1), Seen::seen);
  }
}

TEST(SenderClocks, TakeStampsForTheBrokersWithoutAWordFromTheSender) {
  SenderClocks clocks;
  EXPECT_EQ(clocks.at(1, 100).offset_ns, 0);
  clocks.take({.first = 5, .last = 9, .offset_ns = 1000, .bound_ns = 10, .from_ns = 0});
  EXPECT_EQ(clocks.at(4, 100).offset_ns, 0);
  EXPECT_EQ(clocks.at(5, 100).offset_ns, 1000);
  EXPECT_EQ(clocks.at(9, 100).bound_ns, 10);
}

TEST(SenderClocks, TakeAStampByTheAnnouncementOfItsTime) {
  SenderClocks clocks;
  for (int64_t second = 1; second <= 40; second++)
    clocks.take({.first = 1,
                 .last = 9,
                 .offset_ns = 1'000 * second,
                 .bound_ns = static_cast<uint64_t>(second),
                 .from_ns = second * 1'000'000'000});
  EXPECT_EQ(clocks.at(3, 40'500'000'000).offset_ns, 40'000);
  EXPECT_EQ(clocks.at(3, 39'999'999'999).offset_ns, 39'000);
  EXPECT_EQ(clocks.at(3, 39'999'999'999).bound_ns, 39);
  EXPECT_EQ(clocks.at(3, 0).offset_ns, 25'000) << "the oldest that is kept";
}

TEST(SenderClocks, KnowTheWidestBoundInForceSinceTheBegin) {
  SenderClocks clocks;
  clocks.begin();
  EXPECT_EQ(clocks.widest_bound_ns(), 0);
  clocks.take({.first = 1, .last = 9, .offset_ns = 1, .bound_ns = 900, .from_ns = 0});
  clocks.take({.first = 1, .last = 9, .offset_ns = 1, .bound_ns = 70, .from_ns = 1});
  clocks.take({.first = 10, .last = 10, .offset_ns = 1, .bound_ns = 50, .from_ns = 1});
  EXPECT_EQ(clocks.widest_bound_ns(), 900);
  clocks.begin();
  EXPECT_EQ(clocks.widest_bound_ns(), 70);
  clocks.take({.first = 10, .last = 10, .offset_ns = 1, .bound_ns = 90, .from_ns = 2});
  clocks.take({.first = 10, .last = 10, .offset_ns = 1, .bound_ns = 40, .from_ns = 3});
  EXPECT_EQ(clocks.widest_bound_ns(), 90);
}

TEST(SenderClocks, PreferTheNewerOfTwoRangesThatOverlap) {
  SenderClocks clocks;
  clocks.take({.first = 1, .last = 9, .offset_ns = 1, .bound_ns = 1, .from_ns = 0});
  clocks.take({.first = 3, .last = 3, .offset_ns = 2, .bound_ns = 1, .from_ns = 0});
  EXPECT_EQ(clocks.at(3, 0).offset_ns, 2);
  EXPECT_EQ(clocks.at(4, 0).offset_ns, 1);
}

TEST(Account, KnowsWhatIsLostOnlyWhenEveryReceiverWasToldTheEnd) {
  std::vector<ReceiverCounters> counters(2);
  counters[0].expected = 10;
  counters[0].received = 9;
  counters[1].received = 4;
  EXPECT_EQ(lost(total_of(counters)), std::nullopt);
  counters[1].expected = 5;
  EXPECT_EQ(total_of(counters).expected, 15u);
  EXPECT_EQ(lost(total_of(counters)), 2u);
}

}  // namespace
}  // namespace n2nq::receiver
