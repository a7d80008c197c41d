#include "app/logs/line_filter.h"

#include <gtest/gtest.h>

#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

const LogLayout kReceiver = LogLayout::read(test::kReceiverHead);
const LogLayout kSender = LogLayout::read(test::kSenderHead);

bool passes(const std::string& filter, std::string line, const LogLayout& layout = kReceiver) {
  const auto parsed = parse_filter(filter, layout);
  if (!parsed) ADD_FAILURE() << filter << ": " << parsed.error().text;
  if (!parsed) return false;
  if (line.ends_with('\n')) line.pop_back();
  return LineTest(*parsed, layout).feed({.text = line, .first = true, .last = true, .ended = true});
}

std::string trouble(const std::string& filter, const LogLayout& layout = kReceiver) {
  const auto parsed = parse_filter(filter, layout);
  return parsed ? "" : parsed.error().text;
}

TEST(LogLayout, ColumnsAreThoseOfTheTitle) {
  EXPECT_EQ(kSender.columns(),
            (std::vector<std::string>{"index", "sender", "size_bytes", "intended_ns", "sent_ns", "flags", "content"}));
  EXPECT_TRUE(kSender.complete());
}

TEST(LogLayout, ABrokersLogHasNone) {
  const auto layout = LogLayout::read("2026-11-20T12:24:39.672765Z start n2nq-broker\n");
  EXPECT_FALSE(layout.has_columns());
  EXPECT_TRUE(layout.complete());
}

TEST(LogLayout, AHeadWithoutItsTitleMayStillGetOne) {
  EXPECT_FALSE(LogLayout::read("# program: n2nq-sender\nindex\tsen").complete());
}

TEST(LineFilter, ComparesColumnsByNameWithOrWithoutTheirUnit) {
  const std::string row = test::receiver_row({.index = 7, .sender = 5, .latency_ns = 250'000});
  EXPECT_TRUE(passes("sender = 5", row));
  EXPECT_FALSE(passes("sender = 50", row));
  EXPECT_TRUE(passes("sender != 4", row));
  EXPECT_TRUE(passes("latency > 249us", row));
  EXPECT_FALSE(passes("latency > 250us", row));
  EXPECT_TRUE(passes("latency_ns >= 250000", row));
  EXPECT_TRUE(passes("lat <= 0.25 ms", row));
  EXPECT_TRUE(passes("size < 1KiB", row));
  EXPECT_TRUE(passes("sent = 1007000000", row));
}

TEST(LineFilter, AllPartsMustHold) {
  const std::string row = test::receiver_row({.sender = 5, .latency_ns = 250'000});
  EXPECT_TRUE(passes("sender = 5, latency > 1us, spaywn", row));
  EXPECT_FALSE(passes("sender = 5, latency > 1s", row));
  EXPECT_FALSE(passes("sender = 5, nowhere", row));
}

TEST(LineFilter, FlagsAreWords) {
  const std::string row = test::receiver_row({.flags = "duplicate,corrupt"});
  EXPECT_TRUE(passes("flags = corrupt", row));
  EXPECT_FALSE(passes("flags = corr", row));
  EXPECT_FALSE(passes("flags != duplicate", row));
  EXPECT_TRUE(passes("flags != -", row));
  EXPECT_TRUE(passes("flags = -", test::receiver_row({})));
}

TEST(LineFilter, ATextNeedNotBeInARow) {
  EXPECT_TRUE(passes("PROGRAM", "# program: n2nq-receiver"));
  EXPECT_FALSE(passes("sender > 0", "# program: n2nq-receiver"));
  EXPECT_FALSE(passes("sender > 0", "index\tsender\tsize_bytes"));
  EXPECT_FALSE(passes("sender > 0", "7\t5\t50"));
  EXPECT_TRUE(passes("\"a, b = c\"", "x a, b = c x"));
}

TEST(LineFilter, AStampThatIsNotThereIsADash) {
  const std::string row = "1\t1\t50\t-\t100\t-\tabc";
  EXPECT_TRUE(passes("intended = -", row, kSender));
  EXPECT_FALSE(passes("intended > 5", row, kSender));
  EXPECT_FALSE(passes("lateness > 0", row, kSender));
  EXPECT_TRUE(passes("lateness = -", row, kSender));
}

TEST(LineFilter, LatenessIsSentMinusIntended) {
  EXPECT_TRUE(passes("lateness > 1ms", "1\t1\t50\t1000\t1002000\t-\tabc", kSender));
  EXPECT_FALSE(passes("lateness > 1ms", "1\t1\t50\t1000\t2000\t-\tabc", kSender));
  EXPECT_EQ(lateness_ns("1\t1\t50\t1000\t1002000\t-\tabc", kSender), 1'001'000);
}

TEST(LineFilter, WithoutColumnsEverythingIsText) {
  EXPECT_TRUE(passes("port=7461", "start n2nq-broker port=7461 listen", LogLayout::read("plain\n")));
}

TEST(LineFilter, ErrorsSayWhatToWrite) {
  EXPECT_NE(trouble("latncy > 5").find("there is no column \"latncy\"; there are index, sender"), std::string::npos);
  EXPECT_NE(trouble("latency > soon").find("250us"), std::string::npos);
  EXPECT_NE(trouble("sender = five").find("whole number"), std::string::npos);
  EXPECT_NE(trouble("s = 5").find("several columns"), std::string::npos);
  EXPECT_NE(trouble("sender =").find("enter a value"), std::string::npos);
  EXPECT_NE(trouble("flags > again").find("again, duplicate"), std::string::npos);
  EXPECT_NE(trouble("\"\"").find("quotes"), std::string::npos);
}

TEST(LineFilter, NothingTypedIsEverything) {
  EXPECT_TRUE(parse_filter(" , ", kReceiver)->everything());
}

}  // namespace
}  // namespace n2nq::logs
