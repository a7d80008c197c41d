#include "app/analysis/box.h"

#include <gmock/gmock.h>

#include <vector>

namespace n2nq::analysis {
namespace {

using testing::ElementsAre;

const std::vector<double> kWithOneFarOff{5, 1, 2, 3, 4, 100};

TEST(Box, HasTheQuartilesBetweenValues) {
  const auto box = box_of(kWithOneFarOff, Whiskers::tukey);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->count, 6u);
  EXPECT_DOUBLE_EQ(box->lower_quartile, 2.25);
  EXPECT_DOUBLE_EQ(box->median, 3.5);
  EXPECT_DOUBLE_EQ(box->upper_quartile, 4.75);
  EXPECT_NEAR(box->mean, 115.0 / 6, 1e-12);
}

TEST(Box, WhiskersEndAtTheLastValueWithinOneAndAHalfBoxes) {
  const auto box = box_of(kWithOneFarOff, Whiskers::tukey);
  EXPECT_EQ(box->low_whisker, 1);
  EXPECT_EQ(box->high_whisker, 5);
  EXPECT_THAT(box->outside, ElementsAre(100));
}

TEST(Box, WhiskersMayReachOverEverything) {
  const auto box = box_of(kWithOneFarOff, Whiskers::extremes);
  EXPECT_EQ(box->low_whisker, 1);
  EXPECT_EQ(box->high_whisker, 100);
  EXPECT_THAT(box->outside, ElementsAre());
}

TEST(Box, WhiskersMayBePercentiles) {
  std::vector<double> values;
  for (int i = 0; i <= 100; i++) values.push_back(i);
  EXPECT_DOUBLE_EQ(box_of(values, Whiskers::p5_p95)->low_whisker, 5);
  EXPECT_DOUBLE_EQ(box_of(values, Whiskers::p5_p95)->high_whisker, 95);
  EXPECT_DOUBLE_EQ(box_of(values, Whiskers::p1_p99)->high_whisker, 99);
  EXPECT_THAT(box_of(values, Whiskers::p1_p99)->outside, ElementsAre(0, 100));
}

TEST(Box, OfOneValueIsThatValue) {
  for (const Whiskers whiskers : {Whiskers::tukey, Whiskers::extremes, Whiskers::p5_p95, Whiskers::p1_p99}) {
    const auto box = box_of(std::vector<double>{4}, whiskers);
    ASSERT_TRUE(box);
    EXPECT_EQ(box->low_whisker, 4);
    EXPECT_EQ(box->median, 4);
    EXPECT_EQ(box->high_whisker, 4);
  }
  EXPECT_FALSE(box_of({}, Whiskers::tukey));
}

// The last value within reach may lie inside the box: the whisker then ends at the box.
TEST(Box, AWhiskerNeverEndsInsideTheBox) {
  const auto box = box_of(std::vector<double>{0, 10, 10, 10, 1000}, Whiskers::tukey);
  EXPECT_EQ(box->low_whisker, 10);
  EXPECT_EQ(box->high_whisker, 10);
  EXPECT_THAT(box->outside, ElementsAre(0, 1000));
}

}  // namespace
}  // namespace n2nq::analysis
