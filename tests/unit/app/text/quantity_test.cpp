#include "app/text/quantity.h"

#include <gtest/gtest.h>

#include <clocale>

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
  EXPECT_EQ(duration(84'100), "84.1 us");
  EXPECT_EQ(duration(-3'200), "-3.20 us");
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

TEST(Quantity, ADurationKeepsItsDigitsInTheUnitOfItsColumn) {
  const Scale ms = duration_scale(20'100'000);
  EXPECT_EQ(duration(20'100'000, ms), "20.1 ms");
  EXPECT_EQ(duration(84'100, ms), "0.0841 ms");
  EXPECT_EQ(duration(41, ms), "0.000041 ms") << "to the nanosecond";
  EXPECT_EQ(duration(0, ms), "0.0 ms");
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
}

TEST(Quantity, AnotherLocaleChangesNothing) {
  const char* locale = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(duration(84'100), "84.1 us");
  if (locale != nullptr) std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace n2nq::text
