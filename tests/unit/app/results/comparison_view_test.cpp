// Results compared in the page: sides, statements, pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>

#include "tests/unit/app/results/page_rig.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_chart.h"
#include "ui/charts/figure_view.h"
#include "ui/results/comparison_view.h"
#include "ui/results/interval_bar.h"
#include "ui/theme/chip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

const QString kA = "10 senders", kB = "20 senders";

using record::test::example_record;
using test::kPatience;

struct ComparisonViewTest : test::ResultsPageRig {
  // A run whose latencies are around so many microseconds, of a plan with so many senders.
  int64_t add_run(uint32_t senders, int64_t us) {
    record::RunRecord record = example_record("quick");
    record.plan.senders.fleet.count = senders;
    record.verdict = record::Verdict::passed;
    record.started_utc_ns += ++added_ * 1'000'000'000;
    measure::Histogram histogram;
    for (int i = 0; i < 1000; i++) histogram.record(us * 1000 + i * 10);
    record.histograms = {record::to_record("latency_ns", histogram)};
    record.latencies[Latency::latency] = record.latencies[Latency::scheduled_latency] = measure::summarize(histogram);
    return store->add(record).value();
  }
  // Three runs a side, B three times as slow.
  void add_two_sides() {
    for (const int64_t us : {100, 101, 102}) add_run(10, us);
    for (const int64_t us : {300, 303, 306}) add_run(20, us);
  }
  void compare_all() {
    show_page();
    rows().selectAll();
    QTest::keyClick(&rows(), Qt::Key_C);
    ASSERT_TRUE(QTest::qWaitFor([&] { return table().model()->rowCount() == rows().model()->rowCount(); }, kPatience));
    settle();
  }
  void compare_again() {
    QTest::keyClick(&table(), Qt::Key_Escape);
    QTest::keyClick(&rows(), Qt::Key_C);
    ASSERT_TRUE(QTest::qWaitFor([&] { return table().model()->rowCount() == rows().model()->rowCount(); }, kPatience));
  }
  QTableView& table() { return named<QTableView>("Runs compared"); }
  // All that was asked for is there.
  void settle() {
    auto* comparison = page->findChild<ComparisonView*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !comparison->is_busy(); }, kPatience));
  }
  QString title() { return named<QLabel>("Comparison title").text(); }
  QString statement() {
    settle();
    return named<QLabel>("Statement").text();
  }
  QStringList sides() {
    settle();
    return sides_now();
  }
  QStringList sides_now() {
    QStringList all;
    for (int row = 0; row < table().model()->rowCount(); row++)
      all.append(table().model()->index(row, 0).data().toString());
    return all;
  }
  void open_tab(const QString& name) {
    auto& bar = named<QTabBar>("Comparison");
    for (int i = 0; i < bar.count(); i++)
      if (bar.tabText(i) == name) QTest::mouseClick(&bar, Qt::LeftButton, {}, bar.tabRect(i).center());
  }
  // The figures that are in sight.
  std::vector<figures::Figure> figures() {
    settle();
    return figures_now();
  }
  std::vector<figures::Figure> figures_now() {
    std::vector<figures::Figure> all;
    for (auto* view : page->findChildren<charts::FigureView*>())
      if (view->isVisible()) all.push_back(view->figure());
    return all;
  }
  void put(const std::vector<int>& chosen, const QString& side) {
    table().selectionModel()->clearSelection();
    for (const int row : chosen)
      table().selectionModel()->select(table().model()->index(row, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
    auto& put = named<QComboBox>("Side of the selected runs");
    const int index = put.findText(side);
    ASSERT_GE(index, 0);
    Q_EMIT put.activated(index);
    settle();
  }

 private:
  int64_t added_ = 0;
};

TEST_F(ComparisonViewTest, RepeatsOfAPlanAreASideAndTheStatementIsPlain) {
  add_two_sides();
  compare_all();
  EXPECT_EQ(sides(), QStringList({kA, kA, kA, kB, kB, kB}));
  EXPECT_TRUE(statement().startsWith("20 senders is ")) << statement().toStdString();
  EXPECT_TRUE(statement().contains("% slower at p99, 95 % CI ")) << statement().toStdString();
  EXPECT_TRUE(statement().endsWith("3 runs each"));
  EXPECT_EQ(title(), "20 senders against 10 senders, 6 runs");
  ASSERT_EQ(figures().size(), 1u);
  EXPECT_EQ(figures()[0].id, "compare-percentiles");
  EXPECT_EQ(figures()[0].series.size(), 2u);
}

TEST_F(ComparisonViewTest, BeginsWithTheVerdictItsIntervalAndTheFiguresOfBothSides) {
  add_two_sides();
  compare_all();
  EXPECT_EQ(named<theme::Chip>("Verdict of the comparison").text(), "20 senders is slower, doubtful");
  const std::string bar = page->findChild<IntervalBar*>()->said().toStdString();
  EXPECT_THAT(bar, testing::HasSubstr("20 senders against 10 senders: +182 % ("));
  EXPECT_THAT(bar, testing::HasSubstr("10 senders against itself: "));
  EXPECT_TRUE(named<QLabel>("Latency p99, 10 senders").isVisible());
  EXPECT_TRUE(named<QLabel>("Latency p99, 20 senders").text().startsWith("31"));
  EXPECT_EQ(figures()[0].series[1].name, "20 senders");
  named<QComboBox>("Figure to compare by").setCurrentIndex(named<QComboBox>("Figure to compare by").findData("lost"));
  EXPECT_FALSE(named<theme::Chip>("Verdict of the comparison").isVisible()) << "the counts say all";
  EXPECT_FALSE(page->findChild<IntervalBar*>()->isVisible()) << "counts have no ratio";
  EXPECT_EQ(named<QComboBox>("Figure to compare by").currentText(), "lost");
}

TEST_F(ComparisonViewTest, ShowsWhatTheSidesPromiseAndWhatTheyHaveDifferent) {
  add_two_sides();
  compare_all();
  settle();
  const auto* facts = named<QTableView>("What the sides promise").model();
  EXPECT_EQ(facts->headerData(1, Qt::Horizontal).toString(), kA);
  EXPECT_EQ(facts->headerData(2, Qt::Horizontal).toString(), kB);
  EXPECT_EQ(facts->index(0, 0).data().toString(), "Answered by");
  EXPECT_EQ(facts->index(0, 1).data().toString(), "the server");
  const int last = facts->rowCount() - 1;
  EXPECT_EQ(facts->index(last, 0).data().toString(), "Senders amount");
  EXPECT_EQ(facts->index(last, 1).data().toString(), "10");
  EXPECT_EQ(facts->index(last, 2).data().toString(), "20");
}

TEST_F(ComparisonViewTest, LeadsToMoreRunsOfBothSides) {
  add_two_sides();
  compare_all();
  settle();
  plan::PlanFile wanted;
  QObject::connect(page.get(), &ResultsPage::more_runs_wanted, page.get(),
                   [&](const plan::PlanFile& file, uint32_t) { wanted = file; });
  QTest::mouseClick(&named<QPushButton>("More runs of each side"), Qt::LeftButton);
  const auto runs = plan::runs_of(wanted);
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].senders.fleet.count, 10u);
  EXPECT_EQ((*runs)[1].senders.fleet.count, 20u);
}

