#include "app/statistics/proportion.h"

#include <gtest/gtest.h>

namespace n2nq::statistics {
namespace {

// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
// method 3.
TEST(Proportion, IsWilsonsInterval) {
  const struct {
    size_t held, runs;
    double low, high;
  } published[] = {{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
  for (const auto& [held, runs, low, high] : published) {
    const Share share = share_interval(held, runs);
    EXPECT_NEAR(share.low, low, 5e-5) << held << " of " << runs;
    EXPECT_NEAR(share.high, high, 5e-5) << held << " of " << runs;
  }
}

TEST(Proportion, OfFewRunsSaysLittle) {
  EXPECT_NEAR(share_interval(3, 3).low, 0.4385, 5e-5);
  EXPECT_EQ(share_interval(3, 3).high, 1);
  EXPECT_EQ(share_interval(0, 3).low, 0);
  EXPECT_NEAR(share_interval(0, 3).high, 0.5615, 5e-5);
  EXPECT_EQ(share_interval(0, 0).low, 0);
  EXPECT_EQ(share_interval(0, 0).high, 1);
}

}  // namespace
}  // namespace n2nq::statistics
