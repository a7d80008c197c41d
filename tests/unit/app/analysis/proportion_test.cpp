#include "app/analysis/proportion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace n2nq::analysis {
namespace {

// Published values of the exact interval: 5 of 10 and 1 of 10.
TEST(Proportion, HasTheExactInterval) {
  EXPECT_NEAR(proportion_of(5, 10).low, 0.187086, 1e-6);
  EXPECT_NEAR(proportion_of(5, 10).high, 0.812914, 1e-6);
  EXPECT_NEAR(proportion_of(1, 10).low, 0.002529, 1e-6);
  EXPECT_NEAR(proportion_of(1, 10).high, 0.445016, 1e-6);
}

TEST(Proportion, OfNoneOrAllReachesItsEnd) {
  EXPECT_EQ(proportion_of(0, 66).low, 0);
  EXPECT_NEAR(proportion_of(0, 66).high, 1 - std::pow(0.025, 1.0 / 66), 1e-9);
  EXPECT_EQ(proportion_of(66, 66).high, 1);
  EXPECT_EQ(proportion_of(0, 0).low, 0);
  EXPECT_EQ(proportion_of(0, 0).high, 1);
}

}  // namespace
}  // namespace n2nq::analysis
