#include "app/logs/log_search.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

using n2nq::test::TempDir;

class LogSearchTest : public testing::Test {
 protected:
  void make(const std::string& text) {
    text_ = text;
    path_ = test::write_file(folder_ / "a.log", text);
    scope_ = {.file = *OpenFile::open(path_), .lines = std::make_shared<LineIndex>(), .layout = LogLayout::read(text)};
  }
  void filter_by(const std::string& text) { scope_.filter = *parse_filter(text, scope_.layout); }
  int64_t place_of(const std::string& text) const { return static_cast<int64_t>(text_.find(text)); }
  std::optional<FoundLine> find(const std::string& text, int64_t from, bool backwards = false) {
    return find_text(scope_, {.text = text}, from, backwards, watch_);
  }

  TempDir folder_;
  std::string text_, path_;
  SearchScope scope_;
  SearchWatch watch_{.stop = test::never, .progress = [](int64_t, int64_t) {}};
};

TEST_F(LogSearchTest, GoesForwardsAndRoundTheEnd) {
  make("one x\ntwo\nthree x\nfour\n");
  EXPECT_EQ(find("x", -1), (FoundLine{.start = 0, .offset = 4, .wrapped = false}));
  EXPECT_EQ(find("x", 0), (FoundLine{.start = 10, .offset = 16, .wrapped = false}));
  EXPECT_EQ(find("x", 10), (FoundLine{.start = 0, .offset = 4, .wrapped = true}));
  EXPECT_EQ(find("two", 6), (FoundLine{.start = 6, .offset = 6, .wrapped = true})) << "the line itself, at last";
  EXPECT_EQ(find("five", 6), std::nullopt);
}

TEST_F(LogSearchTest, GoesBackwardsAndRoundTheBeginning) {
  make("one x\ntwo\nthree x\nfour\n");
  EXPECT_EQ(find("x", -1, true)->start, 10);
  EXPECT_EQ(find("x", 10, true)->start, 0);
  EXPECT_EQ(find("x", 0, true), (FoundLine{.start = 10, .offset = 16, .wrapped = true}));
  EXPECT_EQ(find("two", 6, true), (FoundLine{.start = 6, .offset = 6, .wrapped = true}));
}

