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

Moment ms(int64_t from, int64_t to) {
  return {.from_ns = from * 1'000'000, .to_ns = to * 1'000'000};
}

TEST(Moment, IsTheNearestPointAndHalfAReportOnEitherSide) {
  const Figure figure = over_time({50, 150, 250, 350});
  EXPECT_EQ(moment_at(figure, 0.24), ms(150, 350));
  EXPECT_EQ(moment_at(figure, 0.19), ms(50, 250));
  EXPECT_EQ(moment_at(figure, 99), ms(250, 450));
  EXPECT_EQ(moment_at(figure, -1), ms(0, 150));
}

TEST(Moment, IsAsWideAsAPointIs) {
  EXPECT_EQ(moment_at(over_time({400, 1'200, 2'000}), 1.0), ms(750, 1'650));
  EXPECT_EQ(moment_at(over_time({400, 1'200, 8'000}), 1.0), ms(750, 1'650)) << "where points are missing";
  EXPECT_EQ(moment_at(over_time({400, 1'200}), 0), ms(0, 850));
  EXPECT_EQ(moment_at(over_time({400}), 0), ms(300, 500));
}

TEST(Moment, OnlyFiguresOverTimeHaveAny) {
  Figure figure = over_time({50, 150});
  figure.x.quantity = Quantity::percentile;
  EXPECT_EQ(moment_at(figure, 0), std::nullopt);
  EXPECT_EQ(moment_at(over_time({}), 0), std::nullopt);
}

}  // namespace
}  // namespace n2nq::figures
