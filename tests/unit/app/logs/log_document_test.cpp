#include "app/logs/log_document.h"

#include <gtest/gtest.h>

#include "app/logs/hit_count.h"
#include "tests/unit/app/logs/await.h"
#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

using n2nq::test::TempDir;
using test::await;
using Origin = PageRequest::Origin;

class LogDocumentTest : public testing::Test {
 protected:
  LogDocumentTest() : path_((folder_ / "receiver-1.log").string()), document_(path_) {
    QObject::connect(&document_, &LogDocument::changed, &document_,
                     [this](FileEvent event) { events_.push_back(event); });
    QObject::connect(&document_, &LogDocument::search_ended, &document_,
                     [this](const SearchOutcome& outcome) { outcomes_.push_back(outcome); });
  }
  const Page& page(const PageRequest& request) {
    document_.ask_page(request);
    EXPECT_TRUE(await([&] { return !document_.page_pending(); }));
    return document_.page();
  }
  SearchOutcome outcome() {
    EXPECT_TRUE(await([&] { return !outcomes_.empty(); }));
    SearchOutcome last = outcomes_.empty() ? SearchOutcome() : outcomes_.back();
    outcomes_.clear();
    return last;
  }
  void open(const std::string& text) {
    test::write_file(path_, text);
    document_.look();
    page({.rows = 10});
  }

  TempDir folder_;
  std::string path_;
  std::vector<FileEvent> events_;
  std::vector<SearchOutcome> outcomes_;
  LogDocument document_;
};

TEST_F(LogDocumentTest, WaitsForAFileThatIsNotThere) {
  document_.look();
  EXPECT_FALSE(document_.is_open());
  EXPECT_TRUE(events_.empty());
  document_.ask_page({.rows = 10});
  EXPECT_FALSE(document_.page_pending());
  open(test::receiver_log(3));
  EXPECT_EQ(events_, std::vector{FileEvent::appeared});
  EXPECT_EQ(document_.page().rows.size(), 8u);
  EXPECT_EQ(document_.lines(), (LineCount{.value = 8, .exact = true}));
}