TEST_F(ComparisonViewTest, AReportIsOfTheRunsOnSidesAndOnlyWhereTheseAreThoseOfPlans) {
  add_two_sides();
  compare_all();
  settle();
  auto& report = named<QPushButton>("Report of the comparison");
  EXPECT_TRUE(report.isEnabled());
  std::vector<int64_t> results;
  QObject::connect(page->findChild<ComparisonView*>(), &ComparisonView::report_wanted, page.get(),
                   [&](const std::vector<int64_t>& ids, const QString&) { results = ids; });
  Q_EMIT named<QComboBox>("Measured against").activated(1);
  put({0}, "left out");
  QTest::mouseClick(&report, Qt::LeftButton);
  EXPECT_EQ(results, (std::vector<int64_t>{4, 5, 6, 2, 3}));
  put({5}, "on a new side");
  EXPECT_FALSE(report.isEnabled());
  EXPECT_TRUE(report.toolTip().startsWith("Not possible"));
}

TEST_F(ComparisonViewTest, OfRepeatsOfOnePlanSaysWhyNoMoreCanBeRun) {
  for (const int64_t us : {100, 101, 102}) add_run(10, us);
  compare_all();
  settle();
  EXPECT_FALSE(named<QPushButton>("More runs of each side").isEnabled());
  EXPECT_EQ(named<QPushButton>("More runs of each side").toolTip(), "Not possible: there are not two sides with runs.");
}

TEST_F(ComparisonViewTest, OfSeveralSidesItSaysHowManyDiffer) {
  add_two_sides();
  for (const int64_t us : {100, 102, 101}) add_run(30, us);
  compare_all();
  EXPECT_EQ(named<theme::Chip>("Verdict of the comparison").text(), "1 of 2 differ from 10 senders, doubtful");
}

