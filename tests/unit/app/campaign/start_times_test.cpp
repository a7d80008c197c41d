#include "app/campaign/start_times.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>

namespace n2nq::campaign {
namespace {

using testing::HasSubstr;

constexpr int64_t kMinuteNs = 60'000'000'000;

struct StartTimesTest : testing::Test {
  // Central Europe, without the files of zones.
  StartTimesTest() { set_zone("CET-1CEST,M3.5.0,M10.5.0/3"); }
  ~StartTimesTest() override {
    if (before)
      ::setenv("TZ", before->c_str(), 1);
    else
      ::unsetenv("TZ");
    ::tzset();
  }
  static void set_zone(const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
  static int64_t utc(int month, int day, int hour, int minute, int second = 0) {
    std::tm time{};
    time.tm_sec = second;
    time.tm_min = minute;
    time.tm_hour = hour;
    time.tm_mday = day;
    time.tm_mon = month - 1;
    time.tm_year = 126;
    return ::timegm(&time) * 1'000'000'000;
  }
  static StartTimes times(const char* text) { return parse_start_times(text).value(); }

  std::optional<std::string> before =
      ::getenv("TZ") != nullptr ? std::optional<std::string>(::getenv("TZ")) : std::nullopt;
};

TEST_F(StartTimesTest, ReadBackAsTheyAreWritten) {
  for (const char* text :
       {"10min", "1h from 08:00", "90s from 08:30 to 20:00", "10min from 22:00 to 06:00", "24h", "5min to 12:00",
        "1h from 08:00 to 08:00", "1h in rounds", "30min from 08:00 to 20:00 in rounds"})
    EXPECT_EQ(to_text(times(text)), text);
  EXPECT_EQ(times("every 10 min from 8:00"), times("10min from 08:00"));
  for (const char* text : {"", "soon", "10min since 8:00", "10min from", "10min from 25:00", "10min from 8",
                           "in rounds", "10min rounds", "10min in rounds from 08:00"})
    EXPECT_THAT(parse_start_times(text).error().text, HasSubstr("expected such as \"10min\"")) << text;
  for (const char* text : {"100ms", "25h", "1500ms"})
    EXPECT_THAT(parse_start_times(text).error().text, HasSubstr("expected 1s to 24h")) << text;
}

TEST_F(StartTimesTest, TheNextOneIsAMultipleOfTheLocalDay) {
  EXPECT_EQ(next_start(times("10min"), utc(1, 15, 13, 3, 7)), utc(1, 15, 13, 10));
  EXPECT_EQ(next_start(times("10min"), utc(1, 15, 13, 10)), utc(1, 15, 13, 20)) << "after, not at";
  EXPECT_EQ(next_start(times("7h"), utc(1, 15, 21, 30)), utc(1, 15, 23, 0)) << "each day begins anew, in its zone";
}

TEST_F(StartTimesTest, AreWithinTheirPartOfTheDay) {
  const StartTimes day = times("10min from 08:05 to 20:00");
  EXPECT_EQ(starts_a_day(day), 72u);
  EXPECT_EQ(next_start(day, utc(1, 15, 3, 0)), utc(1, 15, 7, 5));
  EXPECT_EQ(next_start(day, utc(1, 15, 18, 55)), utc(1, 16, 7, 5)) << "19:55 was the last";
  const StartTimes night = times("1h from 22:00 to 06:00");
  EXPECT_EQ(starts_a_day(night), 9u);
  EXPECT_EQ(next_start(night, utc(1, 15, 22, 30)), utc(1, 15, 23, 0)) << "midnight of the local clock";
  EXPECT_EQ(next_start(night, utc(1, 15, 5, 0)), utc(1, 15, 21, 0));
  EXPECT_EQ(starts_a_day(times("1h from 08:00 to 08:00")), 24u);
}

TEST_F(StartTimesTest, AChangedClockMovesThemWithIt) {
  // 02:00 is followed by 03:00 on March 29, at 01:00 UTC.
  EXPECT_EQ(next_start(times("1h"), utc(3, 29, 0, 30)), utc(3, 29, 1, 0));
  EXPECT_EQ(next_start(times("24h from 02:30"), utc(3, 28, 12, 0)), utc(3, 30, 0, 30)) << "that day has no 02:30";
  EXPECT_EQ(next_start(times("24h from 08:00"), utc(3, 28, 12, 0)), utc(3, 29, 6, 0));
  // 03:00 is 02:00 again on October 25, at 01:00 UTC.
  int64_t at = utc(10, 24, 23, 30);
  for (int hour = 0; hour < 4; hour++) {
    at = next_start(times("1h"), at);
    EXPECT_EQ(at, utc(10, 25, hour, 0));
  }
}

TEST_F(StartTimesTest, ThoseWithoutARunAreCounted) {
  EXPECT_EQ(missed_between(times("10min"), utc(1, 15, 13, 10, 2), utc(1, 15, 13, 20)), 0u);
  EXPECT_EQ(missed_between(times("10min"), utc(1, 15, 13, 10, 2), utc(1, 15, 13, 40)), 2u);
  EXPECT_EQ(missed_between(times("10min from 08:00 to 08:50"), utc(1, 15, 7, 0), utc(1, 17, 7, 0)), 11u);
  EXPECT_EQ(missed_between(times("1h from 22:00 to 06:00"), utc(1, 15, 21, 0), utc(1, 16, 21, 0)), 8u);
  EXPECT_EQ(missed_between(times("10min"), utc(1, 15, 13, 10), utc(1, 15, 13, 10)), 0u) << "a clock that was set";
  EXPECT_EQ(missed_text(1), "1 start time was missed");
}

TEST_F(StartTimesTest, AreSaidWithTheDateOnAnotherDay) {
  EXPECT_EQ(start_text(utc(1, 15, 13, 10), utc(1, 15, 13, 3)), "14:10");
  EXPECT_EQ(start_text(utc(1, 15, 13, 10, 30), utc(1, 15, 13, 3)), "14:10:30");
  EXPECT_EQ(start_text(utc(1, 16, 7, 0), utc(1, 15, 13, 3) + kMinuteNs), "08:00 on 2026-01-16");
}

}  // namespace
}  // namespace n2nq::campaign
