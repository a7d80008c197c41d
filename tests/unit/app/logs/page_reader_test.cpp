#include "app/logs/page_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

using n2nq::test::TempDir;
using test::NaiveLine;

class PageReaderTest : public testing::Test {
 protected:
  void make(const std::string& text) {
    text_ = text;
    path_ = test::write_file(folder_ / "receiver-1.log", text);
    file_ = *OpenFile::open(path_);
    lines_ = std::make_shared<LineIndex>();
    reader_ = std::make_unique<PageReader>(file_, lines_);
  }
  Page read(const PageRequest& request) { return *reader_->read(request, filter_, test::never); }
  void filter_by(const std::string& text) {
    const auto layout = LogLayout::read(text_);
    filter_ = std::make_shared<FilterIndex>(*parse_filter(text, layout), layout);
    filter_->scan(*file_, *lines_, test::never, [] {});
  }
  std::vector<int64_t> shown_lines() const {
    std::vector<int64_t> numbers;
    const auto layout = LogLayout::read(text_);
    LineTest test(filter_ ? filter_->filter() : LineFilter(), layout);
    int64_t number = 0;
    for (const NaiveLine& line : test::naive_lines(text_)) {
      number++;
      if (test.feed({.start = line.start, .offset = line.start, .text = line.text, .first = true, .last = true})) {
        numbers.push_back(number);
      }
    }
    return numbers;
  }
  static std::vector<int64_t> numbers(const Page& page) {
    std::vector<int64_t> numbers;
    for (const PageRow& row : page.rows) numbers.push_back(row.number.value);
    return numbers;
  }
  // The page of `rows` shown lines that begins with number `first` of them, or as late as it can.
  std::vector<int64_t> expected(int64_t first, int64_t rows) const {
    const auto shown = shown_lines();
    first = std::max<int64_t>(std::min(first, std::ssize(shown) - rows), 0);
    const int64_t last = std::min(first + rows, std::ssize(shown));
    return {shown.begin() + first, shown.begin() + last};
  }

  TempDir folder_;
  std::string text_, path_;
  std::shared_ptr<const OpenFile> file_;
  std::shared_ptr<LineIndex> lines_;
  std::shared_ptr<FilterIndex> filter_;
  std::unique_ptr<PageReader> reader_;
};

using Origin = PageRequest::Origin;

TEST_F(PageReaderTest, ASmallFileIsKnownExactly) {
  make(test::receiver_log(20));
  const Page page = read({.rows = 10});
  ASSERT_EQ(page.rows.size(), 10u);
  EXPECT_EQ(page.rows[0].text, "# program: n2nq-receiver 0.1.0");
  EXPECT_EQ(page.rows[9].number, (LineCount{.value = 10, .exact = true}));
  EXPECT_EQ(page.lines, (LineCount{.value = 25, .exact = true}));
  EXPECT_TRUE(page.finished);
  EXPECT_TRUE(page.layout.has_columns());
}

