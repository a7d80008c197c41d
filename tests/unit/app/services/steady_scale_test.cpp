#include "ui/services/steady_scale.h"

#include <gmock/gmock.h>

#include <string>

namespace n2nq::ui {
namespace {

TEST(SteadyScale, ALargerValueIsFollowedAtOnce) {
  SteadyScale scale(SteadyScale::Of::duration);
  EXPECT_EQ(scale.look(84'000, 84'000).unit, "µs");
  EXPECT_EQ(scale.look(3'100'000, 84'000).unit, "ms");
}

TEST(SteadyScale, ASmallerOneOnlyAfterAWhile) {
  SteadyScale scale(SteadyScale::Of::duration);
  scale.look(3'100'000, 84'000);
  for (int i = 1; i < SteadyScale::kPatience; i++) EXPECT_EQ(scale.look(84'000, 84'000).unit, "ms");
  EXPECT_EQ(scale.look(84'000, 84'000).unit, "µs");
}

TEST(SteadyScale, OneThatKeepsItsUnitKeepsItUntilAValueCannotBeReadInIt) {
  SteadyScale scale(SteadyScale::Of::duration, true);
  EXPECT_EQ(scale.look(840'000, 84'000).unit, "µs");
  EXPECT_EQ(scale.look(2'100'000, 84'000).unit, "µs");
  EXPECT_EQ(scale.look(31'000'000, 84'000).unit, "ms");
  for (int i = 0; i < 3 * SteadyScale::kPatience; i++) EXPECT_EQ(scale.look(840'000, 84'000).unit, "ms");
  EXPECT_EQ(scale.look(840'000, 8'400).unit, "µs") << "it would be nothing in ms";
  scale.reset();
  EXPECT_EQ(scale.look(840'000'000, 840'000'000).unit, "ms");
}

TEST(SteadyScale, AValueBetweenTwoUnitsDoesNotFlicker) {
  SteadyScale scale(SteadyScale::Of::duration);
  scale.look(1'010'000, 990'000);
  for (int i = 0; i < 100; i++) {
    const double value = i % 2 == 0 ? 990'000 : 1'010'000;
    EXPECT_EQ(scale.look(value, value).unit, "ms");
  }
}

TEST(SteadyScale, SmallValuesBesideALargeOneKeepSomeDigits) {
  SteadyScale scale(SteadyScale::Of::duration);
  scale.look(20'100'000, 20'100'000);
  EXPECT_EQ(text::with_unit(20'100'000, scale.scale()), "20.1 ms");
  scale.look(20'100'000, 84'000);
  EXPECT_EQ(text::with_unit(84'000, scale.scale()), "0.084 ms");
  EXPECT_EQ(text::with_unit(20'100'000, scale.scale()), "20.100 ms") << "the same decimals as the other";
}

TEST(SteadyScale, RatesHaveNoDecimalsFromAHundredOn) {
  SteadyScale scale(SteadyScale::Of::rate);
  scale.look(49.96, 49.96);
  EXPECT_EQ(text::with_unit(49.96, scale.scale()), "50.0 /s");
  scale.look(24'980, 49.96);
  EXPECT_EQ(text::with_unit(24'980.4, scale.scale()), "24,980 /s");
}

}  // namespace
}  // namespace n2nq::ui
