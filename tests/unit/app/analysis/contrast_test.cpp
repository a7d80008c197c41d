#include "app/analysis/contrast.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "app/analysis/run_comparison.h"
#include "tests/unit/app/analysis/reference_table.h"

namespace n2nq::analysis {
namespace {

using testing::HasSubstr;

TEST(Contrast, OfTwoGroupsIsTheirComparison) {
  for (const auto& row : test::reference_table("welch.csv")) {
    const Group sides[] = {{.values = row[0], .weight = 1}, {.values = row[1], .weight = -1}};
    const auto contrast = contrast_of(sides, Scale::logarithm);
    ASSERT_TRUE(contrast);
    EXPECT_NEAR(contrast->low, row[5][0], 1e-6 * row[5][0]);
    EXPECT_NEAR(contrast->high, row[6][0], 1e-6 * row[6][0]);
    EXPECT_EQ(contrast->runs, row[0].size() + row[1].size());
  }
}

// Groups whose spreads differ tenfold, as latencies of few and of many services do.
TEST(Contrast, HoldsTheTrueSlopeAsOftenAsItSays) {
  constexpr int kTrials = 1'000;
  const std::vector<double> x{1, 10, 20, 30, 40, 50};
  const std::vector<double> weights = slope_weights(x);
  std::mt19937_64 random(11);
  int covered = 0;
  for (int trial = 0; trial < kTrials; trial++) {
    std::vector<Group> groups;
    for (size_t i = 0; i < x.size(); i++) {
      std::normal_distribution<double> normal(5 + 0.3 * x[i], 0.02 * (5 + x[i]));
      groups.push_back({.values = {normal(random), normal(random), normal(random)}, .weight = weights[i]});
    }
    const auto slope = contrast_of(groups, Scale::linear);
    covered += slope->low <= 0.3 && slope->high >= 0.3 ? 1 : 0;
  }
  EXPECT_GT(covered, kTrials * 0.92);
  EXPECT_LT(covered, kTrials * 0.985);
}

TEST(Contrast, SlopesAreThoseOfTheStraightLine) {
  const std::vector<double> x{1, 2, 4};
  const std::vector<double> weights = slope_weights(x);
  double slope = 0;
  for (size_t i = 0; i < x.size(); i++) slope += weights[i] * (7 + 3 * x[i]);
  EXPECT_NEAR(slope, 3, 1e-12);
}

TEST(Contrast, SaysWhyItMakesNoStatement) {
  const Group few[] = {{.values = {1, 2}, .weight = 1}};
  EXPECT_THAT(contrast_of(few, Scale::linear).error().text, HasSubstr("fewer than 3 runs"));
  const Group negative[] = {{.values = {1, 2, -3}, .weight = 1}};
  EXPECT_THAT(contrast_of(negative, Scale::logarithm).error().text, HasSubstr("not above 0"));
  EXPECT_TRUE(contrast_of(negative, Scale::linear));
  EXPECT_THAT(contrast_of({}, Scale::linear).error().text, HasSubstr("no run"));
}

TEST(Contrast, RunsThatAreAllAlikeAreAsSteadyAsAHistogramCanTell) {
  const Group alike[] = {{.values = {1000, 1000, 1000}, .weight = 1}};
  const auto mean = contrast_of(alike, Scale::linear);
  EXPECT_LT(mean->low, 1000);
  EXPECT_GT(mean->low, 990);
}

}  // namespace
}  // namespace n2nq::analysis
