#include "app/record/outages.h"

#include <gmock/gmock.h>

#include "workers/control/events.h"

namespace n2nq::record {
namespace {

constexpr int64_t kTenthNs = 100'000'000;
constexpr int64_t kOneSecondNs = 1'000'000'000;

// So many deliveries in each slot, but for these stretches of time, which have a part of them.
struct Stretch {
  int64_t from_ns = 0;
  int64_t to_ns = 0;
  double part = 0;
};
std::vector<live::SeriesPoint> world(std::initializer_list<Stretch> stretches, int64_t length_ns = 20 * kOneSecondNs) {
  std::vector<live::SeriesPoint> slots;
  for (int64_t at = 0; at < length_ns; at += kTenthNs) {
    double part = 1;
    for (const Stretch& one : stretches)
      if (at >= one.from_ns && at < one.to_ns) part = one.part;
    slots.push_back({.start_ns = at, .width_ns = kTenthNs, .sent = 10, .received = 10 * part});
  }
  return slots;
}

RunNote gone(int64_t at_ns, uint32_t server = 2, bool killed = true) {
  RunNote note = server_gone_note(
      {.server = server, .servers = 3, .killed = killed, .leads = killed, .text = "it has ended: by itself"});
  note.since_begin_ns = at_ns;
  return note;
}

TEST(Outages, SayWhichServerWasGoneAndHowItEnded) {
  const std::vector notes{gone(5 * kOneSecondNs), gone(8 * kOneSecondNs, 1, /*killed=*/false),
                          RunNote{.since_begin_ns = 1, .text = "server of the run: x"}};
  const auto found = outages(world({}), notes);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].server, "server 2 (leader)");
  EXPECT_TRUE(found[0].killed);
  EXPECT_EQ(found[1].server, "server 1");
  EXPECT_FALSE(found[1].killed);
  for (const Outage& one : found) {
    EXPECT_EQ(one.gap_ns, 0) << "something came in every slot";
    EXPECT_LE(one.flows_after_ns.value(), kTenthNs);
    EXPECT_EQ(one.within_ns, kTenthNs);
  }
}

// The slot in which it went has deliveries of before.
TEST(Outages, AreAsLongAsNothingCame) {
  const std::vector notes{gone(5 * kOneSecondNs + kTenthNs / 2)};
  const auto found = outages(world({{5 * kOneSecondNs + kTenthNs, 9 * kOneSecondNs, 0}}), notes);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].gap_ns, 4 * kOneSecondNs - kTenthNs);
  EXPECT_EQ(found[0].flows_after_ns, 4 * kOneSecondNs - kTenthNs / 2);
}

TEST(Outages, AreOverForOthersOnlyOnceAllComesAsBefore) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  const auto found = outages(
      world({{5 * kOneSecondNs, 8 * kOneSecondNs, 0.6}, {7 * kOneSecondNs, 7 * kOneSecondNs + kTenthNs, 2}}), notes);
  EXPECT_EQ(found.at(0).gap_ns, 0) << "of three servers two went on";
  EXPECT_EQ(found.at(0).flows_after_ns, 3 * kOneSecondNs);
}

// What has waited comes at once, from some of the senders.
TEST(Outages, AreNotOverForWhatHasWaitedAlone) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  auto slots = world({{5 * kOneSecondNs, 10 * kOneSecondNs, 0}, {10 * kOneSecondNs, 15 * kOneSecondNs, 0.2}});
  slots[100].received = 400;
  EXPECT_EQ(outages(slots, notes).at(0).gap_ns, 5 * kOneSecondNs);
  EXPECT_EQ(outages(slots, notes).at(0).flows_after_ns, 10 * kOneSecondNs);
}

// What was under way comes for seconds, as often as ever, while a sender that the bus takes nothing from sends nothing.
TEST(Outages, AreNotOverWhileNothingIsSent) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  auto slots = world({{5 * kOneSecondNs, 7 * kOneSecondNs, 0}});
  for (live::SeriesPoint& slot : slots)
    if (slot.start_ns >= 5 * kOneSecondNs && slot.start_ns < 11 * kOneSecondNs) slot.sent = 0;
  const auto found = outages(slots, notes);
  EXPECT_EQ(found.at(0).gap_ns, 2 * kOneSecondNs);
  EXPECT_EQ(found.at(0).flows_after_ns, 6 * kOneSecondNs);
}