TEST_F(LogSearchTest, BothWaysFindTheSameLines) {
  make(test::receiver_log(20'000));
  std::vector<int64_t> forwards, backwards;
  for (auto hit = find("\t77777\t", -1); hit && !hit->wrapped; hit = find("\t77777\t", hit->start)) {
    forwards.push_back(hit->start);
  }
  for (auto hit = find("\t77777\t", -1, true); hit && !hit->wrapped; hit = find("\t77777\t", hit->start, true)) {
    backwards.push_back(hit->start);
  }
  std::ranges::reverse(backwards);
  EXPECT_EQ(forwards, backwards);
}

TEST_F(LogSearchTest, OnlyLinesThatTheFilterLetsThroughAreFound) {
  make(test::receiver_log(1'000));
  filter_by("sender = 3");
  const auto hit = find("spay", -1);
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->start, place_of("1\t3\t50"));
}

TEST_F(LogSearchTest, FindsATextFarInsideALine) {
  make("a\n" + std::string(5'000'000, 'x') + "needle" + std::string(3'000'000, 'y') + "\nb\n");
  for (const bool backwards : {false, true}) {
    const auto hit = find("NEEDLE", -1, backwards);
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->start, 2);
    EXPECT_EQ(hit->offset, 5'000'002);
  }
}

TEST_F(LogSearchTest, TheSlowestMessageIsTheOneWithTheLargestLatency) {
  std::string text = test::kReceiverHead;
  for (int64_t i = 1; i <= 9'000; ++i)
    text += test::receiver_row({.index = i, .latency_ns = i == 4'321 ? 9'999'999 : i});
  make(text + "1\t1\t50\t-\t-\t-\t-\t-\tabc\n");
  const auto slowest = find_slowest(scope_, {}, watch_);
  ASSERT_TRUE(slowest.has_value());
  EXPECT_EQ(slowest->start, place_of("\n4321\t") + 1);
  EXPECT_EQ(slowest->value_ns, 9'999'999);
  EXPECT_FALSE(slowest->lateness);
  filter_by("index < 4000");
  EXPECT_EQ(find_slowest(scope_, {}, watch_)->value_ns, 3'999);
}

TEST_F(LogSearchTest, OfASenderItIsTheOneMostBehindItsSchedule) {
  make(test::kSenderHead + "1\t1\t50\t100\t200\t-\ta\n2\t1\t50\t300\t900\t-\tb\n3\t1\t50\t-\t99999\t-\tc\n");
  const auto slowest = find_slowest(scope_, {}, watch_);
  ASSERT_TRUE(slowest.has_value());
  EXPECT_EQ(slowest->start, place_of("2\t1\t50"));
  EXPECT_EQ(slowest->value_ns, 600);
  EXPECT_TRUE(slowest->lateness);
}

TEST_F(LogSearchTest, ALogWithoutMessagesHasNoSlowest) {
  make(test::kReceiverHead + test::kEnd);
  EXPECT_FALSE(find_slowest(scope_, {}, watch_).has_value());
  make("2026-11-20T12:24:39.672765Z start n2nq-broker\n");
  EXPECT_FALSE(find_slowest(scope_, {}, watch_).has_value());
}

TEST_F(LogSearchTest, FindsLinesByNumber) {
  make(test::receiver_log(20'000));
  const auto lines = test::naive_lines(text_);
  for (int round = 0; round < 2; ++round) {  // the second time the index knows more
    for (const int64_t number : {1, 2, 5, 1'234, 19'999, 20'005}) {
      const auto found = find_line(scope_, number, watch_);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->number, number);
      EXPECT_EQ(found->start, lines[static_cast<size_t>(number - 1)].start);
    }
    const auto last = find_line(scope_, 99'999'999, watch_);
    EXPECT_EQ(last->number, std::ssize(lines));
    EXPECT_EQ(last->start, lines.back().start);
  }
}

TEST_F(LogSearchTest, TheLastLineMayEndWithABlock) {
  std::string text(static_cast<size_t>(LineIndex::kBlock), 'x');
  text[99] = text.back() = '\n';
  make(text);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(find_line(scope_, 9, watch_)->number, 2);
    EXPECT_EQ(find_line(scope_, 9, watch_)->start, 100);
  }
}

TEST_F(LogSearchTest, FindsRowsByIndex) {
  make(test::receiver_log(1'000));
  const auto first = find_index(scope_, 50, -1, watch_);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->start, place_of("\n50\t1\t") + 1);
  EXPECT_EQ(find_index(scope_, 50, first->start, watch_)->start, place_of("\n50\t2\t") + 1);
  EXPECT_EQ(find_index(scope_, 101, -1, watch_), std::nullopt);
}

TEST_F(LogSearchTest, CopiesWholeLinesThatTheFilterLetsThrough) {
  const std::string longest = test::receiver_row({.index = 2, .sender = 2, .content = std::string(2'500'000, 'z')});
  make(test::receiver_row({}) + longest + test::receiver_row({.index = 3}));
  scope_.layout = LogLayout::read(test::kReceiverHead);
  EXPECT_TRUE(*copy_lines(scope_, 0, 100'000'000, watch_) == text_);
  EXPECT_TRUE(*copy_lines(scope_, 1, place_of("\n3\t"), watch_) == longest);
  filter_by("sender = 1");
  EXPECT_EQ(*copy_lines(scope_, 0, 100'000'000, watch_), test::receiver_row({}) + test::receiver_row({.index = 3}));
}

TEST_F(LogSearchTest, RefusesToCopyMoreThanAClipboardShouldHold) {
  make(std::string(kMostCopied, 'x') + "\n");
  const auto copied = copy_lines(scope_, 0, 100'000'000, watch_);
  ASSERT_FALSE(copied.has_value());
  EXPECT_NE(copied.error().text.find("32.0 MiB"), std::string::npos) << copied.error().text;
}

TEST_F(LogSearchTest, StopsWhenTold) {
  make(test::receiver_log(20'000));
  int looks = 0;
  const SearchWatch impatient{.stop = [&] { return ++looks > 2; }, .progress = [](int64_t, int64_t) {}};
  EXPECT_EQ(find_text(scope_, {.text = "nowhere"}, -1, false, impatient), std::nullopt);
  EXPECT_FALSE(find_slowest(scope_, {}, impatient).has_value());
  EXPECT_FALSE(find_line(scope_, 1'000'000, impatient).has_value());
  EXPECT_FALSE(copy_lines(scope_, 0, 1'000'000, impatient).has_value());
}

// One may take milliseconds a line: nobody waits for the end of a large stretch.
TEST_F(LogSearchTest, AnExpressionIsGivenUpAfterTheLineItIsAt) {
  make(test::receiver_log(1'000));
  int64_t looked_to = 0;
  int looks = 0;
  const SearchWatch impatient{.stop = [&] { return ++looks > 2; },
                              .progress = [&](int64_t done, int64_t) { looked_to = done; }};
  EXPECT_EQ(find_text(scope_, {.text = "nowhere$", .expression = true}, -1, false, impatient), std::nullopt);
  EXPECT_GT(looked_to, 0);
  EXPECT_LT(looked_to, 1'000);
}

TEST_F(LogSearchTest, WhatCannotBeReadIsNotCopied) {
  make(test::receiver_log(10));
  const SearchWatch failing{.stop = test::never, .progress = [&](int64_t, int64_t) {
                              char byte = 0;
                              scope_.file->read_at(-1, {&byte, 1});  // no such place: a read that fails
                            }};
  const auto copied = copy_lines(scope_, 0, 100, failing);
  ASSERT_FALSE(copied.has_value());
  EXPECT_NE(copied.error().text.find("a.log cannot be read further"), std::string::npos) << copied.error().text;
}

TEST_F(LogSearchTest, ASearchThroughTheFileCountsItsLines) {
  make(test::receiver_log(20'000));
  find("nowhere", -1);
  EXPECT_EQ(scope_.lines->total(std::ssize(text_)), (LineCount{.value = 20'005, .exact = true}));
}

}  // namespace
}  // namespace n2nq::logs
