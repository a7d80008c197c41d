#include "workers/measure/slot_counts.h"

#include <gmock/gmock.h>

namespace n2nq::measure {
namespace {

using testing::ElementsAre;

constexpr int64_t kMs = 1'000'000;

TEST(SlotCounts, CountsEachByItsOwnTime) {
  SlotCounts counts;
  for (const int64_t at : {-5, 0, 99, 100, 101, 350}) counts.add(at * kMs);
  counts.add(399 * kMs, 4);
  EXPECT_THAT(counts.all(),
              ElementsAre(SlotCount{0, 3, 0, 99'000}, SlotCount{1, 2, 0, 1'000}, SlotCount{3, 5, 50'000, 99'000}));
}

// Of several services on one loop.
TEST(SlotCounts, TakesTimesThatComeALittleLate) {
  SlotCounts counts;
  for (const int64_t at : {250, 199, 100, 251, 20}) counts.add(at * kMs);
  EXPECT_THAT(counts.all(), ElementsAre(SlotCount{0, 1, 20'000, 20'000}, SlotCount{1, 2, 0, 99'000},
                                        SlotCount{2, 2, 50'000, 51'000}));
}

TEST(SlotCounts, AddUpOverLoopsAndBeginAnew) {
  SlotCounts one, other;
  one.add(150 * kMs);
  other.add(50 * kMs);
  other.add(160 * kMs, 2);
  one.merge(other);
  one.add(170 * kMs);
  EXPECT_THAT(one.all(), ElementsAre(SlotCount{0, 1, 50'000, 50'000}, SlotCount{1, 4, 50'000, 70'000}));
  one.reset();
  EXPECT_TRUE(one.all().empty());
  one.add(170 * kMs);
  EXPECT_THAT(one.all(), ElementsAre(SlotCount{1, 1, 70'000, 70'000}));
}

TEST(SlotCounts, LoseNothingWhereNobodyIsTold) {
  SlotCounts counts;
  const auto slots = static_cast<int64_t>(SlotCounts::kMost) + 10;
  for (int64_t slot = 0; slot < slots; slot++) counts.add(slot * SlotCounts::kWidthNs);
  ASSERT_EQ(counts.all().size(), SlotCounts::kMost);
  EXPECT_EQ(counts.all().front(), (SlotCount{10, 11}));
  EXPECT_EQ(counts.all().back(), (SlotCount{slots - 1, 1}));
}

}  // namespace
}  // namespace n2nq::measure