// All is sent and comes again, and takes seconds from when it was due, until what has piled up is gone.
TEST(Outages, AreNotOverWhileMessagesAreLate) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  auto slots = world({{5 * kOneSecondNs, 7 * kOneSecondNs, 0}});
  for (live::SeriesPoint& slot : slots)
    slot.scheduled_p50_ns =
        slot.start_ns >= 7 * kOneSecondNs && slot.start_ns < 12 * kOneSecondNs ? 900'000'000 : 3'000'000;
  EXPECT_EQ(outages(slots, notes).at(0).flows_after_ns, 7 * kOneSecondNs);
  slots[125].scheduled_p50_ns = 30'000'000;  // one of ten
  EXPECT_EQ(outages(slots, notes).at(0).flows_after_ns, 7 * kOneSecondNs);
  slots[126].scheduled_p50_ns = 30'000'000;
  EXPECT_GT(outages(slots, notes).at(0).flows_after_ns, 7 * kOneSecondNs);
}

// Slots that are empty are fewer than those in which it lasted.
TEST(Outages, AreKnownToTheMessageWhereItsTimeIs) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  auto slots = world({{5 * kOneSecondNs, 8 * kOneSecondNs, 0}});
  for (live::SeriesPoint& slot : slots) {
    if (slot.received <= 0) continue;
    slot.first_received_ns = slot.start_ns + 1'000'000;
    slot.last_received_ns = slot.start_ns + 91'000'000;
  }
  slots[50].received = 3;
  slots[50].first_received_ns = 5 * kOneSecondNs + 2'000'000;
  slots[50].last_received_ns = 5 * kOneSecondNs + 4'000'000;
  slots[80].first_received_ns = 8 * kOneSecondNs + 70'000'000;
  EXPECT_EQ(outages(slots, notes).at(0).gap_ns, 3 * kOneSecondNs + 66'000'000);
  // Of less than two slots, of which none is empty.
  auto full = world({});
  full[60].first_received_ns = full[60].start_ns;
  full[60].last_received_ns = full[60].start_ns + 5'000'000;
  full[61].first_received_ns = full[61].start_ns + 80'000'000;
  full[61].last_received_ns = full[61].start_ns + 99'000'000;
  EXPECT_EQ(outages(full, notes).at(0).gap_ns, 175'000'000);
}

TEST(Outages, HaveNoEndWhereNothingCameEverAfter) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  const auto found = outages(world({{5 * kOneSecondNs, 20 * kOneSecondNs, 0}}), notes);
  EXPECT_FALSE(found.at(0).gap_ns) << "no delivery has ended it";
  EXPECT_FALSE(found.at(0).flows_after_ns);
  EXPECT_FALSE(outages(world({}), std::vector{gone(kTenthNs / 2)}).at(0).flows_after_ns) << "nothing to compare with";
}

// What receivers had before them comes as ever for a while.
TEST(Outages, AreOverForAllOnlyOnceTheLongestTimeWithoutAnyIs) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  const auto found = outages(world({{8 * kOneSecondNs, 12 * kOneSecondNs, 0}}), notes);
  EXPECT_EQ(found.at(0).gap_ns, 4 * kOneSecondNs);
  EXPECT_EQ(found.at(0).flows_after_ns, 7 * kOneSecondNs);
}

// By their own slots, whatever comes meanwhile; over a bus that does not answer there is none.
TEST(Outages, OfAnswersAreAsLongAsNoMessageWasAccepted) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  auto slots = world({});
  EXPECT_FALSE(outages(slots, notes).at(0).answer_gap_ns);
  for (live::SeriesPoint& slot : slots)
    slot.accepted = slot.start_ns >= 6 * kOneSecondNs && slot.start_ns < 9 * kOneSecondNs ? 0 : 10;
  EXPECT_EQ(outages(slots, notes).at(0).answer_gap_ns, 3 * kOneSecondNs);
  EXPECT_EQ(outages(slots, notes).at(0).gap_ns, 0);
  for (live::SeriesPoint& slot : slots)
    if (slot.start_ns >= 6 * kOneSecondNs) slot.accepted = 0;
  EXPECT_FALSE(outages(slots, notes).at(0).answer_gap_ns) << "none was any more";
}

