#include "ui/services/trend_ring.h"

#include <gmock/gmock.h>

#include <cmath>

#include "broker/base/clock.h"
#include "synthetic_figures.h"
#include "ui/services/stand_out.h"

namespace n2nq::ui {
namespace {

TEST(TrendRing, KeepsAMinuteOfEachServiceTheOldestFirst) {
  TrendRing ring;
  EXPECT_TRUE(ring.of(0).empty());
  auto figures = many(Role::sender, 2);
  for (int second = 1; second <= 70; second++) {
    const int64_t now = second * kSecond;
    EXPECT_TRUE(ring.due(now));
    figures[1].rate_per_s = second;
    ring.sample(now, figures);
    EXPECT_FALSE(ring.due(now + kSecond - 1));
  }
  const std::vector<double> values = ring.of(1);
  ASSERT_EQ(values.size(), TrendRing::kPoints);
  EXPECT_EQ(values.front(), 11);
  EXPECT_EQ(values.back(), 70);
  EXPECT_TRUE(ring.of(7).empty()) << "there is no such service";
  ring.clear();
  EXPECT_TRUE(ring.empty());
  EXPECT_TRUE(ring.of(1).empty());
}

TEST(TrendRing, SecondsThatNobodyLookedAtAreAGap) {
  TrendRing ring;
  const auto figures = many(Role::sender, 1);
  ring.sample(10 * kSecond, figures);
  ring.sample(13 * kSecond, figures);
  const std::vector<double> values = ring.of(0);
  ASSERT_EQ(values.size(), 4u);
  EXPECT_TRUE(std::isnan(values[1]) && std::isnan(values[2]));
  ring.sample(500 * kSecond, figures);
  EXPECT_EQ(ring.of(0).size(), 1u) << "longer ago than a minute";
}

TEST(TrendRing, AServiceWithoutMessagesHasNoTrend) {
  TrendRing ring;
  auto figures = many(Role::receiver, 2);
  figures[0].count = 0;
  figures[1].latency_ns.reset();
  ring.sample(kSecond, figures);
  EXPECT_TRUE(ring.of(0).empty());
  EXPECT_TRUE(ring.of(1).empty());
}

TEST(Slowest, IsTheReceiverWhoseP99IsFarAboveTheOthers) {
  auto figures = many(Role::receiver, 9);
  EXPECT_EQ(slowest_of(Role::receiver, figures), std::nullopt);
  figures[7].latency_p99_ns = 185'000;
  EXPECT_EQ(slowest_of(Role::receiver, figures), std::nullopt) << "less than 1.5 times the others";
  figures[7].latency_p99_ns = 248'000;
  ASSERT_TRUE(slowest_of(Role::receiver, figures));
  EXPECT_EQ(slowest_of(Role::receiver, figures)->number, 8u);
  EXPECT_EQ(slowest_of(Role::receiver, figures)->why,
            "the slowest receiver: its p99 of 248.0 µs is 2.0 × the median of all, 124.0 µs");
  figures.resize(2);
  EXPECT_EQ(slowest_of(Role::receiver, figures), std::nullopt) << "too few to say so";
}

TEST(Slowest, IsTheSenderWhoseRateIsFarBelowTheOthers) {
  auto figures = many(Role::sender, 9);
  figures[2].rate_per_s = 30;
  EXPECT_EQ(slowest_of(Role::sender, figures), std::nullopt);
  figures[2].rate_per_s = 20;
  ASSERT_TRUE(slowest_of(Role::sender, figures));
  EXPECT_EQ(slowest_of(Role::sender, figures)->why,
            "the slowest sender: its rate of 20 /s is 0.4 × the median of all, 49.9 /s");
  figures[2].state = live::ServiceState::done;
  EXPECT_EQ(slowest_of(Role::sender, figures), std::nullopt) << "it has sent all";
}

}  // namespace
}  // namespace n2nq::ui
