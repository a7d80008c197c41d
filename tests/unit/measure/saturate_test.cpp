#include "workers/measure/saturate.h"

#include <gtest/gtest.h>

namespace n2nq::measure {
namespace {

TEST(Saturate, TheMeanIsOfWhatCameBetweenTwoReadings) {
  EXPECT_EQ(mean_between(1'000, 400, 7, 4), 200);
  EXPECT_EQ(mean_between(-1'000, -400, 7, 4), -200);
  EXPECT_EQ(mean_between(400, 400, 4, 4), std::nullopt) << "nothing came";
  EXPECT_EQ(mean_between(INT64_MAX, INT64_MIN, 1, 0), INT64_MAX);
}

}  // namespace
}  // namespace n2nq::measure