TEST_F(LogDocumentTest, ANewerRequestReplacesAnOlderOne) {
  open(test::receiver_log(1'000));
  for (int64_t i = 0; i < 50; ++i) document_.ask_page({.at = i * 500, .rows = 5});
  EXPECT_EQ(page({.origin = Origin::end, .rows = 5}).rows.back().text + "\n", test::kEnd);
}

TEST_F(LogDocumentTest, AFilterFollowsAGrowingFile) {
  open(test::kReceiverHead + test::receiver_row({.index = 1, .sender = 5}));
  document_.set_filter("sender = 5");
  ASSERT_TRUE(await([&] { return !document_.filter_busy(); }));
  EXPECT_EQ(document_.matches(), 1);
  for (int64_t i = 2; i <= 20; ++i) {
    // Half of a line, then the rest.
    const std::string row = test::receiver_row({.index = i, .sender = 5});
    test::append_file(path_, row.substr(0, 9));
    document_.look();
    ASSERT_TRUE(await([&] { return !document_.filter_busy(); }));
    test::append_file(path_, row.substr(9) + test::receiver_row({.index = i, .sender = 6}));
    document_.look();
    ASSERT_TRUE(await([&] { return !document_.filter_busy() && document_.matches() == i; })) << i;
  }
  EXPECT_EQ(page({.origin = Origin::end, .rows = 100}).rows.size(), 20u);
}

TEST_F(LogDocumentTest, AFilterIsSetBeforeThereIsAFile) {
  document_.set_filter("sender = 3");
  EXPECT_EQ(document_.filter_trouble(), "");
  open(test::receiver_log(100));
  ASSERT_TRUE(await([&] { return document_.filtered() && !document_.filter_busy(); }));
  EXPECT_EQ(document_.matches(), 10);
  document_.set_filter("");
  EXPECT_FALSE(document_.filtered());
}

TEST_F(LogDocumentTest, AWrongFilterIsSaidAndShowsAll) {
  open(test::receiver_log(100));
  document_.set_filter("nosuch > 3");
  EXPECT_NE(document_.filter_trouble(), "");
  EXPECT_FALSE(document_.filtered());
}

TEST_F(LogDocumentTest, AReplacedFileIsReadAnewWithTheSameFilter) {
  open(test::receiver_log(100));
  document_.set_filter("sender = 3");
  test::write_file(folder_ / "other", test::receiver_log(50));
  std::filesystem::rename(folder_ / "other", path_);
  document_.look();
  EXPECT_EQ(events_.back(), FileEvent::replaced);
  page({.rows = 10});
  ASSERT_TRUE(await([&] { return document_.filtered() && !document_.filter_busy(); }));
  EXPECT_EQ(document_.matches(), 5);
}

TEST_F(LogDocumentTest, ATruncatedFileIsReadAnew) {
  open(test::receiver_log(1'000));
  test::write_file(path_, test::receiver_log(2));
  document_.look();
  EXPECT_EQ(events_.back(), FileEvent::truncated);
  EXPECT_EQ(page({.rows = 100}).rows.size(), 7u);
}

TEST_F(LogDocumentTest, ADeletedFileStaysReadable) {
  open(test::receiver_log(1'000));
  std::filesystem::remove(path_);
  document_.look();
  EXPECT_EQ(events_.back(), FileEvent::vanished);
  EXPECT_TRUE(document_.is_gone());
  EXPECT_EQ(page({.origin = Origin::end, .rows = 5}).rows.back().text + "\n", test::kEnd);
}

TEST_F(LogDocumentTest, SearchesTellWhatTheyFound) {
  open(test::receiver_log(1'000));
  document_.find({.text = "# end"}, -1, false);
  EXPECT_TRUE(outcome().found);
  document_.find({.text = "nowhere"}, -1, false);
  EXPECT_FALSE(outcome().found);
  document_.find_slowest();
  const SearchOutcome slowest = outcome();
  EXPECT_EQ(slowest.value, 149'836);
  document_.find_line(12);
  EXPECT_EQ(outcome().value, 12);
  document_.find_index(7, -1);
  EXPECT_TRUE(outcome().found);
  document_.copy(0, 1);
  EXPECT_EQ(outcome().text, "# program: n2nq-receiver 0.1.0\n");
  EXPECT_FALSE(document_.searching());
}

TEST_F(LogDocumentTest, AnAnswerIsNotTakenForOneToTheNextSearch) {
  open(test::receiver_log(200'000));
  const auto be_busy = [] {
    for (const auto until = n2nq::test::Deadline::window(std::chrono::milliseconds(100)); !until.passed();) {
    }
  };
  document_.find_line(3);
  be_busy();
  document_.find_slowest();
  be_busy();
  const SearchOutcome slowest = outcome();
  EXPECT_EQ(slowest.kind, SearchOutcome::Kind::slowest);
  EXPECT_TRUE(slowest.found);
}

TEST_F(LogDocumentTest, HitsAreCountedAndNumbered) {
  HitCount hits(document_);
  open(test::receiver_log(1'000));
  hits.set_query(TextQuery{.text = "\t77777\t"});
  EXPECT_TRUE(await([&] { return hits.is_counted(); }));
  EXPECT_EQ(hits.lines(), 0);
  hits.set_query(TextQuery{.text = "SPAY"});
  EXPECT_TRUE(hits.is_asked());
  EXPECT_TRUE(await([&] { return hits.is_counted(); }));
  EXPECT_EQ(hits.lines(), 1'000);
  const auto third = page({.rows = 10}).rows[6].start;  // three lines of the head and the title come first
  hits.set_place(third);
  EXPECT_TRUE(await([&] { return hits.number() == 3; }));
  hits.set_place(0);
  EXPECT_EQ(hits.number(), 0);
  hits.set_query({});
  EXPECT_FALSE(hits.is_asked());
}

TEST_F(LogDocumentTest, HitsFollowTheFileAndTheFilter) {
  HitCount hits(document_);
  open(test::receiver_log(1'000));
  hits.set_query(TextQuery{.text = "spay"});
  EXPECT_TRUE(await([&] { return hits.is_counted(); }));
  document_.set_filter("sender = 3");
  EXPECT_TRUE(await([&] { return hits.is_counted() && hits.lines() == 100; }));
  test::append_file(path_, test::receiver_row({.sender = 3}) + test::receiver_row({.sender = 4}));
  document_.look();
  EXPECT_TRUE(await([&] { return hits.is_counted() && hits.lines() == 101; }));
  test::write_file(path_, test::receiver_log(50));
  document_.look();
  page({.rows = 10});
  EXPECT_TRUE(await([&] { return hits.is_counted() && hits.lines() == 5; }));
}

TEST_F(LogDocumentTest, TheSlowestOfSomeSecondsIsFound) {
  open("# origin_monotonic_ns=1000000000 origin_utc=-\n" + test::receiver_log(1'000));
  document_.find_slowest(RunStretch{.from_ns = 20'000'000, .to_ns = 30'000'000});
  const auto found = outcome();
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.stretch, (RunStretch{.from_ns = 20'000'000, .to_ns = 30'000'000}));
  document_.find_slowest(RunStretch{.from_ns = 900'000'000'000, .to_ns = 910'000'000'000});
  EXPECT_FALSE(outcome().found);
}

TEST_F(LogDocumentTest, AnEstimateOfP99ComesWithAPage) {
  open(test::receiver_log(1'000));
  const auto p99_ns = document_.page().p99_ns;
  ASSERT_TRUE(p99_ns.has_value());
  EXPECT_NEAR(static_cast<double>(*p99_ns), 149'000, 1'000);  // evenly from 50 to 150 us
}

TEST_F(LogDocumentTest, ACancelledSearchSaysNothingLater) {
  open(test::receiver_log(50'000));
  document_.find({.text = "nowhere"}, -1, false);
  document_.cancel();
  EXPECT_TRUE(outcome().cancelled);
  document_.find({.text = "# end"}, -1, false);
  EXPECT_TRUE(outcome().found);
  EXPECT_TRUE(outcomes_.empty());
}

TEST_F(LogDocumentTest, MayGoInTheMiddleOfEverything) {
  test::write_file(path_, test::receiver_log(50'000));
  for (int i = 0; i < 20; ++i) {
    LogDocument document(path_);
    document.look();
    document.ask_page({.rows = 40});
    document.set_filter("sender = 3");
    document.find({.text = "nowhere"}, -1, i % 2 == 0);
    QCoreApplication::processEvents();
  }
}

}  // namespace
}  // namespace n2nq::logs
