#include "app/record/totals.h"

#include <gtest/gtest.h>

namespace n2nq::record {
namespace {

using control::Counts;

constexpr Counts kSent{.count = 10, .bytes = 500, .accepted = 9, .corrupt = 1, .replies = 7, .timeouts = 2};
constexpr Counts kReceived{.count = 20, .bytes = 1'000, .lost = 3, .duplicates = 4, .reordered = 5, .corrupt = 6};

RunTotals totals_of(bool with_replies) {
  RunTotals totals;
  for (int process = 0; process < 2; process++) {
    add_counts(totals, Role::sender, kSent, with_replies);
    add_counts(totals, Role::receiver, kReceived, with_replies);
  }
  return totals;
}

TEST(Totals, AddUpWhatServicesHaveCounted) {
  EXPECT_EQ(totals_of(false), (RunTotals{.sent = 20,
                                         .accepted = 18,
                                         .bytes_sent = 1'000,
                                         .received = 40,
                                         .duplicates = 8,
                                         .reordered = 10,
                                         .corrupt = 12}))
      << "of replies, what only request-reply has";
}

TEST(Totals, HaveRepliesOfRequestReplyWithThoseThatAreCorrupt) {
  const RunTotals totals = totals_of(true);
  EXPECT_EQ(totals.replies, 14u);
  EXPECT_EQ(totals.timeouts, 4u);
  EXPECT_EQ(totals.late_replies, 0u);
  EXPECT_EQ(totals.corrupt, 14u);
}

TEST(Totals, TakeNothingForWhatIsBelowNone) {
  RunTotals totals;
  add_counts(totals, Role::sender, {.count = -5, .accepted = INT64_MIN}, false);
  EXPECT_EQ(totals, RunTotals{});
}

TEST(Totals, AreRaisedAndNeverLowered) {
  RunTotals totals{.sent = 30, .expected = 7, .received = 1};
  raise_sums(totals, totals_of(true));
  EXPECT_EQ(totals.sent, 30u);
  EXPECT_EQ(totals.received, 40u);
  EXPECT_EQ(totals.replies, 14u);
  EXPECT_EQ(totals.expected, 7u) << "no sum of counts";
}

TEST(Totals, TellACountOfBothRolesToNeither) {
  Counts senders{.corrupt = 77, .requests = 5}, receivers{.corrupt = 77};
  take_sums(senders, Role::sender, totals_of(true));
  take_sums(receivers, Role::receiver, totals_of(true));
  EXPECT_EQ(senders.count, 20);
  EXPECT_EQ(senders.replies, 14);
  EXPECT_EQ(senders.requests, 5) << "totals have none";
  EXPECT_EQ(senders.corrupt, 77);
  EXPECT_EQ(receivers.corrupt, 77);
  take_sums(receivers, Role::receiver, totals_of(false));
  EXPECT_EQ(receivers.corrupt, 12);
}

}  // namespace
}  // namespace n2nq::record
