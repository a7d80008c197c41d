#include "app/run/record_of_run.h"

#include <gtest/gtest.h>

namespace n2nq::run {
namespace {

TEST(WithTotals, CorruptRepliesAreNotAmongWhatReceiversGotCorrupt) {
  const live::ServiceFigures receivers{{.corrupt = 2}, Role::receiver};
  record::RunTotals totals{.received = 90, .corrupt = 7};
  EXPECT_EQ(with_totals(receivers, totals).corrupt, 7) << "without replies all of it is theirs";
  totals.replies = 85;
  const live::ServiceFigures all = with_totals(receivers, totals);
  EXPECT_EQ(all.count, 90);
  EXPECT_EQ(all.corrupt, 2) << "as their rows say; the other 5 were replies";
}

TEST(UntakenAccepted, IsWhatWasNeitherRefusedNorLeftUnanswered) {
  record::RunTotals totals;
  EXPECT_EQ(untaken_accepted(totals, 3), 3) << "a bus that answers none";
  totals.refused = 4;
  totals.unanswered = 2;
  EXPECT_EQ(untaken_accepted(totals, 9), 3) << "none of these came";
  totals.refused_received = 3;
  totals.unanswered_received = 1;
  EXPECT_EQ(untaken_accepted(totals, 5), 3) << "four of these came, in place of none of the others";
  EXPECT_EQ(untaken_accepted(totals, 2), 0);
}

}  // namespace
}  // namespace n2nq::run
