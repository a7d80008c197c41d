// What the list of results does with many of them: filters, stars, tags, campaigns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QToolButton>

#include "app/store/campaign_store.h"
#include "tests/unit/app/results/page_rig.h"
#include "tests/unit/app/store/many_results.h"
#include "tests/unit/app/store/store_watch.h"
#include "ui/results/result_model.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using record::test::example_record;
using test::kPatience;
using testing::ElementsAre;

struct ResultsListTest : test::ResultsPageRig {
  int64_t add_to_campaign(int64_t campaign, uint32_t point, const std::string& name) {
    record::RunRecord record = example_record(name);
    record.campaign = record::CampaignPlace{.campaign = campaign, .point = point, .repeat = 1, .attempt = 1};
    return store->add(record).value();
  }
  void click_cell(int row, int column) {
    QTest::mouseClick(rows().viewport(), Qt::LeftButton, {},
                      rows().visualRect(rows().model()->index(row, column)).center());
  }
  bool starred(int64_t id) {
    const store::ResultListing listing = store->list().value();
    for (const store::ResultRow& row : listing.rows)
      if (row.id == id) return row.starred;
    return false;
  }
  std::vector<std::string> tags(int64_t id) {
    const store::ResultListing listing = store->list().value();
    for (const store::ResultRow& row : listing.rows)
      if (row.id == id) return row.tags;
    return {};
  }
  void filter(const QString& text) { named<QLineEdit>("Filter results").setText(text); }
  // Of a cell's text and of its column, in pixels.
  int text_width(int row, const QString& header) {
    return rows().fontMetrics().horizontalAdvance(cell(row, header)) + theme::kGrid;
  }
  int width(const QString& header) { return rows().columnWidth(column(header)); }
  const ResultModel& model() {
    return *qobject_cast<ResultModel*>(qobject_cast<QSortFilterProxyModel*>(rows().model())->sourceModel());
  }
  // The menu of what is selected; null: none came up.
  QMenu* menu() {
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QApplication::sendEvent(rows().viewport(), &event);
    for (auto* one : page->findChildren<QMenu*>())
      if (one->isVisible()) return one;
    return nullptr;
  }
  static QAction* entry(QMenu& menu, const QString& text) {
    for (QAction* one : menu.actions())
      if (one->text() == text) return one;
    return nullptr;
  }
};

TEST_F(ResultsListTest, AFilterThatIsClearedLeavesTheNewestSelected) {
  add("first");
  add("second");
  show_page();
  auto& compare = named<QPushButton>("Compare");
  EXPECT_TRUE(compare.isVisible());
  filter("nothing is called this");
  ASSERT_TRUE(QTest::qWaitFor([&] { return !compare.isVisible(); }, kPatience)) << "of no result";
  filter("");
  ASSERT_TRUE(QTest::qWaitFor([&] { return compare.isVisible() && tabs().isVisible(); }, kPatience));
  EXPECT_EQ(named<QLabel>("Plan of the result").text(), "second");
}

TEST_F(ResultsListTest, AClickOnTheStarStarsThatRun) {
  const int64_t older = add("older"), newer = add("newer");
  show_page();
  click_cell(1, 0);
  EXPECT_TRUE(starred(older));
  EXPECT_FALSE(starred(newer));
  EXPECT_EQ(rows().model()->index(1, 0).data(Qt::AccessibleTextRole), "starred");
  click_cell(1, 0);
  EXPECT_FALSE(starred(older));
}

TEST_F(ResultsListTest, SStarsAllThatAreSelectedAndTakesTheStarFromAllThatHaveIt) {
  const int64_t one = add("one"), two = add("two");
  ASSERT_TRUE(store->set_starred({one}, true));
  show_page();
  rows().selectAll();
  QTest::keyClick(&rows(), Qt::Key_S);
  EXPECT_TRUE(starred(one) && starred(two));
  QTest::keyClick(&rows(), Qt::Key_S);
  EXPECT_FALSE(starred(one) || starred(two));
}

TEST_F(ResultsListTest, ShowsOnlyWhatHasAStar) {
  add("one");
  const int64_t two = add("two");
  ASSERT_TRUE(store->set_starred({two}, true));
  show_page();
  QTest::mouseClick(&named<QToolButton>("Starred only"), Qt::LeftButton);
  EXPECT_EQ(plans(), QStringList({"two"}));
  QTest::keyClick(&rows(), Qt::Key_S);
  EXPECT_EQ(plans(), QStringList()) << "it has none any more";
  EXPECT_TRUE(named<QLabel>("Results shown").text().startsWith("0 of 2 results"));
  QTest::mouseClick(&named<QToolButton>("Starred only"), Qt::LeftButton);
  EXPECT_EQ(plans().size(), 2);
}

