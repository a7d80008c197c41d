#include "app/figures/moment.h"

#include <gtest/gtest.h>

namespace n2nq::figures {
namespace {

constexpr double kMomentMs = 1e6;

Figure over_time(std::vector<double> times_ms) {
  Figure figure{.x = {.quantity = Quantity::time_ns}, .series = {{.name = "p50"}, {.name = "max"}}};
  for (const double time : times_ms)
    for (Series& series : figure.series) series.points.push_back({.x = time * kMomentMs, .y = 1});
  return figure;
}

// Of a point that is so wide.
Moment ms(int64_t from, int64_t to, int64_t own_from, int64_t own_to) {
  return {.from_ns = from * 1'000'000,
          .to_ns = to * 1'000'000,
          .own_from_ns = own_from * 1'000'000,
          .own_to_ns = own_to * 1'000'000,
          .highest = Moment::Highest{.low_ns = 1, .high_ns = 1}};
}

TEST(Moment, IsTheNearestPointAndHalfAReportOnEitherSide) {
  const Figure figure = over_time({50, 150, 250, 350});
  EXPECT_EQ(moment_at(figure, 0.24), ms(150, 350, 200, 300));
  EXPECT_EQ(moment_at(figure, 0.19), ms(50, 250, 100, 200));
  EXPECT_EQ(moment_at(figure, 99), ms(250, 450, 300, 400));
  EXPECT_EQ(moment_at(figure, -1), ms(0, 150, 0, 100));
}

TEST(Moment, IsAsWideAsAPointIs) {
  EXPECT_EQ(moment_at(over_time({400, 1'200, 2'000}), 1.0), ms(750, 1'650, 800, 1'600));
  EXPECT_EQ(moment_at(over_time({400, 1'200, 8'000}), 1.0), ms(750, 1'650, 800, 1'600)) << "where points are missing";
  EXPECT_EQ(moment_at(over_time({400, 1'200}), 0), ms(0, 850, 0, 800));
  EXPECT_EQ(moment_at(over_time({400}), 0), ms(300, 500, 350, 450));
}

TEST(Moment, HasTheBucketOfTheHighestLatencyThatIsShown) {
  Figure figure = over_time({50, 150});
  figure.series[1].points[1].y = 900'351;
  const auto highest = moment_at(figure, 0.15)->highest;
  ASSERT_TRUE(highest.has_value());
  EXPECT_LE(highest->low_ns, 900'351);
  EXPECT_GE(highest->high_ns, 900'351);
  EXPECT_LT(highest->high_ns - highest->low_ns, 900) << "three digits";
  figure.series[1].name = "p99";
  EXPECT_EQ(moment_at(figure, 0.15)->highest, std::nullopt);
}

TEST(Moment, OnlyFiguresOverTimeHaveAny) {
  Figure figure = over_time({50, 150});
  figure.x.quantity = Quantity::percentile;
  EXPECT_EQ(moment_at(figure, 0), std::nullopt);
  EXPECT_EQ(moment_at(over_time({}), 0), std::nullopt);
}

}  // namespace
}  // namespace n2nq::figures
