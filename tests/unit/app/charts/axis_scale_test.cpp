#include "ui/charts/axis_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/charts/sample_figures.h"

namespace n2nq::ui::charts {
namespace {

using figures::Axis;
using figures::Quantity;
using testing::ElementsAre;

std::vector<std::string> labels(const Axis& axis, const Span& span, int most) {
  std::vector<std::string> found;
  for (const Tick& tick : ticks(axis, span, most)) found.push_back(tick.label.toStdString());
  return found;
}

const Axis kLatency{.label = "latency", .quantity = Quantity::duration_ns};
const Axis kTime{.label = "time", .quantity = Quantity::time_ns, .from_zero = true};
const Axis kTail{.label = "percentile", .quantity = Quantity::percentile};

TEST(AxisScale, TicksAreRoundInTheUnitOfTheTitle) {
  EXPECT_THAT(labels(kLatency, {0, 400e3}, 5), ElementsAre("0", "100", "200", "300", "400"));
  EXPECT_EQ(title(kLatency, {0, 400e3}), "latency [µs]");
  EXPECT_THAT(labels(kLatency, {0, 1.5e6}, 4), ElementsAre("0.0", "0.5", "1.0", "1.5"));
  EXPECT_EQ(title(kLatency, {0, 1.5e6}), "latency [ms]");
}

TEST(AxisScale, TicksHaveAsManyDecimalsAsTheyNeed) {
  EXPECT_THAT(labels(kLatency, {100e3, 100.2e3}, 4), ElementsAre("100.00", "100.05", "100.10", "100.15", "100.20"));
}

TEST(AxisScale, ThereIsNoNegativeZero) {
  EXPECT_THAT(labels(kLatency, {-20e3, 20e3}, 4), ElementsAre("-20", "-10", "0", "10", "20"));
}

TEST(AxisScale, NanosecondsAndMessagesAreWhole) {
  EXPECT_THAT(labels(kLatency, {0, 1}, 5), ElementsAre("0", "1"));
  EXPECT_THAT(labels({.quantity = Quantity::messages}, {0, 2}, 10), ElementsAre("0", "1", "2"));
}

// By its values alone an axis of 1 and 2 services would have 1.5 of them.
TEST(AxisScale, OfWholeNumbersThereAreNoHalves) {
  EXPECT_THAT(labels({.quantity = Quantity::number, .whole = true}, {1, 2}, 10), ElementsAre("1", "2"));
  EXPECT_THAT(labels({.quantity = Quantity::number}, {1, 2}, 2), ElementsAre("1.0", "1.5", "2.0"));
}

TEST(AxisScale, LargeFiguresHaveCommas) {
  EXPECT_THAT(labels({.label = "rate", .quantity = Quantity::rate_per_s}, {0, 30e3}, 3),
              ElementsAre("0", "10,000", "20,000", "30,000"));
  EXPECT_EQ(title({.label = "rate", .quantity = Quantity::rate_per_s}, {0, 30e3}), "rate [/s]");
}

TEST(AxisScale, LongTimesAreReadOnAClock) {
  EXPECT_THAT(labels(kTime, {0, 180e9}, 4), ElementsAre("00:00", "01:00", "02:00", "03:00"));
  EXPECT_EQ(title(kTime, {0, 180e9}), "time [min:s]");
  EXPECT_THAT(labels(kTime, {0, 7200e9}, 4), ElementsAre("00:00", "30:00", "1:00:00", "1:30:00", "2:00:00"));
  EXPECT_EQ(title(kTime, {0, 7200e9}), "time [h:min:s]");
}

TEST(AxisScale, ASecondLateInARunIsReadInSeconds) {
  EXPECT_THAT(labels(kTime, {600e9, 601e9}, 2), ElementsAre("600.0", "600.5", "601.0"));
}

TEST(AxisScale, TheTailAxisNamesThePercentilesThatPeopleAskFor) {
  EXPECT_THAT(labels(kTail, {0, 4}, 8), ElementsAre("0", "50", "90", "99", "99.9", "99.99"));
  EXPECT_EQ(title(kTail, {0, 4}), "percentile [%]");
}

TEST(AxisScale, ZoomedIntoTheTailItNamesWhatLiesBetween) {
  EXPECT_THAT(labels(kTail, {figures::tail_position(90), figures::tail_position(99)}, 8),
              ElementsAre("90", "95", "98", "99"));
  EXPECT_GE(labels(kTail, {figures::tail_position(99.2), figures::tail_position(99.3)}, 8).size(), 3u);
}

TEST(AxisScale, NinetyNinetyNineAndOneMoreAreEquallyFarApart) {
  const double first = position(kTail, 99) - position(kTail, 90);
  EXPECT_NEAR(position(kTail, 99.9) - position(kTail, 99), first, 1e-9);
  EXPECT_TRUE(std::isfinite(position(kTail, 100)));
}

TEST(AxisScale, OfManyCategoriesEveryNthIsNamed) {
  const auto figure = service_sample(100);
  EXPECT_THAT(labels(figure.x, fitted(figure.x, {0, 99}), 5), ElementsAre("r1", "r21", "r41", "r61", "r81"));
}

TEST(AxisScale, ASpanOfNothingGetsRoom) {
  EXPECT_EQ(fitted(kTime, {0, 0}), (Span{0, 1e9}));
  EXPECT_GT(fitted(kLatency, {5e3, 5e3}).size(), 0);
  EXPECT_GT(fitted(kLatency, {-5e3, -5e3}).size(), 0);
  EXPECT_GT(fitted({.quantity = Quantity::category}, {0, 0}).size(), 0);
}

TEST(AxisScale, ZeroIsInSightWhereTheAxisAsksForItAndNegativesAreToo) {
  const Axis from_zero{.quantity = Quantity::duration_ns, .from_zero = true};
  EXPECT_EQ(fitted(from_zero, {100, 200}), (Span{0, 200}));
  EXPECT_EQ(fitted(from_zero, {-100, 200}), (Span{-100, 200}));
}

TEST(AxisScale, EndsMoveOutToTicksButNotFixedOnes) {
  EXPECT_EQ(rounded_out(kLatency, {-3e3, 380e3}, 4), (Span{-100e3, 400e3}));
  EXPECT_EQ(rounded_out({.quantity = Quantity::duration_ns, .max = 380e3}, {0, 380e3}, 4), (Span{0, 380e3}));
}

constexpr double kDecadeUs = 3;  // 1 µs

TEST(AxisScale, ByDecadesEachIsTenTimesTheLastAndTheAxisSaysSo) {
  const Axis axis{.label = "time", .quantity = Quantity::duration_ns, .by_decades = true};
  EXPECT_DOUBLE_EQ(position(axis, 1000), kDecadeUs);
  EXPECT_DOUBLE_EQ(position(axis, 0), 0) << "nothing below one";
  EXPECT_DOUBLE_EQ(value_at(axis, kDecadeUs), 1000);
  const Span span = rounded_out(axis, fitted(axis, {position(axis, 8'300), position(axis, 12'000'000)}), 8);
  EXPECT_NEAR(span.min, std::log10(5'000), 1e-9) << "to the next round value, not a whole decade";
  EXPECT_NEAR(span.max, std::log10(20'000'000), 1e-9);
  EXPECT_THAT(labels(axis, {5, 8}, 8), testing::ElementsAre("0.1", "1", "10", "100"));
  EXPECT_EQ(title(axis, {5, 8}), "time [ms, log]");
  EXPECT_THAT(labels(axis, {3, 11}, 8),
              testing::ElementsAre("1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"))
      << "from microseconds to seconds each has its own unit";
  EXPECT_EQ(title(axis, {3, 11}), "time [log]");
  const Axis size{.label = "size", .quantity = Quantity::bytes, .by_decades = true};
  EXPECT_EQ(title(size, {0, 3}), "size [log]");
  EXPECT_THAT(labels(size, {0, 3}, 8), testing::ElementsAre("1 B", "10 B", "100 B"));
  EXPECT_THAT(labels(size, {6.5, 9.1}, 8), testing::ElementsAre("10 MiB", "100 MiB", "1 GiB"));
}

TEST(AxisScale, ByDecadesALittleRoomIsTwosAndFives) {
  const Axis axis{.quantity = Quantity::duration_ns, .by_decades = true};
  EXPECT_THAT(labels(axis, {3, 4}, 8), testing::ElementsAre("1", "2", "5", "10"));
  EXPECT_GE(fitted(axis, {4, 4}).size(), 1) << "a single value stands in a decade";
}

TEST(AxisScale, ASingleValueIsSaidWithItsUnit) {
  EXPECT_EQ(value_text(kLatency, 84'100), "84.1 µs");
  EXPECT_EQ(value_text({.quantity = Quantity::messages}, 11'510'000.25), "11,510,000 messages");
  EXPECT_EQ(value_text({.quantity = Quantity::number}, 12.25), "12.25");
  EXPECT_EQ(value_text(kTail, 99.95), "99.95 %");
  EXPECT_EQ(value_text(kTail, 99.43765867), "99.44 %");
  EXPECT_EQ(value_text(kTail, 43.7658), "43.8 %");
  EXPECT_EQ(value_text(kTail, 100), "100 %");
  EXPECT_EQ(value_text({.quantity = Quantity::messages}, 1), "1 message");
  EXPECT_EQ(value_text({.quantity = Quantity::messages}, 12'040), "12,040 messages");
  EXPECT_EQ(value_text({.quantity = Quantity::mb_per_s}, 12.5), "12.5 MB/s");
  EXPECT_EQ(value_text(kTime, 754e9), "12:34 min");
  EXPECT_EQ(value_text(service_sample(3).x, 2), "r3");
}

// Ticks of any span stay few, in order and inside.
TEST(AxisScale, TicksNeverRunAway) {
  for (const Axis& axis : {kLatency, kTime, kTail, Axis{.quantity = Quantity::bytes}, Axis{}}) {
    for (double size = 1e-3; size < 1e13; size *= 7.3) {
      for (const double start : {0.0, 1.0, 12345.0}) {
        const bool is_tail = axis.quantity == Quantity::percentile;
        const Span span =
            is_tail ? Span{start / 12345, start / 12345 + std::min(size, 11.0)} : Span{start, start + size};
        const auto found = ticks(axis, span, 8);
        EXPECT_LE(found.size(), 110u) << start << " " << size;
        for (size_t i = 0; i < found.size(); ++i) {
          EXPECT_GE(found[i].at, span.min - span.size() * 1e-3);
          EXPECT_LE(found[i].at, span.max + span.size() * 1e-3);
          if (i > 0) {
            EXPECT_GT(found[i].at, found[i - 1].at);
          }
        }
      }
    }
  }
}

TEST(AxisScale, ARangeSaysItsUnitOnce) {
  const Axis axis{.label = "latency", .quantity = Quantity::duration_ns};
  EXPECT_EQ(range_text(axis, 80e3, 88e3), "80.0 to 88.0 µs");
  EXPECT_EQ(range_text(axis, 920e3, 1.1e6), "920.0 µs to 1.10 ms");
  EXPECT_EQ(range_text({.quantity = Quantity::number}, 1, 3), "1 to 3");
}

}  // namespace
}  // namespace n2nq::ui::charts