// A bus that takes nothing keeps senders from sending.
TEST(Outages, HaveNoEndWhereNothingWasSentAlthoughThereWasMoreToSend) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  auto slots = world({{7 * kOneSecondNs, 20 * kOneSecondNs, 0}});
  for (live::SeriesPoint& slot : slots) {
    slot.sent = slot.start_ns < 6 * kOneSecondNs ? 10 : 0;
    slot.accepted = slot.sent;
  }
  EXPECT_FALSE(outages(slots, notes, 15 * kOneSecondNs).at(0).gap_ns);
  EXPECT_FALSE(outages(slots, notes, 15 * kOneSecondNs).at(0).answer_gap_ns);
  EXPECT_EQ(outages(slots, notes, 6 * kOneSecondNs).at(0).gap_ns, 0) << "all had been sent";
  EXPECT_EQ(outages(slots, notes, 6 * kOneSecondNs).at(0).answer_gap_ns, 0);
}

TEST(Outages, HaveNoEndWhereMostOfWhatWasSentAtLastNeverCame) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  for (const double came : {3.0, 9.0}) {
    auto slots = world({{5 * kOneSecondNs, 20 * kOneSecondNs, 0}});
    for (live::SeriesPoint& slot : slots) {
      if (slot.start_ns >= 5 * kOneSecondNs) slot.sent = slot.start_ns == 5 * kOneSecondNs ? 10 : 0;
      if (slot.start_ns == 5 * kOneSecondNs) slot.received = came;
      slot.accepted = slot.received;
    }
    const Outage one = outages(slots, notes).at(0);
    EXPECT_EQ(one.gap_ns.has_value(), came > 5);
    EXPECT_EQ(one.answer_gap_ns.has_value(), came > 5);
  }
}

TEST(Outages, SendersHaveNoMoreToSendOnceAllIsSentHoweverLongTheyWaitForAnswers) {
  RunRecord record;
  record.plan.senders.delay_ns = kOneSecondNs;
  EXPECT_EQ(due_until_ns(record, 15 * kOneSecondNs), 13 * kOneSecondNs) << "how much it was to be is not known";
  record.totals.planned = 100;
  record.totals.sent = 99;
  EXPECT_EQ(due_until_ns(record, 15 * kOneSecondNs), 13 * kOneSecondNs);
  record.totals.sent = 100;
  EXPECT_EQ(due_until_ns(record, 15 * kOneSecondNs), 0);
}

TEST(Outages, ALateDeliveryEndsNone) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  const auto found = outages(world({{5 * kOneSecondNs + kTenthNs, 20 * kOneSecondNs, 0}}), notes);
  EXPECT_FALSE(found.at(0).gap_ns) << "the one that came at once was of before";
}

TEST(Outages, AnotherWithinOneIsComparedWithWhatWasBeforeBoth) {
  const std::vector notes{gone(4 * kOneSecondNs, 1), gone(7 * kOneSecondNs, 2)};
  const auto found = outages(world({{4 * kOneSecondNs, 9 * kOneSecondNs, 0}}), notes);
  EXPECT_EQ(found.at(0).flows_after_ns, 5 * kOneSecondNs);
  EXPECT_EQ(found.at(1).flows_after_ns, 2 * kOneSecondNs);
}

TEST(Outages, AreFoundInSlotsThatWereMerged) {
  std::vector<live::SeriesPoint> slots;
  for (int64_t at = 0; at < 1800 * kOneSecondNs; at += 16 * kTenthNs)
    slots.push_back({.start_ns = at,
                     .width_ns = 16 * kTenthNs,
                     .sent = 16,
                     .received = at >= 960 * kOneSecondNs && at < 976 * kOneSecondNs ? 0.0 : 16.0});
  const auto found = outages(slots, std::vector{gone(960 * kOneSecondNs)});
  EXPECT_EQ(found.at(0).gap_ns, 16 * kOneSecondNs);
  EXPECT_EQ(found.at(0).flows_after_ns, 16 * kOneSecondNs);
  EXPECT_EQ(found.at(0).within_ns, 16 * kTenthNs);
}

