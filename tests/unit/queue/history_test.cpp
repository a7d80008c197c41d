#include "broker/queue/history.h"

#include <gtest/gtest.h>

#include "tests/unit/queue/queue_rig.h"

namespace n2nq::queue {
namespace {

TEST(History, KnowsWhatWasHadUnderEachFilter) {
  History history;
  history.add(10, 20, filter_of("senders=1"));
  history.add(20, 30, filter_of("senders=2"));
  EXPECT_TRUE(history.had(15, 1, 50, 7));
  EXPECT_FALSE(history.had(15, 2, 50, 7));
  EXPECT_TRUE(history.had(25, 2, 50, 7));
  EXPECT_FALSE(history.had(30, 2, 50, 7));
  EXPECT_FALSE(history.had(9, 1, 50, 7));
}

TEST(History, ForgetsWhatIsNoLongerKept) {
  History history;
  history.add(0, 20, filter_of("senders=1"));
  history.add(20, 30, filter_of("senders=2"));
  history.forget_before(20);
  EXPECT_EQ(history.stretches(), 1u);
}

TEST(Skips, AreMergedBySenderAndReason) {
  Skips skips;
  for (uint64_t index = 5; index <= 9; index++) skips.add(3, wire::SkipReason::expired, index);
  skips.add(3, wire::SkipReason::undeliverable, 12);
  skips.add(1, wire::SkipReason::expired, 1);
  wire::Bytes bytes;
  skips.take(bytes);
  ASSERT_EQ(bytes.size(), 3u * 40);
  const auto second = wire::decode_skip({bytes.data() + 40, 40});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->sender, 3u);
  EXPECT_EQ(second->count, 5u);
  EXPECT_EQ(second->lowest, 5u);
  EXPECT_EQ(second->highest, 9u);
  EXPECT_TRUE(skips.empty());
}

}  // namespace
}  // namespace n2nq::queue
