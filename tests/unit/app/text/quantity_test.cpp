#include "app/text/quantity.h"

#include <gtest/gtest.h>

#include <clocale>
#include <limits>
#include <optional>
#include <vector>

namespace n2nq::text {
namespace {

TEST(Quantity, GroupsThousands) {
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(12040), "12,040");
  EXPECT_EQ(count(-1234567), "-1,234,567");
}

TEST(Quantity, ADurationGetsTheUnitThatFitsIt) {
  EXPECT_EQ(duration(0), "0 ns");
  EXPECT_EQ(duration(84'100), "84.1 µs");
  EXPECT_EQ(duration(-3'200), "-3.20 µs");
  EXPECT_EQ(duration(20'000'000), "20.0 ms");
  EXPECT_EQ(duration(1.5e9), "1.50 s");
}

TEST(Quantity, AColumnKeepsOneUnit) {
  const Scale scale = duration_scale(1'500'000);
  EXPECT_EQ(with_unit(84'100, scale), "0.1 ms");
  EXPECT_EQ(with_unit(1'500'000, scale), "1.5 ms");
}

TEST(Quantity, ADurationHasThreeDigitsThatSaySomething) {
  EXPECT_EQ(duration(1'134'000), "1.13 ms");
  EXPECT_EQ(duration(11'340'000), "11.3 ms");
  EXPECT_EQ(duration(113'400'000), "113.4 ms");
  EXPECT_EQ(duration(150e9), "2.50 min");
  EXPECT_EQ(duration(84.4), "84 ns") << "there are no parts of a nanosecond";
}

std::vector<std::string> shown(Unit unit, const std::vector<std::optional<double>>& values) {
  Column column(unit);
  for (const auto& value : values) column.add(value);
  std::vector<std::string> texts{column.head("x")};
  for (size_t i = 0; i < values.size(); i++) texts.push_back(column.cell(i));
  return texts;
}
using Texts = std::vector<std::string>;

TEST(Quantity, AColumnHasTheSameDecimalsInEachRowAndItsUnitInItsHead) {
  EXPECT_EQ(shown(Unit::duration, {84'100, 20'100'000, std::nullopt, 0}),
            (Texts{"x [ms]", "0.084", "20.100", "-", "0.000"}));
  EXPECT_EQ(shown(Unit::duration, {80'300, 113'400}), (Texts{"x [µs]", "80.3", "113.4"}));
  EXPECT_EQ(shown(Unit::duration, {1'134'000}), (Texts{"x [ms]", "1.13"}));
  EXPECT_EQ(shown(Unit::duration, {-84'100, 41}), (Texts{"x [µs]", "-84.100", "0.041"}));
  EXPECT_EQ(shown(Unit::duration, {5, 840}), (Texts{"x [ns]", "5", "840"})) << "there are no parts of a nanosecond";
  EXPECT_EQ(shown(Unit::bytes, {50, 40}), (Texts{"x [B]", "50", "40"}));
  EXPECT_EQ(shown(Unit::rate, {24980, 100}), (Texts{"x [/s]", "24,980", "100"}));
  EXPECT_EQ(shown(Unit::rate, {0.5, 10}), (Texts{"x [/s]", "0.50", "10.00"}));
  EXPECT_EQ(shown(Unit::number, {12'040, 3}), (Texts{"x", "12,040", "3"}));
  EXPECT_EQ(shown(Unit::duration, {std::nullopt}), (Texts{"x", "-"})) << "no value, no unit";
}

TEST(Quantity, AColumnTakesASmallerUnitWhereTheSmallestValueWouldNotBeSeen) {
  EXPECT_EQ(shown(Unit::duration, {80'000, 30e9}), (Texts{"x [ms]", "0.080", "30,000.000"}));
  EXPECT_EQ(shown(Unit::duration, {500, 12e9}), (Texts{"x [µs]", "0.50", "12,000,000.00"}));
  EXPECT_EQ(shown(Unit::duration, {0.125, 80'000}), (Texts{"x [µs]", "0.000", "80.000"})) << "in ns it is 0 as well";
}

TEST(Quantity, WidthIsThatOfCharacters) {
  EXPECT_EQ(width("84.1 µs"), 7u);
  EXPECT_EQ(width("± 3 ms"), 6u);
}

TEST(Quantity, BytesAndRatesCarryTheirUnit) {
  EXPECT_EQ(bytes(50), "50 B");
  EXPECT_EQ(bytes(1536), "1.5 KiB");
  EXPECT_EQ(rate(24980), "24,980 /s");
  EXPECT_EQ(rate(0.5), "0.50 /s");
}

TEST(Quantity, ElapsedTimeReadsAsAClock) {
  EXPECT_EQ(elapsed(12'900'000'000), "00:12");
  EXPECT_EQ(elapsed(3'723'000'000'000), "1:02:03");
  EXPECT_EQ(rough_duration(12'400'000'000), "12 s");
  EXPECT_EQ(rough_duration(1'049'000'000'000), "17 min");
  EXPECT_EQ(rough_duration(6'000'000'000'000), "1 h 40 min");
  EXPECT_EQ(rough_duration(7'200'000'000'000), "2 h");
  EXPECT_EQ(rough_duration(std::numeric_limits<int64_t>::max()), "2,562,047 h 47 min");
}

TEST(Quantity, AnotherLocaleChangesNothing) {
  const char* locale = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(duration(84'100), "84.1 µs");
  if (locale != nullptr) std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace n2nq::text
