#include "app/analysis/mean_interval.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/analysis/student.h"
#include "tests/unit/app/analysis/reference_table.h"

namespace n2nq::analysis {
namespace {

TEST(Student, AgreesWithAnotherImplementation) {
  for (const auto& row : test::reference_table("student.csv")) {
    const double degrees = row[0][0], confidence = row[1][0], bound = row[2][0];
    EXPECT_NEAR(student_bound(confidence, degrees), bound, 1e-9 * bound) << degrees << " " << confidence;
    EXPECT_NEAR(student_two_sided(bound, degrees), 1 - confidence, 1e-12);
    EXPECT_NEAR(student_two_sided(-bound, degrees), 1 - confidence, 1e-12);
  }
}

TEST(MeanInterval, IsThatOfAPublishedExample) {
  // t(0.975, 4) = 2.776; sd of 1 to 5 is 1.5811.
  const auto interval = mean_interval(std::vector<double>{3, 1, 5, 2, 4});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->runs, 5u);
  EXPECT_DOUBLE_EQ(interval->mean, 3);
  EXPECT_NEAR(interval->low, 3 - 2.7764 * 1.58114 / 2.23607, 1e-3);
  EXPECT_NEAR(interval->high, 3 + 2.7764 * 1.58114 / 2.23607, 1e-3);
  EXPECT_EQ(interval->smallest, 1);
  EXPECT_EQ(interval->largest, 5);
}

TEST(MeanInterval, OfOneRunIsTheRunItself) {
  const auto interval = mean_interval(std::vector<double>{7});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 7);
  EXPECT_EQ(interval->high, 7);
  EXPECT_FALSE(mean_interval({}));
}

TEST(PositiveMeanInterval, StaysAboveZeroAndReachesFurtherUpThanDown) {
  const std::vector<double> two_unlike{94e3, 1'802e3};
  ASSERT_LT(mean_interval(two_unlike)->low, 0);
  const auto interval = positive_mean_interval(two_unlike);
  ASSERT_TRUE(interval);
  EXPECT_DOUBLE_EQ(interval->mean, 948e3);
  EXPECT_GT(interval->low, 0);
  EXPECT_LT(interval->low, interval->mean);
  EXPECT_NEAR(interval->high / interval->mean, interval->mean / interval->low, 1e-6 * interval->high / interval->mean);
}

TEST(PositiveMeanInterval, OfRunsThatAreAlikeIsNearlyThePlainOne) {
  const std::vector<double> alike{1000, 1001, 1002};
  EXPECT_NEAR(positive_mean_interval(alike)->low, mean_interval(alike)->low, 0.01);
  EXPECT_NEAR(positive_mean_interval(alike)->high, mean_interval(alike)->high, 0.01);
}

TEST(PositiveMeanInterval, OfCountsEndsAtZeroAndOfNegativeValuesIsThePlainOne) {
  EXPECT_EQ(positive_mean_interval(std::vector<double>{0, 0, 9})->low, 0);
  EXPECT_DOUBLE_EQ(positive_mean_interval(std::vector<double>{0, 0, 9})->high,
                   mean_interval(std::vector<double>{0, 0, 9})->high);
  const std::vector<double> below{-5, 3, 4};
  EXPECT_DOUBLE_EQ(positive_mean_interval(below)->low, mean_interval(below)->low);
  EXPECT_FALSE(positive_mean_interval({}));
}

}  // namespace
}  // namespace n2nq::analysis