TEST_F(PageReaderTest, APageIsWhatItsRequestSays) {
  make(test::receiver_log(20'000));
  const auto lines = test::naive_lines(text_);
  read({.rows = 1});
  for (const std::string filter : {"", "sender = 3", "latency > 149us", "lines_not_written"}) {
    if (!filter.empty()) filter_by(filter);
    const auto shown = shown_lines();
    std::mt19937 random(3);  // NOLINT: the same every time
    for (int i = 0; i < 40; ++i) {
      const auto nth = static_cast<int64_t>(random() % shown.size());
      const auto skip = static_cast<int64_t>(random() % 200) - 100;
      const int64_t first = std::clamp<int64_t>(nth + skip, 0, std::ssize(shown) - 1);
      const auto& line = lines[static_cast<size_t>(shown[static_cast<size_t>(nth)] - 1)];
      const int64_t inside = static_cast<int64_t>(random() % (line.text.size() + 1));
      const Page page = read({.at = line.start + inside, .skip = skip, .rows = 30});
      ASSERT_EQ(page.rows.size(), static_cast<size_t>(std::min<int64_t>(30, std::ssize(shown))));
      std::vector<std::string> texts, wanted;
      for (const PageRow& row : page.rows) texts.push_back(row.text);
      for (const int64_t number : expected(first, 30)) wanted.push_back(lines[static_cast<size_t>(number - 1)].text);
      ASSERT_EQ(texts, wanted) << filter << " " << nth << " " << skip;
      if (!filter.empty()) {
        EXPECT_EQ(numbers(page), expected(first, 30)) << "numbers are exact once all was looked at";
        EXPECT_EQ(page.ordinal, std::ranges::find(shown, numbers(page)[0]) - shown.begin());
      }
    }
  }
}

TEST_F(PageReaderTest, MatchesAreFoundByTheirNumber) {
  make(test::receiver_log(20'000));
  filter_by("sender = 3");
  const auto shown = shown_lines();
  for (const int64_t nth : {0, 1, 700, 1500, 1999}) {
    const Page page = read({.origin = Origin::ordinal, .at = nth, .rows = 1});
    ASSERT_EQ(page.rows.size(), 1u);
    EXPECT_EQ(page.rows[0].number.value, shown[static_cast<size_t>(nth)]);
  }
}

TEST_F(PageReaderTest, TheEndIsTheLastLines) {
  make(test::receiver_log(20'000));
  EXPECT_EQ(read({.origin = Origin::end, .rows = 5}).rows.back().text + "\n", test::kEnd);
  filter_by("sender = 10");
  EXPECT_EQ(numbers(read({.origin = Origin::end, .rows = 5})), expected(1'999'999, 5));
}

TEST_F(PageReaderTest, AnEmptyFileHasAnEmptyPage) {
  make("");
  EXPECT_TRUE(read({.rows = 10}).rows.empty());
  EXPECT_TRUE(read({.origin = Origin::end, .rows = 10}).rows.empty());
  filter_by("anything");
  EXPECT_TRUE(read({.origin = Origin::end, .rows = 10}).rows.empty());
}

TEST_F(PageReaderTest, AFilterThatNothingPassesShowsNothing) {
  make(test::receiver_log(5'000));
  filter_by("sender = 77");
  EXPECT_TRUE(read({.at = 200'000, .rows = 10}).rows.empty());
  EXPECT_TRUE(read({.origin = Origin::end, .rows = 10}).rows.empty());
  EXPECT_TRUE(read({.origin = Origin::ordinal, .at = 5, .rows = 10}).rows.empty());
}

TEST_F(PageReaderTest, LongLinesAreCutAndTheirLengthIsKnownWhereTheNextBegins) {
  make("short\n" + std::string(3'000'000, 'x') + "\nlast\n");
  const Page page = read({.rows = 3});
  ASSERT_EQ(page.rows.size(), 3u);
  EXPECT_EQ(page.rows[1].text, std::string(static_cast<size_t>(PageRow::kShown), 'x'));
  EXPECT_EQ(page.rows[1].length, 3'000'000);
  EXPECT_EQ(page.rows[2].text, "last");
}

// A request that a newer one has ended leaves nothing half known.
TEST_F(PageReaderTest, WhatADroppedRequestDidNotSeeTheNextOneLooksFor) {
  for (int looks_left = 0; looks_left < 16; ++looks_left) {
    make(test::receiver_log(20'000));
    const Page whole = read({.origin = Origin::live_end, .rows = 10});
    make(test::receiver_log(20'000));
    int left = looks_left;
    reader_->read({.origin = Origin::live_end, .rows = 10}, filter_, [&left] { return left-- <= 0; });
    const Page page = read({.origin = Origin::live_end, .rows = 10});
    EXPECT_TRUE(page.finished) << looks_left;
    EXPECT_EQ(page.rows, whole.rows) << looks_left;
    EXPECT_EQ(page.lines, whole.lines) << looks_left;
  }
}

TEST_F(PageReaderTest, NoMoreIsReadThanAllowed) {
  make("short\n" + std::string(3'000'000, 'x') + "\nlast\n");
  const int64_t before = test::bytes_read_so_far();
  const Page page = read({.rows = 3, .allowance = 100'000});
  EXPECT_FALSE(page.complete);
  ASSERT_EQ(page.rows.size(), 2u);
  EXPECT_LT(test::bytes_read_so_far() - before, 300'000);
  EXPECT_EQ(read({.rows = 3}).rows.size(), 3u);
}

TEST_F(PageReaderTest, OfAGrowingFileOnlyWhatIsNewIsRead) {
  make(test::kReceiverHead);
  read({.origin = Origin::end, .rows = 40});
  const int64_t before = test::bytes_read_so_far();
  int64_t added = 0;
  for (int64_t i = 1; i <= 2'000; ++i) {
    const std::string row = test::receiver_row({.index = i});
    test::append_file(path_, row);
    added += std::ssize(row);
    const Page page = read({.origin = Origin::end, .rows = 40});
    ASSERT_EQ(page.rows.back().text + "\n", row);
    ASSERT_EQ(page.rows.back().number, (LineCount{.value = 4 + i, .exact = true}));
  }
  EXPECT_LT(test::bytes_read_so_far() - before, added + 10'000);
}

TEST_F(PageReaderTest, ALineThatIsStillBeingWrittenIsShownAsFarAsItIs) {
  make(test::kReceiverHead + "1\t2\t3");
  EXPECT_EQ(read({.origin = Origin::end, .rows = 1}).rows.back().text, "1\t2\t3");
  test::append_file(path_, "\t4");
  EXPECT_EQ(read({.origin = Origin::end, .rows = 1}).rows.back().text, "1\t2\t3\t4");
}

TEST_F(PageReaderTest, EstimatesDoNotContradictEachOther) {
  make(test::kReceiverHead + test::receiver_row({.content = std::string(3'000'000, 'q')}) + test::receiver_log(2'000));
  const Page end = read({.origin = Origin::end, .rows = 30});
  EXPECT_FALSE(end.lines.exact);
  EXPECT_EQ(end.rows.back().number.value, end.lines.value);
  EXPECT_GT(end.lines.value, 500) << "not all samples lie in the long line";
  const Page middle = read({.at = 3'050'000, .rows = 30});
  EXPECT_LT(middle.rows.back().number.value, middle.lines.value);
}

TEST_F(PageReaderTest, WindowsLineEndsAreNotShown) {
  make("one\r\ntwo\r\n");
  const Page page = read({.rows = 2});
  EXPECT_EQ(page.rows[0].text, "one");
  EXPECT_EQ(page.rows[1].text, "two");
}

TEST_F(PageReaderTest, AFileCutShortUnderItIsSurvived) {
  make(test::receiver_log(20'000));
  filter_by("sender = 3");
  read({.at = 1'000'000, .rows = 40});
  std::filesystem::resize_file(path_, 1000);
  read({.at = 1'000'000, .rows = 40});
  filter_ = nullptr;
  read({.at = 1'000'000, .rows = 40});
  EXPECT_LE(read({.origin = Origin::end, .rows = 40}).size, 1000);
}

}  // namespace
}  // namespace n2nq::logs
