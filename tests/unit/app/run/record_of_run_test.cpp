#include "app/run/record_of_run.h"

#include <gtest/gtest.h>

namespace n2nq::run {
namespace {

TEST(WithTotals, CorruptRepliesAreNotAmongWhatReceiversGotCorrupt) {
  const live::ServiceFigures receivers{.role = Role::receiver, .corrupt = 2};
  record::RunTotals totals{.received = 90, .corrupt = 7};
  EXPECT_EQ(with_totals(receivers, totals).corrupt, 7) << "without replies all of it is theirs";
  totals.replies = 85;
  const live::ServiceFigures all = with_totals(receivers, totals);
  EXPECT_EQ(all.count, 90);
  EXPECT_EQ(all.corrupt, 2) << "as their rows say; the other 5 were replies";
}

}  // namespace
}  // namespace n2nq::run
