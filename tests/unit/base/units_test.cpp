#include "broker/base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "broker/base/random.h"

namespace n2nq {
namespace {

using testing::HasSubstr;

TEST(Units, ReadsDurations) {
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_EQ(parse_duration("0s"), 0);
  EXPECT_EQ(parse_duration("1ns"), 1);
  EXPECT_EQ(parse_duration("250us"), 250'000);
  EXPECT_EQ(parse_duration("250\u00B5s"), 250'000) << "the micro sign";
  EXPECT_EQ(parse_duration("250\u03BCs"), 250'000) << "the Greek letter";
  EXPECT_EQ(parse_duration("500ms"), 500'000'000);
  EXPECT_EQ(parse_duration("2s"), 2'000'000'000);
  EXPECT_EQ(parse_duration("1.5s"), 1'500'000'000);
  EXPECT_EQ(parse_duration("0.1ms"), 100'000);
  EXPECT_EQ(parse_duration("2min"), 120'000'000'000);
  EXPECT_EQ(parse_duration("1h"), 3'600'000'000'000);
  EXPECT_EQ(parse_duration("0.000000001s"), 1);
}

TEST(Units, ReadsSizes) {
  EXPECT_EQ(parse_size("0"), 0u);
  EXPECT_EQ(parse_size("50"), 50u);
  EXPECT_EQ(parse_size("50B"), 50u);
  EXPECT_EQ(parse_size("4KiB"), 4096u);
  EXPECT_EQ(parse_size("4kB"), 4000u);
  EXPECT_EQ(parse_size("1.5kB"), 1500u);
  EXPECT_EQ(parse_size("0.1kB"), 100u);
  EXPECT_EQ(parse_size("2MiB"), 2u * 1024 * 1024);
  EXPECT_EQ(parse_size("2MB"), 2'000'000u);
  EXPECT_EQ(parse_size("1GB"), 1'000'000'000u);
  EXPECT_EQ(parse_size("1GiB"), 1u << 30);
}

TEST(Units, RoundsToTheNearestWholeOne) {
  EXPECT_EQ(parse_size("1.1KiB"), 1126u);  // 1126.4
  EXPECT_EQ(parse_size("1.6KiB"), 1638u);  // 1638.4
  EXPECT_EQ(parse_duration("1.0006us"), 1001);
}

TEST(Units, ReadsEveryWholeNumberExactly) {
  Random random(11);
  constexpr std::array<std::pair<const char*, uint64_t>, 4> kUnits{
      {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};
  for (int i = 0; i < 10'000; i++) {
    const auto& [unit, factor] = kUnits[random.below(kUnits.size())];
    const uint64_t number = random.below(31'622'400'000'000'000ull / factor);
    const auto parsed = parse_duration(std::to_string(number) + unit);
    ASSERT_TRUE(parsed) << number << unit << ": " << parsed.error().text;
    ASSERT_EQ(static_cast<uint64_t>(*parsed), number * factor);
  }
}

TEST(Units, ReadsEveryDecimalExactly) {
  Random random(12);
  for (int i = 0; i < 10'000; i++) {
    const uint64_t ns = random.below(1'000'000'000'000ull);
    std::string fraction = std::to_string(1'000'000'000 + ns % 1'000'000'000).substr(1);
    const auto parsed = parse_duration(std::to_string(ns / 1'000'000'000) + "." + fraction + "s");
    ASSERT_TRUE(parsed) << parsed.error().text;
    ASSERT_EQ(static_cast<uint64_t>(*parsed), ns);
  }
}

class RefusedDuration : public testing::TestWithParam<const char*> {};
TEST_P(RefusedDuration, IsRefusedWithTheTextInQuotes) {
  const auto parsed = parse_duration(GetParam());
  ASSERT_FALSE(parsed) << *parsed;
  EXPECT_THAT(parsed.error().text, HasSubstr("'" + std::string(GetParam()) + "'"));
}
INSTANTIATE_TEST_SUITE_P(Units, RefusedDuration,
                         testing::Values("", " ", "s", "ms", ".", ".s", "-1s", "-0s", "+1s", "1", "500", "1 s", " 1s",
                                         "1s ", "1S", "1m", "1sec", "1.2.3s", "1e3s", "inf", "nan", "infs", "0x1s",
                                         "1,5s", "0.5ns", "1.5ns", "0.0000001us", "9000h", "1s1ms",
                                         "99999999999999999999999999s", "18446744073709551616ns"));

class RefusedSize : public testing::TestWithParam<const char*> {};
TEST_P(RefusedSize, IsRefusedWithTheTextInQuotes) {
  const auto parsed = parse_size(GetParam());
  ASSERT_FALSE(parsed) << *parsed;
  EXPECT_THAT(parsed.error().text, HasSubstr("'" + std::string(GetParam()) + "'"));
}
INSTANTIATE_TEST_SUITE_P(Units, RefusedSize,
                         testing::Values("", "B", "-1", "-0", "+1", "1.5", "1.5B", "0.5B", "1kb", "1KB", "1K", "1k",
                                         "1 B", "1TiB", "nan", "inf", "1e3", "0x10", "2000000GB",
                                         "999999999999999999999999"));

TEST(Units, SaysHowToWriteIt) {
  EXPECT_THAT(parse_duration("soon").error().text, HasSubstr("500ms"));
  EXPECT_THAT(parse_duration("5").error().text, HasSubstr("unit"));
  EXPECT_THAT(parse_size("big").error().text, HasSubstr("4KiB"));
  EXPECT_THAT(parse_size("4KB").error().text, HasSubstr("4KiB"));
  EXPECT_THAT(parse_duration("100000h").error().text, HasSubstr("too large"));
}

TEST(Units, ReadsSizeRanges) {
  EXPECT_EQ(parse_size_range("50B"), (SizeRange{.min = 50, .max = 50}));
  EXPECT_EQ(parse_size_range("10B..1KiB"), (SizeRange{.min = 10, .max = 1024}));
  EXPECT_EQ(parse_size_range("0..0"), (SizeRange{.min = 0, .max = 0}));
  for (const char* text : {"", "..", "1B..", "..1B", "2B..1B", "1B...2B", "1B..2B..3B", "1B-2B"})
    EXPECT_FALSE(parse_size_range(text)) << text;
}

TEST(Units, ReadsWholeNumbers) {
  EXPECT_EQ(parse_whole("0"), 0u);
  EXPECT_EQ(parse_whole("18446744073709551615"), std::numeric_limits<uint64_t>::max());
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "18446744073709551616", "one"})
    EXPECT_FALSE(parse_whole(text)) << text;
}

TEST(Units, ReadNumbersAsPeopleWriteThem) {
  const std::pair<const char*, const char*> written[] = {{"20 ms", "20ms"},
                                                         {" 1.5  s ", "1.5s"},
                                                         {"1,000", "1000"},
                                                         {"12,345,678.5 B", "12345678.5B"},
                                                         {"5 \u00b5s", "5us"},
                                                         {"5\u03bcs", "5us"},
                                                         {"10 B .. 1 KiB", "10B..1KiB"},
                                                         {"10 B..1,024B", "10B..1024B"},
                                                         {"1,900 /s", "1900/s"},
                                                         {"50", "50"}};
  for (const auto& [text, plain] : written) EXPECT_EQ(plain_quantity(text), plain);
}

TEST(Units, LeaveAsItIsWhatIsNoNumber) {
  for (const char* text : {"", "1,5 ms", "1,00", ",100", "1000,000", "1,,000", "2 0 ms", "1 000", "20 ms 5",
                           "round robin", "1,000.000,5", "-5 ms", "5 ms .. soon", "soon .. 5 ms", ".."})
    EXPECT_EQ(plain_quantity(text), text);
}

TEST(Units, WritesDurationsInTheUnitAPersonWouldTake) {
  EXPECT_EQ(format_duration(0), "0ns");
  EXPECT_EQ(format_duration(1), "1ns");
  EXPECT_EQ(format_duration(999), "999ns");
  EXPECT_EQ(format_duration(1'000), "1us");
  EXPECT_EQ(format_duration(86'240), "86.2us");
  EXPECT_EQ(format_duration(9'996), "10us");
  EXPECT_EQ(format_duration(99'960), "100us");
  EXPECT_EQ(format_duration(999'499), "999us");
  EXPECT_EQ(format_duration(999'999), "1ms");
  EXPECT_EQ(format_duration(500'000'000), "500ms");
  EXPECT_EQ(format_duration(999'999'999), "1s");
  EXPECT_EQ(format_duration(1'500'000'000), "1.5s");
  EXPECT_EQ(format_duration(3'600'000'000'000), "3600s");
  EXPECT_EQ(format_duration(-1'500), "-1.5us");
  EXPECT_EQ(format_duration(std::numeric_limits<int64_t>::min()).front(), '-');
}

TEST(Units, WritesSizesInTheUnitAPersonWouldTake) {
  EXPECT_EQ(format_size(0), "0B");
  EXPECT_EQ(format_size(50), "50B");
  EXPECT_EQ(format_size(1023), "1023B");
  EXPECT_EQ(format_size(1024), "1KiB");
  EXPECT_EQ(format_size(1536), "1.5KiB");
  EXPECT_EQ(format_size(1'048'575), "1MiB");
  EXPECT_EQ(format_size(1u << 30), "1GiB");
}

TEST(Units, ReadBackWhatTheyWriteWithinHalfAPercent) {
  Random random(13);
  for (int i = 0; i < 10'000; i++) {
    const uint64_t value = random.next() >> (random.below(50) + 14);
    if (const auto size = parse_size(format_size(value)))
      ASSERT_NEAR(static_cast<double>(*size), static_cast<double>(value), static_cast<double>(value) * 0.005);
    else
      ASSERT_THAT(size.error().text, HasSubstr("too large")) << value;
    const auto duration = parse_duration(format_duration(static_cast<int64_t>(value)));
    ASSERT_TRUE(duration) << duration.error().text;
    ASSERT_NEAR(static_cast<double>(*duration), static_cast<double>(value), static_cast<double>(value) * 0.005);
  }
}

}  // namespace
}  // namespace n2nq
