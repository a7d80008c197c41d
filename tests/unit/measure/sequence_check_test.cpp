#include "workers/measure/sequence_check.h"

#include <gtest/gtest.h>

namespace n2nq::measure {
namespace {

TEST(SequenceCheck, AcceptsRisingIndicesWithGaps) {
  SequenceCheck check;
  for (const uint64_t index : {1, 2, 5, 9}) EXPECT_FALSE(check.note(index, false));
  EXPECT_EQ(check.reordered, 0u);
  EXPECT_EQ(check.highest, 9u);
}

TEST(SequenceCheck, CountsAMessageThatComesAfterALaterOne) {
  SequenceCheck check;
  check.note(3, false);
  EXPECT_TRUE(check.note(2, false));
  EXPECT_EQ(check.reordered, 1u);
  EXPECT_EQ(check.highest, 3u);
}

TEST(SequenceCheck, ExcusesAMessageThatWasSentAgain) {
  SequenceCheck check;
  check.note(3, false);
  EXPECT_FALSE(check.note(2, true));
  EXPECT_EQ(check.reordered, 0u);
}

TEST(SequenceCheck, DoesNotCallARepeatedLastMessageReordered) {
  SequenceCheck check;
  check.note(3, false);
  EXPECT_FALSE(check.note(3, false));
}

}  // namespace
}  // namespace n2nq::measure