TEST_F(ResultsListTest, TagsAreKeptAsTheyAreTypedAndFoundByTheFilter) {
  const int64_t one = add("one");
  add("two");
  show_page();
  rows().selectRow(1);
  QTest::keyClick(&rows(), Qt::Key_Return);  // loaded at once
  auto& line = named<QLineEdit>("Tags of this result");
  QTest::keyClicks(&line, "Night , cable 2");
  QTest::keyClick(&line, Qt::Key_Return);
  EXPECT_THAT(tags(one), ElementsAre("Night", "cable 2"));
  EXPECT_EQ(line.text(), "Night, cable 2");
  EXPECT_EQ(cell(1, "Tags"), "Night, cable 2");
  filter("night");
  EXPECT_EQ(plans(), QStringList({"one"}));
}

TEST_F(ResultsListTest, TagsThatAreTypedAreKeptForTheirRunWhenAnotherIsChosen) {
  const int64_t one = add("one"), two = add("two");
  show_page();
  auto& line = named<QLineEdit>("Tags of this result");
  line.setText("late");
  rows().selectRow(1);
  ASSERT_TRUE(QTest::qWaitFor([&] { return line.text().isEmpty(); }, kPatience));
  EXPECT_THAT(tags(two), ElementsAre("late"));
  EXPECT_THAT(tags(one), ElementsAre());
}

TEST_F(ResultsListTest, ATagThatIsNoneIsSaid) {
  add("one");
  show_page();
  auto& line = named<QLineEdit>("Tags of this result");
  QTest::keyClicks(&line, QString(70, 'x'));
  QTest::keyClick(&line, Qt::Key_Return);
  EXPECT_TRUE(said("The tags were not saved: the tag "));
  EXPECT_EQ(line.text().size(), 70) << "what was typed is not lost";
}

TEST_F(ResultsListTest, SeveralAreTaggedTogether) {
  const int64_t one = add("one"), two = add("two"), three = add("three");
  ASSERT_TRUE(store->set_tags(one, {"night"}));
  ASSERT_TRUE(store->set_tags(two, {"night"}));
  ASSERT_TRUE(store->set_tags(three, {"day"}));
  show_page();
  rows().selectAll();
  QMenu* all = menu();
  ASSERT_NE(all, nullptr);
  QMenu* of_tags = entry(*all, "Tags")->menu();
  ASSERT_NE(of_tags, nullptr);
  EXPECT_FALSE(entry(*of_tags, "night")->isChecked());
  entry(*of_tags, "night")->trigger();
  EXPECT_THAT(tags(three), ElementsAre("day", "night"));
  delete all;
  all = menu();
  QAction* night = entry(*entry(*all, "Tags")->menu(), "night");
  EXPECT_TRUE(night->isChecked()) << "all have it now";
  night->trigger();
  EXPECT_THAT(tags(one), ElementsAre());
  EXPECT_THAT(tags(three), ElementsAre("day"));
}

TEST_F(ResultsListTest, ANewTagIsAskedFor) {
  const int64_t one = add("one"), two = add("two");
  show_page();
  rows().selectAll();
  entry(*entry(*menu(), "Tags")->menu(), "New tag…")->trigger();
  auto* dialog = page->findChild<QInputDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->setTextValue("cable 2, night");
  dialog->accept();
  EXPECT_THAT(tags(one), ElementsAre("cable 2", "night"));
  EXPECT_THAT(tags(two), ElementsAre("cable 2", "night"));
}

TEST_F(ResultsListTest, FindsWhatWasJustWrittenInTheNotes) {
  add("one");
  add("two");
  show_page();
  tabs().setCurrentIndex(7);
  QTest::keyClicks(&named<QPlainTextEdit>("Notes on this result"), "Switch was warm");
  ASSERT_TRUE(QTest::qWaitFor([&] { return said("saved") && !said("not saved yet"); }, kPatience));
  filter("warm");
  EXPECT_EQ(plans(), QStringList({"two"}));
}

TEST_F(ResultsListTest, ShowsTheRunsOfOneCampaignOrOfNone) {
  auto campaigns = store::CampaignStore::open(store->path()).value();
  const int64_t sizes = campaigns->add("sizes", "{}").value(), delays = campaigns->add("delays", "{}").value();
  add("alone");
  add_to_campaign(sizes, 2, "sizes 2");
  add_to_campaign(sizes, 1, "sizes 1");
  add_to_campaign(delays, 1, "delays 1");
  show_page();
  auto& choice = named<QComboBox>("Campaign of the results");
  ASSERT_TRUE(choice.isVisible());
  QStringList entries;
  for (int i = 0; i < choice.count(); i++) entries.append(choice.itemText(i));
  EXPECT_EQ(entries,
            QStringList({"All results", "delays, campaign 2 (1)", "sizes, campaign 1 (2)", "No campaign (1)"}));
  rows().sortByColumn(column("Campaign"), Qt::AscendingOrder);
  EXPECT_EQ(plans(), QStringList({"alone", "sizes 1", "sizes 2", "delays 1"}));
  EXPECT_EQ(cell(1, "Campaign"), "#1 sizes 1.1");
  choice.setCurrentIndex(2);
  EXPECT_EQ(plans(), QStringList({"sizes 1", "sizes 2"}));
  page->reload();
  EXPECT_EQ(plans(), QStringList({"sizes 1", "sizes 2"})) << "what was chosen stays";
  choice.setCurrentIndex(3);
  EXPECT_EQ(plans(), QStringList({"alone"}));
}