TEST_F(ComparisonViewTest, OneRunEachAllowsNoStatement) {
  add_run(10, 100);
  add_run(20, 300);
  compare_all();
  EXPECT_EQ(statement(), "One run each");
  EXPECT_EQ(named<theme::Chip>("Verdict of the comparison").text(), "Too few runs");
  EXPECT_TRUE(named<QLabel>("Remarks").text().startsWith("A statement needs 3 or more runs on each side · "));
}

TEST_F(ComparisonViewTest, WhatIsTheSameShowsNoDifference) {
  for (const int64_t us : {100, 105, 102}) add_run(10, us);
  for (const int64_t us : {101, 104, 103}) add_run(20, us);
  compare_all();
  EXPECT_TRUE(statement().startsWith("No significant difference at p99"));
  EXPECT_TRUE(said("A difference of 10 % or more is excluded")) << named<QLabel>("Remarks").text().toStdString();
}

TEST_F(ComparisonViewTest, WhatTheRunsLeaveOpenIsUndecidedAndSaysHowManyItTakes) {
  for (const int64_t us : {100, 190, 130}) add_run(10, us);
  for (const int64_t us : {110, 180, 150}) add_run(20, us);
  compare_all();
  EXPECT_TRUE(statement().startsWith("Undecided at p99: 20 senders from ")) << statement().toStdString();
  EXPECT_EQ(named<theme::Chip>("Verdict of the comparison").text(), "Undecided") << "which no doubt makes less sure";
  const QString remarks = named<QLabel>("Remarks").text();
  EXPECT_TRUE(remarks.contains(" runs of each would ")) << remarks.toStdString();
  EXPECT_FALSE(said("excluded"));
}

TEST_F(ComparisonViewTest, RepeatsOfOnePlanCanBePutOnTwoSides) {
  for (const int64_t us : {100, 101, 102, 300, 303, 306}) add_run(10, us);
  compare_all();
  EXPECT_TRUE(statement().startsWith("All of these are repeats of one plan."));
  put({3, 4, 5}, "on a new side");
  const QString first = "#1 to #3", second = "#4 to #6";
  EXPECT_EQ(sides(), QStringList({first, first, first, second, second, second}));
  EXPECT_TRUE(statement().startsWith("#4 to #6 is ")) << statement().toStdString();
  EXPECT_TRUE(statement().contains("% slower at p99"));
  Q_EMIT named<QComboBox>("Measured against").activated(1);
  EXPECT_EQ(sides(), QStringList({first, first, first, second, second, second}));
  EXPECT_TRUE(statement().startsWith("#1 to #3 is ")) << statement().toStdString();
  EXPECT_TRUE(statement().contains("% faster at p99"));
  put({0}, "left out");
  EXPECT_EQ(sides().first(), "-");
  EXPECT_EQ(statement(), "Fewer than 3 runs on a side");
}

TEST_F(ComparisonViewTest, RunsThatAreNoRepeatsAreNotPutOnOneSide) {
  add_two_sides();
  compare_all();
  put({3}, "with 10 senders");
  EXPECT_EQ(sides(), QStringList({kA, kA, kA, kB, kB, kB}));
  EXPECT_TRUE(said("Not assigned: results #1 and #4 are not repeats of each other"));
}

TEST_F(ComparisonViewTest, ShowsThePictureThatIsChosenAndAsItIsWanted) {
  add_two_sides();
  compare_all();
  for (const auto& [tab, id] :
       {std::pair{"Over time", "compare-time"}, std::pair{"Box plots", "compare-boxes"},
        std::pair{"Runs", "compare-runs"}, std::pair{"CDF", "compare-cdf"}, std::pair{"Raincloud", "compare-violins"},
        std::pair{"Bars", "compare-bars"}, std::pair{"By setting", "compare-axis"}}) {
    open_tab(tab);
    ASSERT_EQ(figures().size(), 1u);
    EXPECT_EQ(figures()[0].id, id);
  }
  EXPECT_EQ(figures()[0].x.label, "Senders amount");
  open_tab("Box plots");
  EXPECT_EQ(named<QCheckBox>("Logarithmic").isChecked(), figures()[0].y.by_decades);
  for (const bool on : {true, false}) {
    named<QCheckBox>("Logarithmic").setChecked(on);
    EXPECT_EQ(figures()[0].y.by_decades, on);
    auto* view = page->findChild<ComparisonView*>()->findChild<charts::FigureView*>();
    EXPECT_EQ(view->canvas().chart().is_logarithmic(), on);
  }
  named<QComboBox>("Whiskers").setCurrentIndex(1);
  EXPECT_THAT(figures()[0].notes, testing::Contains("whiskers from 10 to 90 %"));
  named<QComboBox>("Messages included").setCurrentIndex(3);
  EXPECT_THAT(figures()[0].notes, testing::Contains(testing::HasSubstr("without the slowest 5 %")));
  EXPECT_TRUE(statement().contains("slower at p99")) << "the data are as they were";
  QTest::mouseClick(&named<QCheckBox>("Each run"), Qt::LeftButton, {}, QPoint(8, 8));
  EXPECT_EQ(figures()[0].x.categories.size(), 6u);
}

