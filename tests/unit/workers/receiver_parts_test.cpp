// The values that a receiver keeps its accounts with.
#include <gtest/gtest.h>

#include "tests/unit/allocations/allocations.h"
#include "workers/fleet/peer_clocks.h"
#include "workers/measure/distinct.h"
#include "workers/measure/number_table.h"
#include "workers/receiver/account.h"
#include "workers/receiver/fleet_seen.h"

namespace n2nq::receiver {
namespace {

using fleet::PeerClocks;
using measure::Distinct;
using measure::NumberTable;
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

TEST(Distinct, CostsNoMoreAfterALossHoweverManyCome) {
  Distinct distinct;
  const auto come = [&distinct](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i <= last; i++) ASSERT_EQ(distinct.insert(i), Seen::fresh) << i;
  };
  come(1, 500'000);
  come(500'002, 520'000);
  const uint64_t before = test::allocations();
  come(520'001, 1'000'000);
  EXPECT_EQ(test::allocations(), before);
  for (const uint64_t i : {1, 500'000, 500'002, 777'777, 1'000'000}) EXPECT_EQ(distinct.insert(i), Seen::seen) << i;
  EXPECT_EQ(distinct.insert(500'001), Seen::fresh);
}

TEST(Distinct, CountsWhatHasComeOfAStretch) {
  Distinct distinct;
  for (const uint64_t i : {5, 6, 7}) distinct.insert(i);
  EXPECT_EQ(distinct.count_in(1, 4), 0u);
  EXPECT_EQ(distinct.count_in(1, 5), 1u);
  EXPECT_EQ(distinct.count_in(6, UINT64_MAX - 1), 2u);
  distinct.insert(9);  // behind a gap
  EXPECT_EQ(distinct.count_in(6, 9), 3u);
  EXPECT_EQ(distinct.count_in(8, 8), 0u);
  EXPECT_EQ(Distinct().count_in(1, 100), 0u);
}

// 10 sent, of which 2 were refused and 3 not answered for: of these 1 and 2 came, one accepted one did not, and there
// is one that nobody sent.
TEST(Account, LosesOnlyWhatTheBusHasAccepted) {
  using Stretch = wire::Tally::Stretch;
  Tallied tallied{.sent = 7};
  tallied.add(Stretch{.first = 1, .last = 2, .fate = wire::Tally::Fate::refused}, 1, /*due=*/true);
  tallied.add(Stretch{.first = 8, .last = 10}, 2, /*due=*/true);
  ReceiverCounters one{{.count = 8}, /*expected=*/10};
  one.tallied = tallied;
  const ReceiverCounters all = total_of({one});
  EXPECT_EQ(unsent(all), 1u);
  EXPECT_EQ(expected(all), 8u);
  EXPECT_EQ(lost(all), 1u);
  EXPECT_EQ(all.tallied->refused, 1u);
  EXPECT_EQ(all.tallied->unanswered, 2u);
}

TEST(NumberTable, HasAnEntryForEveryServiceNumber) {
  NumberTable<int> table;
  for (const uint32_t sender : {1u, 700u, 16'383u, 16'384u, 4'294'967'295u})
    table.at(sender) = static_cast<int>(sender % 1000) + 1;
  for (const uint32_t sender : {1u, 700u, 16'383u, 16'384u, 4'294'967'295u})
    EXPECT_EQ(table.at(sender), static_cast<int>(sender % 1000) + 1);
}

TEST(FleetSeen, KeepsSendersOfOneStripeApart) {
  for (const bool locked : {false, true}) {
    FleetSeen seen(locked);
    EXPECT_TRUE(seen.insert(1, 1, /*again=*/false).fresh);
    EXPECT_TRUE(seen.insert(65, 1, /*again=*/false).fresh);
    EXPECT_FALSE(seen.insert(1, 1, /*again=*/false).fresh);
  }
}

TEST(FleetSeen, TellsAFirstCopyThatComesLateFromADuplicate) {
  FleetSeen seen(false);
  seen.insert(1, 1, /*again=*/true);
  EXPECT_TRUE(seen.insert(1, 1, /*again=*/false).overtaken);
  EXPECT_FALSE(seen.insert(1, 1, /*again=*/false).overtaken) << "there is one first copy";
  seen.insert(1, 2, /*again=*/false);
  EXPECT_FALSE(seen.insert(1, 2, /*again=*/true).overtaken);
  EXPECT_FALSE(seen.insert(1, 2, /*again=*/false).overtaken);
}

TEST(FleetSeen, TellsWhatCameAsItWasSentAndWhatOnlyCameAgain) {
  FleetSeen seen(false);
  for (const uint64_t index : {1, 2, 4, 5, 9, 12}) seen.insert(65, index, /*again=*/false);
  for (const uint64_t index : {3, 4, 6, 7, 8, 10, 13}) seen.insert(65, index, /*again=*/true);
  seen.insert(65, 6, /*again=*/false);  // late
  seen.insert(1, 1, /*again=*/true);    // of the same stripe
  measure::SetWriter first, again;
  seen.write(65, 12, first, again);
  EXPECT_EQ(measure::read_set(first.text()), (std::vector<measure::Stretch>{{1, 2}, {4, 6}, {9, 9}, {12, 12}}));
  EXPECT_EQ(measure::read_set(again.text()), (std::vector<measure::Stretch>{{3, 3}, {7, 8}, {10, 10}}));
  measure::MessageSums sums;
  for (const uint64_t index : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13}) sums.add(65, index);
  sums.add(1, 1);
  EXPECT_EQ(seen.sums(), sums);
}

TEST(PeerClocks, TakeStampsForTheBrokersWithoutAWordFromTheSender) {
  PeerClocks clocks;
  EXPECT_EQ(clocks.at(1, 100).offset_ns, 0);
  clocks.take({.first = 5, .last = 9, .offset_ns = 1000, .bound_ns = 10, .from_ns = 0});
  EXPECT_EQ(clocks.at(4, 100).offset_ns, 0);
  EXPECT_EQ(clocks.at(5, 100).offset_ns, 1000);
  EXPECT_EQ(clocks.at(9, 100).bound_ns, 10);
}

TEST(PeerClocks, TakeAStampByTheAnnouncementOfItsTime) {
  PeerClocks clocks;
  for (int64_t second = 1; second <= 40; second++)
    clocks.take({.first = 1,
                 .last = 9,
                 .offset_ns = 1'000 * second,
                 .bound_ns = static_cast<uint64_t>(second),
                 .from_ns = second * 1'000'000'000});
  EXPECT_EQ(clocks.at(3, 40'500'000'000).offset_ns, 40'000);
  EXPECT_EQ(clocks.at(3, 39'999'999'999).offset_ns, 39'000);
  EXPECT_EQ(clocks.at(3, 39'449'999'999).bound_ns, 39);
  EXPECT_EQ(clocks.at(3, 0).offset_ns, 1'000) << "the oldest that is kept";
}

// A sender's clock that runs 100 ppm too fast, announced four times a second for the 450 ms after.
struct DriftingSender {
  static constexpr int64_t kPeriodNs = 250'000'000;
  static int64_t true_offset_ns(int64_t local_ns) { return -local_ns / 10'000; }
  void announce(int64_t from_ns) {
    clocks.take({.first = 1,
                 .last = 9,
                 .offset_ns = true_offset_ns(from_ns + 225'000'000),
                 .bound_ns = 25'000,
                 .from_ns = from_ns});
  }
  void expect_within_bound(int64_t sent_ns) {
    const PeerClocks::Offset offset = clocks.at(3, sent_ns);
    EXPECT_LE(std::abs(true_offset_ns(sent_ns) - offset.offset_ns), offset.bound_ns) << sent_ns;
    EXPECT_GE(clocks.widest_bound_ns(), offset.bound_ns);
  }
  PeerClocks clocks{};
};

TEST(PeerClocks, BoundAStampAlsoWhereTheNextAnnouncementIsLate) {
  DriftingSender sender;
  sender.announce(1'000'000'000);
  for (const int64_t after_ns : {0, 225'000'000, 450'000'000}) {
    sender.expect_within_bound(1'000'000'000 + after_ns);
    EXPECT_EQ(sender.clocks.widest_bound_ns(), 25'000) << "what was announced is enough";
  }
  for (const int64_t after_ns : {451'000'000, 800'000'000, 2'000'000'000}) {
    sender.expect_within_bound(1'000'000'000 + after_ns);
    EXPECT_LE(sender.clocks.widest_bound_ns(), 25'000 + (after_ns - 450'000'000) * 12 / 10'000 + 1'200);
  }
}

TEST(PeerClocks, BoundAStampFromBeforeTheOldestAnnouncementKept) {
  DriftingSender sender;
  constexpr int64_t kEndNs = 200'000'000'000;
  for (int64_t from_ns = 0; from_ns <= kEndNs; from_ns += DriftingSender::kPeriodNs) sender.announce(from_ns);
  for (int64_t sent_ns = kEndNs - 60'000'000'000; sent_ns <= kEndNs; sent_ns += 99'999'999)
    sender.expect_within_bound(sent_ns);
  EXPECT_EQ(sender.clocks.widest_bound_ns(), 25'000) << "a backlog of a minute costs nothing";
  for (const int64_t sent_ns : {kEndNs - 65'000'000'000, int64_t{0}}) sender.expect_within_bound(sent_ns);
  EXPECT_GT(sender.clocks.widest_bound_ns(), 25'000);
}

TEST(PeerClocks, AreNotConfusedByHearingOfAnAnnouncementAgain) {
  PeerClocks clocks;
  const wire::Clock before{.first = 1, .last = 9, .offset_ns = 1, .bound_ns = 5, .from_ns = 100};
  const wire::Clock after{.first = 1, .last = 9, .offset_ns = 2, .bound_ns = 5, .from_ns = 200};
  for (const wire::Clock& clock : {before, after, before, after}) {
    clocks.take(clock);
  }
  clocks.take(before);
  EXPECT_EQ(clocks.at(3, 150).offset_ns, 1);
  EXPECT_EQ(clocks.at(3, 250).offset_ns, 2);
  clocks.take({.first = 1, .last = 9, .offset_ns = 3, .bound_ns = 5, .from_ns = 50});
  EXPECT_EQ(clocks.at(3, 250).offset_ns, 3) << "another computer's clock";
}

TEST(PeerClocks, BoundStampsThatCannotBe) {
  PeerClocks clocks;
  clocks.take({.first = 1, .last = 9, .offset_ns = 1, .bound_ns = UINT64_MAX, .from_ns = INT64_MIN});
  EXPECT_EQ(clocks.at(3, INT64_MAX).bound_ns, INT64_MAX);
}

TEST(PeerClocks, KnowTheWidestBoundInForceSinceTheBegin) {
  PeerClocks clocks;
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

TEST(PeerClocks, PreferTheNewerOfTwoRangesThatOverlap) {
  PeerClocks clocks;
  clocks.take({.first = 1, .last = 9, .offset_ns = 1, .bound_ns = 1, .from_ns = 0});
  clocks.take({.first = 3, .last = 3, .offset_ns = 2, .bound_ns = 1, .from_ns = 0});
  EXPECT_EQ(clocks.at(3, 0).offset_ns, 2);
  EXPECT_EQ(clocks.at(4, 0).offset_ns, 1);
  clocks.take({.first = 1, .last = 9, .offset_ns = 3, .bound_ns = 1, .from_ns = 0});
  EXPECT_EQ(clocks.at(3, 0).offset_ns, 3) << "one that is announced again is the newer";
}

TEST(Account, KnowsWhatIsLostOnlyWhenEveryReceiverWasToldTheEnd) {
  std::vector<ReceiverCounters> counters(2);
  counters[0].expected = 10;
  counters[0].count = 9;
  counters[1].count = 4;
  EXPECT_EQ(lost(total_of(counters)), std::nullopt);
  counters[1].expected = 5;
  EXPECT_EQ(total_of(counters).expected, 15u);
  EXPECT_EQ(lost(total_of(counters)), 2u);
}

}  // namespace
}  // namespace n2nq::receiver