TEST_F(ResultsListTest, LeavesRoomForThePlansNamesHoweverNarrow) {
  add("thesis 1 (quick): 100B, 100");
  show_page();
  const int least = rows().fontMetrics().horizontalAdvance("thesis 1 (quick): 100B, 100");
  for (const int width : {1600, 640, 1600}) {
    page->resize(width, 600);
    QCoreApplication::processEvents();
    EXPECT_GE(rows().columnWidth(column("Plan")), least) << width;
    EXPECT_EQ(rows().horizontalScrollBar()->maximum() > 0, width == 640) << "what does not fit is scrolled to";
  }
}

TEST_F(ResultsListTest, ShowsAllOfANameThatIsALittleLonger) {
  const char* name = "untitled over Kafka and JetStream";
  add(name);
  show_page();
  page->resize(1100, 600);
  QCoreApplication::processEvents();
  EXPECT_GT(rows().columnWidth(column("Plan")), rows().fontMetrics().horizontalAdvance(name) + 8);
}

TEST_F(ResultsListTest, HasNoColumnThatIsEmptyInAllRows) {
  const int64_t id = add("one");
  show_page();
  EXPECT_TRUE(rows().isColumnHidden(column("Tags")));
  EXPECT_TRUE(rows().isColumnHidden(column("Campaign")));
  EXPECT_FALSE(named<QComboBox>("Campaign of the results").isVisible());
  ASSERT_TRUE(store->set_tags(id, {"night"}));
  page->reload();
  EXPECT_FALSE(rows().isColumnHidden(column("Tags")));
}

TEST_F(ResultsListTest, ARunThatTheFilterHidesIsFoundAllTheSame) {
  const int64_t id = add("one");
  add("two");
  show_page();
  QTest::mouseClick(&named<QToolButton>("Starred only"), Qt::LeftButton);
  ASSERT_EQ(plans(), QStringList());
  page->choose(id);
  EXPECT_EQ(cell(rows().currentIndex().row(), "Plan"), "one");
}

