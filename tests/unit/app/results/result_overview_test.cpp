// What is seen of results first: an invitation where there are none, the headline figures, the picture, the fold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

#include "tests/unit/app/results/page_rig.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_view.h"
#include "ui/results/interval_bar.h"
#include "ui/results/result_headlines.h"
#include "ui/theme/buttons.h"
#include "ui/theme/chip.h"
#include "ui/theme/invitation.h"
#include "ui/theme/sparkline.h"
#include "ui/theme/tile.h"

namespace n2nq::ui {
namespace {

using record::test::example_record;
using test::kPatience;
using testing::HasSubstr;

struct ResultOverviewTest : test::ResultsPageRig {
  theme::Tile& tile(const QString& name) { return named<theme::Tile>("Tile " + name); }
  bool invites() { return page->findChild<theme::Invitation*>()->isVisible(); }
  static theme::ButtonKind kind(const QPushButton& button) { return theme::kind_of(&button); }
};

TEST_F(ResultOverviewTest, AnEmptyPageInvitesToARunOrAnImport) {
  show_page();
  ASSERT_TRUE(invites());
  EXPECT_FALSE(rows().isVisible());
  QSignalSpy run(page.get(), &ResultsPage::run_wanted), import(page.get(), &ResultsPage::import_wanted);
  press("Start a run");
  EXPECT_EQ(run.size(), 1);
  press("Import an archive of results");
  EXPECT_EQ(import.size(), 1);
  EXPECT_EQ(kind(named<QPushButton>("Start a run")), theme::ButtonKind::primary);
  add("one");
  page->reload();
  EXPECT_FALSE(invites());
  EXPECT_TRUE(rows().isVisible());
  press("Import results");
  EXPECT_EQ(import.size(), 2);
}

TEST_F(ResultOverviewTest, TheKeyOfUndoWorksWhereTheLastResultWasDeleted) {
  add("one");
  show_page();
  rows().setFocus();
  QTest::keyClick(&rows(), Qt::Key_Delete);
  ASSERT_TRUE(invites());
  QWidget* focused = page->window()->focusWidget();
  ASSERT_NE(focused, nullptr);
  EXPECT_EQ(focused->accessibleName(), "Start a run");
  QTest::keyClick(focused, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_FALSE(invites());
  EXPECT_EQ(plans(), QStringList({"one"}));
}

TEST_F(ResultOverviewTest, AResultBeginsWithFiveFiguresAndItsVerdict) {
  add("quick");
  show_page();
  EXPECT_EQ(tile("Sent").value(), "1,000");
  EXPECT_EQ(tile("Received").value(), "992");
  EXPECT_EQ(tile("Latency p50").value(), "80.0");
  EXPECT_EQ(tile("Latency p99").unit(), "µs");
  EXPECT_EQ(tile("Lost").value(), "8");
  EXPECT_EQ(tile("Lost").state(), theme::TileState::warning);
  EXPECT_EQ(named<theme::Chip>("Verdict").text(), "lost as the plan allows");
  EXPECT_EQ(named<QLabel>("Plan of the result").text(), "quick");
}

TEST_F(ResultOverviewTest, ATileOpensWhatItStandsFor) {
  add("quick");
  show_page();
  QTest::mouseClick(&tile("Latency p99"), Qt::LeftButton);
  EXPECT_EQ(tabs().currentIndex(), 1);
  EXPECT_EQ(named<QTabBar>("Figure of the result").currentIndex(), 2) << "latency over time";
  QTest::keyClick(&tile("Sent"), Qt::Key_Space);
  EXPECT_EQ(named<QTabBar>("Figure of the result").currentIndex(), 1) << "rate";
  QTest::mouseClick(&tile("Lost"), Qt::LeftButton);
  EXPECT_EQ(tabs().currentIndex(), 4);
}

TEST_F(ResultOverviewTest, ThePictureComesFirstAndTheTablesAreFolded) {
  add("quick");
  show_page();
  std::vector<std::string> seen;
  for (auto* view : page->findChildren<charts::FigureView*>())
    if (view->isVisible()) seen.push_back(view->figure().id);
  EXPECT_THAT(seen, testing::ElementsAre("latency-by-percentile"));
  EXPECT_TRUE(named<QTableView>("Changed settings").isVisible());
  auto& totals = named<QTableView>("Totals");
  EXPECT_FALSE(totals.isVisible());
  press("All figures of the result");
  EXPECT_TRUE(totals.isVisible());
  EXPECT_TRUE(named<QTableView>("Computer").isVisible());
  EXPECT_EQ(totals.verticalScrollBar()->maximum(), 0) << "the page is scrolled, not the table";
  press("All figures of the result");
  EXPECT_FALSE(totals.isVisible());
}

// One headline, in red: nothing beside it says the same in other words, or another thing.
TEST_F(ResultOverviewTest, ALimitThatWasExceededIsTheVerdict) {
  record::RunRecord record = example_record("quick");
  record.verdict = record::Verdict::exceeded;
  record.reason = "p99 <= 1 µs: it was 2.74 ms, as of 1.00 s";
  record.passed_limits = {
      {.metric = "p99", .limit = 1e3, .value = 2.74e6, .since_begin_ns = 1'000'000'000, .fails = true}};
  ASSERT_TRUE(store->add(record));
  show_page();
  EXPECT_EQ(named<theme::Chip>("Verdict").text(), "failed");
  EXPECT_EQ(named<theme::Chip>("Verdict").tone(), theme::Tone::bad);
  EXPECT_FALSE(named<theme::Chip>("Limits exceeded").isVisible());
  EXPECT_EQ(tile("Latency p99").state(), theme::TileState::bad);
}

// Badge and tile say so, and none in red.
TEST_F(ResultOverviewTest, ALimitThatOnlyWarnsStandsBesideTheVerdict) {
  record::RunRecord record = example_record("quick");
  record.verdict = record::Verdict::passed;
  record.passed_limits = {{.metric = "p99", .limit = 1e3, .value = 2.74e6, .since_begin_ns = 1'000'000'000}};
  ASSERT_TRUE(store->add(record));
  show_page();
  EXPECT_EQ(named<theme::Chip>("Verdict").text(), "passed");
  EXPECT_TRUE(named<theme::Chip>("Limits exceeded").isVisible());
  EXPECT_EQ(named<theme::Chip>("Limits exceeded").tone(), theme::Tone::warning);
  EXPECT_EQ(named<theme::Chip>("Limits exceeded").text(),
            "limit exceeded: latency p99 2.74 ms, above 1 µs, as of 1.00 s");
  EXPECT_EQ(tile("Latency p99").state(), theme::TileState::warning);
  EXPECT_EQ(tile("Latency p99").why(), "above 1 µs");
}

TEST_F(ResultOverviewTest, TheWheelScrollsThePageOverItsChartToo) {
  add("quick");
  show_page();
  press("All figures of the result");
  auto& area = named<QScrollArea>("Overview of the result");
  ASSERT_TRUE(QTest::qWaitFor([&] { return area.verticalScrollBar()->maximum() > 0; }, kPatience));
  area.verticalScrollBar()->setValue(0);
  charts::ChartCanvas* canvas = nullptr;
  for (auto* view : area.findChildren<charts::FigureView*>()) canvas = &view->canvas();
  ASSERT_NE(canvas, nullptr);
  const QPointF at = canvas->rect().center();
  QWheelEvent wheel(at, canvas->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(canvas, &wheel);
  EXPECT_GT(area.verticalScrollBar()->value(), 0);
}

TEST_F(ResultOverviewTest, NothingLostIsOneRow) {
  record::RunRecord record = example_record("whole");
  record.verdict = record::Verdict::passed;
  record.totals.lost = record.totals.expired = record.totals.undeliverable = 0;
  record.totals.duplicates = record.totals.reordered = record.totals.corrupt = record.totals.redelivered = 0;
  ASSERT_TRUE(store->add(record));
  show_page();
  EXPECT_THAT(tile("Lost").accessibleDescription().toStdString(), HasSubstr("No losses"));
  const auto* model = named<QTableView>("Totals").model();
  QStringList names;
  for (int row = 0; row < model->rowCount(); row++) names.append(model->index(row, 0).data().toString());
  EXPECT_TRUE(names.contains("Losses"));
  EXPECT_FALSE(names.contains("Corrupt"));
}

TEST_F(ResultOverviewTest, KeepsTheTailInSightInAWindowOf1280) {
  for (int i = 0; i < 3; i++) {
    record::RunRecord record = example_record("thesis 1 (quick): 100B, 100");
    record.started_utc_ns += i;
    record.campaign = record::CampaignPlace{.campaign = 1, .point = 1, .repeat = static_cast<uint32_t>(i + 1)};
    ASSERT_TRUE(store->add(record));
  }
  page = std::make_unique<ResultsPage>(*store);
  page->resize(1280 - 72, 760);  // beside the names of the pages
  page->show();
  ASSERT_TRUE(shows_details());
  for (const char* name : {"Verdict", "Plan", "p50", "p99", "Lost"}) {
    const int at = column(name);
    EXPECT_LE(rows().columnViewportPosition(at) + rows().columnWidth(at), rows().viewport()->width()) << name;
  }
}

TEST_F(ResultOverviewTest, TheFilledButtonIsTheNextSensibleStep) {
  add("one");
  add("two");
  show_page();
  EXPECT_EQ(kind(named<QPushButton>("Report…")), theme::ButtonKind::primary);
  rows().selectAll();
  EXPECT_EQ(kind(named<QPushButton>("Compare")), theme::ButtonKind::primary);
  EXPECT_EQ(kind(named<QPushButton>("Report…")), theme::ButtonKind::plain);
}

TEST_F(ResultOverviewTest, InANarrowWindowButtonsThatAreSeldomPressedAreIconsThatKeepTheirNames) {
  add("one");
  show_page();
  page->resize(1400, 800);
  auto& plan = named<QPushButton>("Load plan");
  EXPECT_TRUE(QTest::qWaitFor([&] { return plan.text() == "Load plan"; }, kPatience));
  page->resize(860, 540);
  EXPECT_TRUE(QTest::qWaitFor([&] { return plan.text().isEmpty(); }, kPatience));
  EXPECT_EQ(plan.accessibleName(), "Load plan");
  EXPECT_EQ(named<QPushButton>("Report…").text(), "Report…");
  EXPECT_LE(page->minimumSizeHint().width(), 860);
}

TEST_F(ResultOverviewTest, ThePictureShrinksWithTheWindow) {
  record::RunRecord record = record::test::example_record("one");
  record.outages.clear();  // which take a line of their own
  store->add(record).value();
  show_page();
  const auto& overview = named<QScrollArea>("Overview of the result");
  const auto height = [&] { return overview.widget()->height(); };
  ASSERT_TRUE(QTest::qWaitFor([&] { return height() == overview.viewport()->height(); }, kPatience));
  const int before = height();
  page->resize(1920, 1080);
  ASSERT_TRUE(QTest::qWaitFor([&] { return height() > before; }, kPatience));
  page->resize(1280, 800);
  EXPECT_TRUE(QTest::qWaitFor([&] { return height() == before; }, kPatience));
  EXPECT_EQ(overview.verticalScrollBar()->maximum(), 0);
}

// Of several slots that a point of the trend stands for, some may have no message.
TEST(ResultHeadlines, KeepAPeakThoughNoMessageCameAfterIt) {
  constexpr size_t kSlots = 4 * theme::Sparkline::kMost;
  record::RunRecord record = record::test::example_record("quick");
  record.series.assign(kSlots + 1, {});
  record.series[4].p99_ns = 9'000'000;
  ResultHeadlines headlines;
  headlines.show_record(&record);
  const auto trends = headlines.findChildren<theme::Sparkline*>();
  ASSERT_EQ(trends.size(), 5);
  ASSERT_EQ(trends[3]->values().size(), theme::Sparkline::kMost);
  EXPECT_EQ(trends[3]->values()[1], 9e6);
}

TEST(IntervalBar, SaysWhatItShows) {
  IntervalBar bar;
  EXPECT_EQ(bar.said(), "");
  bar.show_rows("Kafka", {{.side = "RabbitMQ", .against_first = {.ratio = 1.2, .low = 1.1, .high = 1.3}}},
                analysis::RunComparison{.ratio = 1, .low = 0.95, .high = 1.0526}, analysis::Better::lower);
  EXPECT_EQ(bar.said(), "RabbitMQ against Kafka: +20 % (+10 % to +30 %); Kafka against itself: −5.0 % to +5.3 %");
  EXPECT_EQ(bar.accessibleDescription(), bar.said());
  bar.show_rows("Kafka", {{.side = "RabbitMQ", .against_first = {.ratio = 1 / 4.1, .low = 1 / 5.3, .high = 1 / 3.2}}},
                {}, analysis::Better::lower);
  EXPECT_EQ(bar.said(), "RabbitMQ against Kafka: 1/4.1 (1/5.3 to 1/3.2)");
  bar.show_rows("Kafka", {{.side = "RabbitMQ", .against_first = {.ratio = 1, .low = 1 / 1550.0, .high = 8.13}}}, {},
                analysis::Better::lower);
  EXPECT_EQ(bar.said(), "RabbitMQ against Kafka: 1.00× (1/1,550 to 8.1×)");
  bar.show_rows({}, {}, {}, analysis::Better::lower);
  EXPECT_TRUE(bar.isHidden());
}

}  // namespace
}  // namespace n2nq::ui