TEST_F(ComparisonViewTest, SaysThatItLoadsAndNothingOfRunsThatAreNotThereYet) {
  add_two_sides();
  show_page();
  rows().selectAll();
  QTest::keyClick(&rows(), Qt::Key_C);
  EXPECT_EQ(named<QLabel>("Statement").text(), "Loading 6 runs…");
  EXPECT_TRUE(figures_now().empty()) << "no picture that says that there is no message";
  ASSERT_EQ(figures().size(), 1u);
  EXPECT_FALSE(figures()[0].empty());
  compare_again();
  EXPECT_EQ(figures().size(), 1u);
}

TEST_F(ComparisonViewTest, NamesOfPlansAndAllColumnsHaveTheirRoom) {
  add_two_sides();
  compare_all();
  named<QTabBar>("Sides").setCurrentIndex(1);
  ASSERT_TRUE(QTest::qWaitFor([&] { return table().isVisible() && table().viewport()->width() > 0; }, kPatience));
  EXPECT_EQ(table().horizontalScrollBar()->maximum(), 0);
  const int name = table().fontMetrics().horizontalAdvance("untitled");
  EXPECT_GT(table().columnWidth(2), name);
}

TEST_F(ComparisonViewTest, APictureStaysUntilTheOneThatIsWantedIsMade) {
  add_two_sides();
  compare_all();
  auto& bar = named<QTabBar>("Comparison");
  bar.setCurrentIndex(2);
  bar.setCurrentIndex(4);
  ASSERT_EQ(figures_now().size(), 1u);
  EXPECT_EQ(figures_now()[0].id, "compare-percentiles");
  EXPECT_EQ(figures()[0].id, "compare-cdf");
}

TEST_F(ComparisonViewTest, SaysThatItDrawsWhereThatTakesLong) {
  add_two_sides();
  compare_all();
  auto& bar = named<QTabBar>("Comparison");
  auto* late = page->findChild<ComparisonView*>()->findChild<QTimer*>("late", Qt::FindDirectChildrenOnly);
  ASSERT_NE(late, nullptr);
  const auto take_long = [&] {
    ASSERT_TRUE(late->isActive());
    QTimerEvent due(late->timerId());
    QCoreApplication::sendEvent(late, &due);
  };
  bar.setCurrentIndex(2);
  EXPECT_EQ(title(), "20 senders against 10 senders, 6 runs");
  take_long();
  EXPECT_EQ(title(), "20 senders against 10 senders, 6 runs, drawing…");
  settle();
  EXPECT_EQ(title(), "20 senders against 10 senders, 6 runs");
  bar.setCurrentIndex(1);
  take_long();
  bar.setCurrentIndex(bar.count() - 1);
  EXPECT_EQ(title(), "20 senders against 10 senders, 6 runs") << "the table of figures is there at once";
}

TEST_F(ComparisonViewTest, RunsThatArePutElsewhereQuicklyAllGetThere) {
  add_two_sides();
  compare_all();
  auto& put = named<QComboBox>("Side of the selected runs");
  const int out = put.findText("left out");
  for (const int row : {3, 4}) {
    table().selectRow(row);
    Q_EMIT put.activated(out);
  }
  EXPECT_EQ(sides_now(), QStringList({kA, kA, kA, kB, kB, kB})) << "until it is made";
  EXPECT_EQ(sides(), QStringList({kA, kA, kA, "-", "-", kB}));
}

TEST_F(ComparisonViewTest, RunsThatCouldNotBePutSomewhereAreStillWhereTheyWere) {
  add_two_sides();
  compare_all();
  put({3}, "with 10 senders");
  put({4}, "left out");
  EXPECT_EQ(sides(), QStringList({kA, kA, kA, kB, "-", kB}));
}