// The same length as the outage says, and where it lies; a server that nobody missed has none.
TEST(Outages, LieWhereNothingCame) {
  const std::vector notes{gone(2 * kOneSecondNs), gone(5 * kOneSecondNs + kTenthNs / 2), gone(15 * kOneSecondNs)};
  const auto slots = world({{5 * kOneSecondNs + kTenthNs, 9 * kOneSecondNs, 0}, {16 * kOneSecondNs, INT64_MAX, 0}});
  const auto found = outages(slots, notes);
  const auto silent = silences(slots, notes);
  ASSERT_EQ(silent.size(), 3u);
  EXPECT_EQ(silent[0].from_ns, silent[0].to_ns);
  EXPECT_EQ(silent[1], (Pause{5 * kOneSecondNs + kTenthNs, 9 * kOneSecondNs}));
  EXPECT_EQ(silent[1].to_ns - silent[1].from_ns, found[1].gap_ns);
  EXPECT_EQ(silent[2], (Pause{16 * kOneSecondNs, INT64_MAX})) << "nothing has come since";
  EXPECT_EQ(silences(slots, notes, found), silent) << "the last one never ended";
  EXPECT_TRUE(silences({}, notes).empty());
}

// Of a run that is over the end is no silence, unless it is known as one; while it goes on it may be.
TEST(Outages, LieAtTheEndOnlyWhereTheyAreKnownThere) {
  const std::vector notes{gone(5 * kOneSecondNs)};
  auto slots = world({{5 * kOneSecondNs, 7 * kOneSecondNs, 0}, {12 * kOneSecondNs, INT64_MAX, 0}});
  for (live::SeriesPoint& slot : slots)
    if (slot.received == 0) slot.sent = 0;  // senders that are kept from sending
  const std::vector known{Outage{.gap_ns = 2 * kOneSecondNs}};
  EXPECT_THAT(silences(slots, notes, known), testing::ElementsAre(Pause{5 * kOneSecondNs, 7 * kOneSecondNs}));
  EXPECT_THAT(silences(slots, notes), testing::ElementsAre(Pause{12 * kOneSecondNs, INT64_MAX}));
  EXPECT_THAT(silences(slots, notes, std::vector{Outage{}}), testing::ElementsAre(Pause{12 * kOneSecondNs, INT64_MAX}));
}

TEST(Outages, AreToldInOneLine) {
  RunRecord record{.outages = {{.at_ns = 5 * kOneSecondNs,
                                .server = "server 2 (leader)",
                                .killed = true,
                                .gap_ns = 4 * kOneSecondNs,
                                .flows_after_ns = 9 * kOneSecondNs},
                               {.at_ns = 15 * kOneSecondNs, .server = "server 1"}}};
  EXPECT_EQ(outages_text(record),
            "server 2 (leader) killed at 5.00 s: no delivery for 4.00 s, as before after 9.00 s; "
            "server 1 gone at 15.00 s: no delivery any more, not as before again");
  record.outages.pop_back();
  record.totals.unanswered = 0;
  EXPECT_EQ(
      outages_text(record),
      "server 2 (leader) killed at 5.00 s: no delivery for 4.00 s, none accepted any more, as before after 9.00 s");
}

TEST(Outages, OfOneServerEndWhereTheNextIsGone) {
  const std::vector notes{gone(4 * kOneSecondNs, 1), gone(10 * kOneSecondNs, 3)};
  const auto found =
      outages(world({{4 * kOneSecondNs, 5 * kOneSecondNs, 0}, {11 * kOneSecondNs, 14 * kOneSecondNs, 0}}), notes);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].gap_ns, kOneSecondNs);
  EXPECT_EQ(found[1].gap_ns, 3 * kOneSecondNs);
}

}  // namespace
}  // namespace n2nq::record
