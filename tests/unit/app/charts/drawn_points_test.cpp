#include "ui/charts/drawn_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace n2nq::ui::charts {
namespace {

using testing::ElementsAre;

std::vector<QPointF> ramp(int count) {
  std::vector<QPointF> points;
  for (int i = 0; i < count; ++i) points.emplace_back(i, i % 10);
  return points;
}

TEST(DrawnPoints, FewAreDrawnAsTheyAre) {
  EXPECT_EQ(thinned(ramp(300), 300), ramp(300));
}

TEST(DrawnPoints, OfManyNoPeakIsLost) {
  std::vector<QPointF> points = ramp(20'000);
  points[7'001].setY(1e9);
  points[13'333].setY(-1e9);
  const auto kept = thinned(points, 300);
  EXPECT_LE(kept.size(), 300u);
  EXPECT_THAT(kept, testing::Contains(points[7'001]));
  EXPECT_THAT(kept, testing::Contains(points[13'333]));
  EXPECT_EQ(kept.front(), points.front());
  EXPECT_EQ(kept.back(), points.back());
  EXPECT_TRUE(std::ranges::is_sorted(kept, {}, [](const QPointF& point) { return point.x(); }));
}

TEST(DrawnPoints, ARangeKeepsANeighbourOnEachSide) {
  EXPECT_THAT(in_sight(ramp(100), {10.5, 12.5}),
              ElementsAre(QPointF(10, 0), QPointF(11, 1), QPointF(12, 2), QPointF(13, 3)));
  EXPECT_EQ(in_sight(ramp(3), {50, 60}).size(), 1u);
  EXPECT_TRUE(in_sight({}, {0, 1}).empty());
}

TEST(DrawnPoints, WhatHasNoPlaceIsLeftOut) {
  figures::Series series;
  series.points = {{0, 1}, {1, std::numeric_limits<double>::quiet_NaN()}, {2, INFINITY}, {3, -4}};
  EXPECT_THAT(placed({}, {}, series), ElementsAre(QPointF(0, 1), QPointF(3, -4)));
}

TEST(DrawnPoints, ALonePointCanBeSeen) {
  EXPECT_THAT(as_line({{5, 7}}, 2), ElementsAre(QPointF(4, 7), QPointF(6, 7)));
}

TEST(DrawnPoints, AStepHoldsUntilTheNextPoint) {
  EXPECT_THAT(as_steps({{0, 1}, {2, 5}}), ElementsAre(QPointF(0, 1), QPointF(2, 1), QPointF(2, 5)));
}

TEST(DrawnPoints, BlocksStandOnZeroAndTouch) {
  EXPECT_THAT(as_blocks({{10, 3}, {20, 4}}), ElementsAre(QPointF(5, 0), QPointF(5, 3), QPointF(15, 3), QPointF(15, 4),
                                                         QPointF(25, 4), QPointF(25, 0)));
  EXPECT_EQ(as_blocks({{0, 3}}).size(), 4);
  EXPECT_TRUE(as_blocks({}).empty());
}

TEST(DrawnPoints, ACategoryReachesHalfWayToBothSides) {
  EXPECT_THAT(as_category_steps({{3, 9}}), ElementsAre(QPointF(2.5, 9), QPointF(3.5, 9)));
}

}  // namespace
}  // namespace n2nq::ui::charts