TEST_F(ComparisonViewTest, PanelsHaveTheSameAxesWhereThatIsWanted) {
  add_two_sides();
  compare_all();
  open_tab("CDF");
  named<QCheckBox>("Panels").setChecked(true);
  ASSERT_EQ(figures().size(), 2u);
  EXPECT_FALSE(figures()[0].x.max);
  named<QCheckBox>("Same axes").setChecked(true);
  EXPECT_TRUE(figures()[0].x.max);
  EXPECT_EQ(figures()[0].x.max, figures()[1].x.max);
  EXPECT_EQ(figures()[0].x.min, figures()[1].x.min);
}

TEST_F(ComparisonViewTest, OnePictureHasAxesOfItsOwnThoughPanelsHadTheSame) {
  add_two_sides();
  compare_all();
  open_tab("CDF");
  named<QCheckBox>("Panels").setChecked(true);
  named<QCheckBox>("Same axes").setChecked(true);
  named<QCheckBox>("Panels").setChecked(false);
  ASSERT_EQ(figures().size(), 1u);
  EXPECT_FALSE(figures()[0].x.max);
  named<QCheckBox>("Panels").setChecked(true);
  EXPECT_TRUE(figures()[0].x.max) << "as it was wanted before";
}

TEST_F(ComparisonViewTest, ComparesAnewWithAnyPictureOpen) {
  add_two_sides();
  compare_all();
  auto& bar = named<QTabBar>("Comparison");
  for (int tab = 0; tab < bar.count(); tab++) {
    bar.setCurrentIndex(tab);
    compare_again();
    EXPECT_EQ(sides(), QStringList({kA, kA, kA, kB, kB, kB})) << bar.tabText(tab).toStdString();
    EXPECT_EQ(bar.currentIndex(), tab);
  }
}

TEST_F(ComparisonViewTest, SaysItOfEveryFigure) {
  add_two_sides();
  compare_all();
  open_tab("All figures");
  const auto* model = named<QTableView>("All figures").model();
  EXPECT_GE(model->rowCount(), 14);
  EXPECT_TRUE(model->index(0, 0).data().toString().startsWith("p50 ["));
  EXPECT_TRUE(model->index(0, 3).data().toString().contains("slower at p50"));
}

TEST_F(ComparisonViewTest, EscapeGoesBackToTheList) {
  add_two_sides();
  compare_all();
  EXPECT_FALSE(rows().isVisible());
  QTest::keyClick(&table(), Qt::Key_Escape);
  EXPECT_TRUE(rows().isVisible());
}

// As keyboards send it: with a text, which lists would search for.
TEST_F(ComparisonViewTest, EscapeGoesBackFromADropDownList) {
  add_two_sides();
  for (const char* name : {"Figure to compare by", "Side of the selected runs", "Messages included"}) {
    compare_all();
    QWidget* list = nullptr;
    for (auto* one : page->findChildren<QComboBox*>())
      if (one->accessibleName() == name) list = one;
    ASSERT_NE(list, nullptr) << name;
    QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier, QStringLiteral("\x1b"));
    QApplication::sendEvent(list, &escape);
    EXPECT_TRUE(rows().isVisible()) << name;
  }
}

TEST_F(ComparisonViewTest, EscapeGoesBackThoughTheSwitchThatHadTheFocusIsGone) {
  add_two_sides();
  compare_all();
  named<QCheckBox>("Each run").setFocus();
  open_tab("All figures");
  QWidget* focused = page->focusWidget();
  ASSERT_NE(focused, nullptr);
  EXPECT_TRUE(focused->isVisible()) << focused->accessibleName().toStdString();
  QTest::keyClick(focused, Qt::Key_Escape);
  EXPECT_TRUE(rows().isVisible());
}

TEST_F(ComparisonViewTest, PanelsOfManySidesAreScrolledThrough) {
  for (uint32_t senders = 1; senders <= 8; senders++) add_run(senders, 100 * senders);
  compare_all();
  open_tab("Box plots");
  const int before = page->minimumSizeHint().height();
  named<QCheckBox>("Panels").setChecked(true);
  ASSERT_EQ(figures().size(), 8u);
  EXPECT_EQ(page->minimumSizeHint().height(), before) << "the window does not grow";
  std::vector<charts::FigureView*> panels;
  for (auto* view : page->findChildren<charts::FigureView*>())
    if (view->isVisible()) panels.push_back(view);
  EXPECT_TRUE(QTest::qWaitFor([&] { return std::abs(panels[0]->width() - panels[1]->width()) <= 1; }, kPatience))
      << "of an odd width one has the last pixel";
  EXPECT_GE(panels[0]->height(), 240);
}

