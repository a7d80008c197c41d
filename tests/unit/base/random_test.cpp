#include "broker/base/random.h"

#include <gtest/gtest.h>

#include <array>

namespace n2nq {
namespace {

// From the reference implementation of splitmix64, seed 1234567.
TEST(Random, GivesThePublishedSequence) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ull);
  EXPECT_EQ(random.next(), 3203168211198807973ull);
  EXPECT_EQ(random.next(), 9817491932198370423ull);
  EXPECT_EQ(random.next(), 4593380528125082431ull);
  EXPECT_EQ(random.next(), 16408922859458223821ull);
}

TEST(Random, RepeatsFromTheSameSeedAndDiffersFromAnother) {
  Random a(7);
  Random b(7);
  Random c(8);
  bool differs = false;
  for (int i = 0; i < 100; i++) {
    const uint64_t value = a.next();
    EXPECT_EQ(value, b.next());
    differs |= value != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, BelowStaysBelowAndReachesEveryValueAboutEquallyOften) {
  Random random(1);
  std::array<int, 10> seen{};
  for (int i = 0; i < 100'000; i++) {
    const uint64_t value = random.below(10);
    ASSERT_LT(value, 10u);
    seen[value]++;
  }
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Random, BelowOneIsAlwaysZero) {
  Random random(3);
  for (int i = 0; i < 100; i++) EXPECT_EQ(random.below(1), 0u);
}

TEST(RandomId, IsAnotherEachTimeAndNeverZero) {
  const uint64_t one = random_id();
  EXPECT_NE(one, 0u);
  EXPECT_NE(one, random_id());
}

}  // namespace
}  // namespace n2nq
