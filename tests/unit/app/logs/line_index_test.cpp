#include "app/logs/line_index.h"

#include <gtest/gtest.h>

namespace n2nq::logs {
namespace {

constexpr int64_t kBlock = LineIndex::kBlock;

TEST(LineIndex, WhatIsCountedFromTheStartOnIsExact) {
  LineIndex index;
  index.note(0, 1000, kBlock);
  index.note(1, 2000, 2 * kBlock);
  EXPECT_EQ(index.before_block(1), (LineCount{.value = 1000, .exact = true}));
  EXPECT_EQ(index.before_block(2), (LineCount{.value = 3000, .exact = true}));
  EXPECT_EQ(index.total(2 * kBlock), (LineCount{.value = 3000, .exact = true}));
  EXPECT_FALSE(index.before_block(3).exact);
}

TEST(LineIndex, WhatIsNotIsEstimatedFromWhatIs) {
  LineIndex index;
  index.note(0, 1000, kBlock);
  index.note(9, 3000, 10 * kBlock);
  EXPECT_EQ(index.before_block(9), (LineCount{.value = 1000 + 8 * 2000, .exact = false}));
  EXPECT_EQ(index.total(20 * kBlock), (LineCount{.value = 20 * 2000, .exact = false}));
}

TEST(LineIndex, HolesMayBeFilledInAnyOrder) {
  LineIndex index;
  for (const int64_t block : {3, 1, 2, 0}) index.note(block, 10, (block + 1) * kBlock);
  EXPECT_EQ(index.before_block(4), (LineCount{.value = 40, .exact = true}));
  EXPECT_EQ(index.nearest(25).to, 2 * kBlock);
  EXPECT_EQ(index.nearest(25).lines, 20);
  EXPECT_EQ(index.nearest(1'000).to, 4 * kBlock);
}

TEST(LineIndex, ATallyGoesOnWhereTheCountEnded) {
  LineIndex index;
  {
    LineTally tally(index, 0);
    for (int64_t start = 0; start < 1000; start += 100) tally.line_at(start);
    tally.covered_to(1000);
  }
  EXPECT_EQ(index.total(1000), (LineCount{.value = 10, .exact = true}));
  {
    LineTally tally(index, 900);
    tally.line_at(900);
    tally.line_at(1000);
    tally.line_at(kBlock + 5);
    tally.covered_to(kBlock + 10);
  }
  EXPECT_EQ(index.before_block(1), (LineCount{.value = 11, .exact = true}));
  EXPECT_EQ(index.total(kBlock + 10), (LineCount{.value = 12, .exact = true}));
}

TEST(LineIndex, ATallyThatBeganInABlockDoesNotKnowIt) {
  LineIndex index;
  LineTally tally(index, 500);
  tally.line_at(700);
  tally.line_at(kBlock + 5);
  tally.covered_to(2 * kBlock);
  EXPECT_EQ(index.counted().to, 0);
  index.note(0, 3, kBlock);
  EXPECT_EQ(index.before_block(2), (LineCount{.value = 4, .exact = true}));
}

}  // namespace
}  // namespace n2nq::logs
