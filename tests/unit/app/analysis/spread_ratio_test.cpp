#include "app/analysis/spread_ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace n2nq::analysis {
namespace {

using Groups = std::vector<std::vector<double>>;

// Groups of three runs whose logarithms are 0 and `distance` above and below a mean of each.
Groups three_of_each(size_t groups, double distance) {
  Groups made;
  for (size_t i = 0; i < groups; i++) {
    const double mean = std::exp(static_cast<double>(i));
    made.push_back({mean, mean * std::exp(distance), mean * std::exp(-distance)});
  }
  return made;
}

// Published values of F: F(0.975; 10, 10) = 3.717, and with 4 degrees over 10: F(0.975; 4, 10) = 4.468,
// F(0.975; 10, 4) = 8.844.
TEST(SpreadRatio, HasFishersInterval) {
  const auto same = spread_ratio_of(three_of_each(5, 0.1), three_of_each(5, 0.1));
  ASSERT_TRUE(same);
  EXPECT_NEAR(same->of_a, 0.1, 1e-12);
  EXPECT_NEAR(same->ratio.estimate, 1, 1e-12);
  EXPECT_NEAR(same->ratio.high * same->ratio.high, 3.717, 0.0005);
  EXPECT_NEAR(same->ratio.low * same->ratio.low, 1 / 3.717, 0.00005);
  EXPECT_EQ(same->ratio.runs, 30u);
  const auto wider = spread_ratio_of(three_of_each(2, 0.3), three_of_each(5, 0.1));
  ASSERT_TRUE(wider);
  EXPECT_NEAR(wider->ratio.estimate, 3, 1e-12);
  EXPECT_NEAR(wider->ratio.low * wider->ratio.low, 9 / 4.468, 0.0005);
  EXPECT_NEAR(wider->ratio.high * wider->ratio.high, 9 * 8.844, 0.005);
}

TEST(SpreadRatio, SaysWhyItCannotBeSaid) {
  const Groups good = three_of_each(2, 0.1);
  EXPECT_EQ(spread_ratio_of(Groups{{1, 2}}, good).error().text, "fewer than 3 runs of a point: no statement");
  EXPECT_EQ(spread_ratio_of(good, Groups{{1, 2, 0}}).error().text, "a figure that is not above 0: no statement");
  EXPECT_EQ(spread_ratio_of(good, Groups{{2, 2, 2}}).error().text, "runs do not vary at all: no statement");
  EXPECT_FALSE(spread_ratio_of(Groups{}, good));
}

// Of runs that are drawn alike the interval leaves 1 out as often as it says it does.
TEST(SpreadRatio, IsWrongAsOftenAsItSays) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(0, 0.2);
  constexpr int kTimes = 4000;
  int wrong = 0;
  for (int i = 0; i < kTimes; i++) {
    Groups sides[2];
    for (Groups& side : sides)
      for (int group = 0; group < 4; group++)
        side.push_back({std::exp(normal(random)), std::exp(normal(random)), std::exp(normal(random))});
    const auto ratio = spread_ratio_of(sides[0], sides[1]);
    ASSERT_TRUE(ratio);
    wrong += ratio->ratio.low > 1 || ratio->ratio.high < 1 ? 1 : 0;
  }
  EXPECT_GT(wrong, kTimes * 0.04);
  EXPECT_LT(wrong, kTimes * 0.06);
}

}  // namespace
}  // namespace n2nq::analysis