// Of ten thousand, what is in sight is made, and nothing twice.
TEST_F(ResultsListTest, TenThousandCostWhatIsInSight) {
  const std::string path = (dir / "many.sqlite").string();
  store::test::make_results(path, 10'000, 100);
  store::test::StoreWatch watch;
  store = store::ResultStore::open(path).value();
  watch.start_anew();
  show_page();
  ASSERT_EQ(rows().model()->rowCount(), 10'000);
  EXPECT_LE(watch.statements(), 40) << "to list them, and to load the one that is shown";
  const int64_t in_sight = (rows().viewport()->height() / rows().rowHeight(0) + 2) * rows().model()->columnCount();
  EXPECT_GT(model().cells_made(), 0);
  EXPECT_LE(model().cells_made(), 6 * in_sight) << "while the page came to its size";
  EXPECT_EQ(model().words_made(), 0);

  int64_t before = model().cells_made();
  rows().sortByColumn(column("Plan"), Qt::AscendingOrder);
  rows().repaint();
  EXPECT_LE(model().cells_made() - before, 3 * in_sight);
  EXPECT_EQ(cell(0, "Plan"), "run 1");

  const int64_t statements = watch.statements();
  before = model().cells_made();
  filter("night");
  EXPECT_EQ(rows().model()->rowCount(), 2'000);
  EXPECT_EQ(model().words_made(), 10'000);
  filter("night failed");
  EXPECT_EQ(rows().model()->rowCount(), 500);
  EXPECT_EQ(model().words_made(), 10'000) << "made once";
  EXPECT_LE(model().cells_made() - before, 6 * in_sight);
  QTest::mouseClick(&named<QToolButton>("Starred only"), Qt::LeftButton);
  EXPECT_EQ(rows().model()->rowCount(), 500);
  EXPECT_EQ(watch.statements(), statements) << "nothing is read to filter and to sort";
}

TEST_F(ResultsListTest, LatenciesHaveOneUnitAndTheSameDecimalsAndAreSortedByValue) {
  for (const auto& [name, ns] : {std::pair{"slow", 2'500'000'000}, std::pair{"fast", int64_t{80'300}},
                                 std::pair{"middling", int64_t{1'134'000}}}) {
    record::RunRecord record = example_record(name);
    record.latencies[Latency::latency].p50 = ns;
    record.latencies[Latency::scheduled_latency] = record.latencies[Latency::latency];
    record.folder = (dir / "run").string();
    ASSERT_TRUE(store->add(record));
  }
  show_page();
  rows().sortByColumn(column("p50"), Qt::AscendingOrder);
  EXPECT_EQ(plans(), QStringList({"fast", "middling", "slow"}));
  EXPECT_EQ(cell(0, "p50"), "0.080");
  EXPECT_EQ(cell(1, "p50"), "1.134");
  EXPECT_EQ(cell(2, "p50"), "2,500.000");
}

TEST_F(ResultsListTest, SaysWhichSendLatenciesAreFromWhereSomeAreFromTheIntendedOne) {
  record::RunRecord record = example_record("quiet");
  record.folder = (dir / "run").string();
  ASSERT_TRUE(store->add(record));
  record.plan.name = "late";
  record.latencies[Latency::scheduled_latency].p50 = 8'174'700'000;
  ASSERT_TRUE(store->add(record));
  show_page();
  rows().sortByColumn(column("p50"), Qt::AscendingOrder);
  EXPECT_EQ(plans(), QStringList({"quiet", "late"}));
  EXPECT_EQ(cell(0, "From"), "actual");
  EXPECT_EQ(cell(1, "From"), "intended");
  EXPECT_EQ(cell(1, "p50"), "8,174.700");
}

TEST_F(ResultsListTest, NumbersStandInTheListAndInTheDetails) {
  add("one");
  const int64_t two = add("two");
  show_page();
  EXPECT_EQ(cell(0, "#"), QString::number(two));
  EXPECT_EQ(named<QLabel>("Number of the result").text(), QString("#%1").arg(two));
  EXPECT_EQ(rows().textElideMode(), Qt::ElideMiddle) << "points of a campaign have the same beginning";
}

TEST_F(ResultsListTest, AFilterSinglesOutAPoint) {
  const int64_t wanted = add("thesis-1: 4kB, 10");
  add("thesis-1: 4kB, 100");
  add("thesis-1: 16kB, 10");
  record::RunRecord ten = example_record("thesis-1: 4kB, 20");
  ten.started_utc_ns = 1'772'359'810'000'000'000;  // in the tenth minute and second of an hour
  ten.folder = (dir / "run").string();
  ASSERT_TRUE(store->add(ten));
  show_page();
  filter("4kB, 10");
  EXPECT_EQ(plans(), QStringList({"thesis-1: 4kB, 10"}));
  filter(QString("#%1").arg(wanted));
  EXPECT_EQ(plans(), QStringList({"thesis-1: 4kB, 10"}));
  filter(theme::qt(record::local_time(ten.started_utc_ns)));
  EXPECT_EQ(plans(), QStringList({"thesis-1: 4kB, 20"})) << "a date and a time of day";
}

TEST_F(ResultsListTest, HomeAndEndGoToTheFirstAndTheLastRow) {
  for (const char* name : {"one", "two", "three"}) add(name);
  show_page();
  rows().setFocus();
  QTest::keyClick(&rows(), Qt::Key_End);
  EXPECT_EQ(rows().currentIndex().row(), 2);
  EXPECT_TRUE(rows().selectionModel()->isRowSelected(2));
  QTest::keyClick(&rows(), Qt::Key_Home);
  EXPECT_EQ(rows().currentIndex().row(), 0);
  EXPECT_FALSE(rows().selectionModel()->isRowSelected(2));
}

TEST_F(ResultsListTest, ColumnsOfWordsAreAsWideAsTheirWordsSoThatPlansHaveRoom) {
  record::RunRecord passing = example_record("a plan with a name");
  passing.verdict = record::Verdict::passed;
  passing.folder = (dir / "run").string();
  ASSERT_TRUE(store->add(passing));
  show_page();
  EXPECT_GE(width("Plan"), text_width(0, "Plan"));
  const int passed = width("Verdict");
  EXPECT_GE(passed, text_width(0, "Verdict") + 3 * theme::kGrid) << "with its icon";
  record::RunRecord lost = example_record("lossy");
  lost.verdict = record::Verdict::lost_allowed;
  lost.folder = (dir / "run").string();
  ASSERT_TRUE(store->add(lost));
  page->reload();
  EXPECT_TRUE(QTest::qWaitFor([&] { return rows().model()->rowCount() == 2; }, kPatience));
  EXPECT_GT(width("Verdict"), passed) << "a longer verdict is shown whole";
}

}  // namespace
}  // namespace n2nq::ui
