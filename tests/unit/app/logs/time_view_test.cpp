#include "app/logs/time_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

using testing::ElementsAre;

constexpr const char* kOriginLine = "# origin_monotonic_ns=5000000000 origin_utc=2026-11-20T12:00:00.000000000Z\n";
// The sender's clock is 3 s behind: received at 5.25 s, the latency is 250 us, sent at 2.24975 s by the other clock.
constexpr const char* kRow = "7\t3\t4096\t2249740000\t2249750000\t5250000000\t250000\t-\thello";

TimeView view_of(TimeBase base) {
  return {LogLayout::read(kOriginLine + test::kReceiverHead), base};
}

TEST(TimeView, TheRunsStartIsReadOffTheHead) {
  EXPECT_EQ(LogLayout::read(kOriginLine + test::kReceiverHead).origin_ns(), 5'000'000'000);
  EXPECT_EQ(LogLayout::read(test::kReceiverHead).origin_ns(), std::nullopt);
  EXPECT_EQ(LogLayout::read("# origin_monotonic_ns=- origin_utc=-\n" + test::kReceiverHead).origin_ns(), std::nullopt);
}

TEST(TimeView, MicrosecondsHaveGroupsOfDigitsAndAllNanoseconds) {
  EXPECT_EQ(micros(0), "0.000");
  EXPECT_EQ(micros(1), "0.001");
  EXPECT_EQ(micros(1'234'567'890), "1,234,567.890");
  EXPECT_EQ(micros(-1'234), "-1.234");
}

TEST(TimeView, WhatWasTypedAsShownIsFoundInTheFile) {
  EXPECT_EQ(ns_of_shown("1,234,567.890"), "1234567890");
  EXPECT_EQ(ns_of_shown("0.250"), "250");
  EXPECT_EQ(ns_of_shown("1234567.890"), std::nullopt);
  EXPECT_EQ(ns_of_shown("1.5"), std::nullopt);
  EXPECT_EQ(ns_of_shown("hello"), std::nullopt);
}

TEST(TimeView, SinceTheRunsStartByOneClock) {
  const TimeView view = view_of(TimeBase::run);
  EXPECT_THAT(view.cells(kRow),
              ElementsAre("7", "3", "4,096", "249,740.000", "249,750.000", "250,000.000", "250.000", "-", "hello"));
  EXPECT_EQ(view.title(5), "received [µs]");
  EXPECT_EQ(view.title(6), "latency [µs]");
}

TEST(TimeView, SinceAnotherLine) {
  TimeView view = view_of(TimeBase::line);
  EXPECT_EQ(view.base(), TimeBase::run) << "no line is selected yet";
  view.set_line(kRow);
  EXPECT_EQ(view.base(), TimeBase::line);
  EXPECT_EQ(view.cells(kRow)[5], "0.000");
  EXPECT_EQ(view.cells(kRow)[4], "-250.000");
  EXPECT_EQ(view.cells("8\t3\t10\t0\t0\t5251000000\t1\t-\tx")[5], "1,000.000");
}

TEST(TimeView, OfAClockThatIsNotKnownNothingIsMadeUp) {
  const auto cells = view_of(TimeBase::run).cells("7\t3\t10\t2249740000\t2249750000\t5250000000\t-\t-\tx");
  EXPECT_EQ(cells[4], "-");
  EXPECT_EQ(cells[5], "250,000.000");
}

TEST(TimeView, AsInTheFileNothingIsChanged) {
  const TimeView view = view_of(TimeBase::file);
  EXPECT_EQ(view.cells(kRow)[4], "2249750000");
  EXPECT_EQ(view.title(4), "sent_ns");
}

TEST(TimeView, ALogWithoutTheRunsStartShowsTheClock) {
  const TimeView view(LogLayout::read(test::kSenderHead), TimeBase::run);
  EXPECT_EQ(view.base(), TimeBase::clock);
  EXPECT_EQ(view.cells("1\t1\t50\t-\t1500\t-\tx")[4], "1.500");
}

}  // namespace
}  // namespace n2nq::logs