TEST_F(ComparisonViewTest, SaysWhatIsLeftOutOfMoreThanEightPlans) {
  for (uint32_t senders = 1; senders <= 9; senders++) add_run(senders, 100 * senders);
  add_run(9, 900);
  compare_all();
  EXPECT_EQ(sides().mid(7), QStringList({"8 senders", "-", "-"}));
  EXPECT_EQ(title(), "7 sides against 1 sender, 8 runs, 2 left out");
  EXPECT_TRUE(named<QLabel>("Remarks").text().contains("#9, #10 are left out: at most 8 sides can be compared"));
}

TEST_F(ComparisonViewTest, SaysWhatWasLeftOutByHandApartFromWhatTheLimitLeavesOut) {
  for (uint32_t senders = 1; senders <= 8; senders++) add_run(senders, 100 * senders);
  add_run(1, 100);
  compare_all();
  put({0}, "left out");
  EXPECT_EQ(title(), "7 sides against 1 sender, 8 runs, 1 left out");
  EXPECT_TRUE(said("you left out #1"));
  EXPECT_FALSE(said("at most 8 sides"));
}

TEST_F(ComparisonViewTest, SaysBothOfWhatIsLeftOut) {
  for (uint32_t senders = 1; senders <= 9; senders++) add_run(senders, 100 * senders);
  add_run(1, 100);
  compare_all();
  put({0, 1}, "left out");
  EXPECT_TRUE(said("#9 is left out: at most 8 sides can be compared · you left out #1, #2"));
}

TEST_F(ComparisonViewTest, SaysItOfEverySideByEveryFigure) {
  add_two_sides();
  for (const int64_t us : {150, 151, 152}) add_run(30, us);
  compare_all();
  open_tab("All figures");
  const auto* model = named<QTableView>("All figures").model();
  EXPECT_TRUE(model->index(0, 0).data().toString().startsWith("p50 ["));
  EXPECT_TRUE(model->index(1, 0).data().toString().startsWith("p50 ["));
  EXPECT_TRUE(model->index(0, 2).data().toString().startsWith("20 senders: 3"));
  EXPECT_TRUE(model->index(0, 3).data().toString().startsWith("20 senders is "));
  EXPECT_TRUE(model->index(1, 2).data().toString().startsWith("30 senders: 1"));
  EXPECT_TRUE(model->index(1, 3).data().toString().contains("% slower at p50"));
  EXPECT_TRUE(model->index(2, 0).data().toString().startsWith("p90 ["));
}

TEST_F(ComparisonViewTest, TheFigureOfEachRunHasOneUnit) {
  add_run(10, 30);
  add_run(20, 3'000);
  compare_all();
  const auto* model = table().model();
  const QString head = model->headerData(3, Qt::Horizontal).toString();
  const QString first = model->index(0, 3).data().toString();
  const QString second = model->index(1, 3).data().toString();
  EXPECT_EQ(head, "Figure [ms]");
  EXPECT_EQ(first.section('.', 1).size(), second.section('.', 1).size()) << first.toStdString();
  EXPECT_TRUE(first.startsWith("0.03") || first.startsWith("0.04")) << first.toStdString();
  EXPECT_TRUE(second.startsWith("3.0")) << second.toStdString();
}

TEST_F(ComparisonViewTest, OneResultIsNotCompared) {
  add_run(10, 100);
  show_page();
  EXPECT_FALSE(named<QPushButton>("Compare").isEnabled());
  QTest::keyClick(&rows(), Qt::Key_C);
  EXPECT_TRUE(said("Select two or more results to compare them."));
  EXPECT_TRUE(rows().isVisible());
}

TEST_F(ComparisonViewTest, SaysWhichResultCannotBeLoaded) {
  add_two_sides();
  show_page();
  rows().selectAll();
  ASSERT_TRUE(store->remove(2));
  ASSERT_TRUE(store->purge(INT64_MAX));
  QTest::mouseClick(&named<QPushButton>("Compare"), Qt::LeftButton);
  EXPECT_TRUE(QTest::qWaitFor([&] { return said("The runs cannot be compared: result 2 is not in "); }, kPatience));
}

}  // namespace
}  // namespace n2nq::ui
