#include "ui/results/results_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "app/store/sql.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"
#include "tests/unit/app/results/page_rig.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_view.h"
#include "ui/results/log_places.h"
#include "ui/results/notes_editor.h"
#include "ui/services/service_model.h"
#include "ui/theme/chip.h"

namespace n2nq::ui {
namespace {

using record::test::example_record;
using test::kPatience;
using ResultsPageTest = test::ResultsPageRig;

TEST_F(ResultsPageTest, SaysWhatToDoWhenThereIsNoResult) {
  show_page();
  EXPECT_EQ(plans(), QStringList());
  EXPECT_EQ(named<QLabel>("Results shown").text(), "0 results, 0 B");
  EXPECT_FALSE(named<QPushButton>("Load plan").isVisible());
}

TEST_F(ResultsPageTest, SaysHowManyResultsThisVersionCannotShow) {
  for (const char* name : {"a", "b", "c"}) add(name);
  auto newer = store::Connection::open(store->path(), store::Access::read_write, std::chrono::seconds(1));
  ASSERT_TRUE(newer->run("UPDATE results SET verdict = 'splendid' WHERE name = 'a'"));
  show_page();
  EXPECT_EQ(plans(), QStringList({"c", "b"}));
  EXPECT_TRUE(named<QLabel>("Results shown").text().endsWith("; 1 result cannot be shown by this version"));
  ASSERT_TRUE(newer->run("UPDATE results SET mode = 'sharded'"));
  page->reload();
  EXPECT_EQ(named<QLabel>("Results shown").text(), "0 results, 0 B; 3 results cannot be shown by this version");
}

TEST_F(ResultsPageTest, ListsTheNewestFirstAndShowsItsDetails) {
  add("older");
  add("newer");
  show_page();
  EXPECT_EQ(plans(), QStringList({"newer", "older"}));
  EXPECT_EQ(cell(0, "Services"), "2 × 3");
  EXPECT_EQ(cell(0, "Lost"), "8");
  EXPECT_EQ(cell(0, "p50"), "80.0");
  EXPECT_EQ(cell(0, "Verdict"), "lost as the plan allows, limit exceeded");
  EXPECT_EQ(named<theme::Chip>("Verdict").text(), "lost as the plan allows");
  EXPECT_EQ(named<QTableView>("Changed settings").model()->index(0, 0).data().toString(), "Senders amount");
}

TEST_F(ResultsPageTest, NoCellIsCutBeforeTheListIsScrolled) {
  add("one");
  show_page();
  QStyleOptionViewItem option;
  option.initFrom(&rows());
  option.font = rows().font();
  option.widget = &rows();
  for (int column = 0; column < rows().model()->columnCount(); column++) {
    if (rows().isColumnHidden(column)) continue;
    const QModelIndex cell = rows().model()->index(0, column);
    EXPECT_GE(rows().columnWidth(column), rows().itemDelegateForColumn(column) != nullptr
                                              ? rows().itemDelegateForColumn(column)->sizeHint(option, cell).width()
                                              : rows().itemDelegate()->sizeHint(option, cell).width())
        << rows().model()->headerData(column, Qt::Horizontal).toString().toStdString();
  }
}

TEST_F(ResultsPageTest, ShowsOnlyWhatHasAllTheWords) {
  add("quick");
  add("thesis case 3");
  show_page();
  QTest::keyClicks(&named<QLineEdit>("Filter results"), "load THESIS");
  EXPECT_EQ(plans(), QStringList({"thesis case 3"}));
  EXPECT_TRUE(named<QLabel>("Results shown").text().startsWith("1 of 2 results"));
}

TEST_F(ResultsPageTest, SortsNumbersAsNumbers) {
  for (const uint64_t sent : {900, 10'000, 1000}) {
    record::RunRecord record = example_record(std::to_string(sent));
    record.totals.sent = sent;
    ASSERT_TRUE(store->add(record));
  }
  show_page();
  rows().sortByColumn(column("Sent"), Qt::AscendingOrder);
  EXPECT_EQ(plans(), QStringList({"900", "1000", "10000"}));
}

TEST_F(ResultsPageTest, DeletesByKeyAndBringsBack) {
  add("one");
  const int64_t two = add("two");
  show_page();
  QTest::keyClick(&rows(), Qt::Key_Delete);
  EXPECT_EQ(plans(), QStringList({"one"}));
  ASSERT_TRUE(QTest::qWaitFor([this] { return named<QPushButton>("Undo").isVisible(); }, kPatience));
  press("Undo");
  EXPECT_EQ(plans(), QStringList({"two", "one"}));
  EXPECT_TRUE(store->load(two));
}

TEST_F(ResultsPageTest, BringsBackOneDeletionAfterTheOtherWhateverWasSaidSince) {
  for (const char* name : {"a", "b", "c"}) add(name);
  show_page();
  QTest::keyClick(&rows(), Qt::Key_Delete);
  QTest::keyClick(&rows(), Qt::Key_Delete);
  press("Copy as command");  // another message takes the place of the offer
  EXPECT_EQ(plans().size(), 1);
  QTest::keyClick(&rows(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(plans().size(), 2);
  QTest::keyClick(&rows(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(plans(), QStringList({"c", "b", "a"}));
  QTest::keyClick(&rows(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(plans().size(), 3);
}

TEST_F(ResultsPageTest, SaysOfADeletedResultThatItIsAndShowsNoOther) {
  add("other");
  const int64_t id = add("gone");
  add("last");
  show_page();
  ASSERT_TRUE(store->remove(id));
  page->reload();
  page->choose(id);
  EXPECT_TRUE(said("The result of \"gone\" from "));
  EXPECT_FALSE(tabs().isVisible());
  EXPECT_TRUE(rows().selectionModel()->selectedRows().isEmpty());
  press("Undo");
  EXPECT_EQ(plans(), QStringList({"last", "gone", "other"}));
  EXPECT_EQ(cell(rows().currentIndex().row(), "Plan"), "gone");

  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(store->purge(INT64_MAX));
  page->reload();
  page->choose(id);
  EXPECT_TRUE(said("This result was deleted with its files."));
  EXPECT_FALSE(named<QPushButton>("").isVisible()) << "nothing can be undone";
  EXPECT_FALSE(tabs().isVisible());
}

TEST_F(ResultsPageTest, ShowsAChosenResultThatTheFilterHid) {
  const int64_t id = add("one");
  add("two");
  show_page();
  named<QLineEdit>("Filter results").setText("two");
  page->choose(id);
  EXPECT_EQ(cell(rows().currentIndex().row(), "Plan"), "one");
  EXPECT_NE(rows().currentIndex().data().toString(), "") << "the keys' ring stands around something";
}

TEST_F(ResultsPageTest, ShowsWhatWasAskedForWhen) {
  add("one");
  show_page();
  const auto& settings = named<QTableView>("Changed settings");
  QStringList values;
  for (int row = 0; row < settings.model()->rowCount(); row++)
    if (settings.model()->index(row, 0).data() == "Filters")
      values.append(settings.model()->index(row, 1).data().toString());
  EXPECT_EQ(values, QStringList({"at first: everything", "from 3.20 s on: 1:senders=1 / 2-3:senders=self",
                                 "from 4.50 s on: everything"}));
}

TEST_F(ResultsPageTest, ShowsHowLongTheQueueHeldSendersBackAndTookToAnswerWhereItDid) {
  record::RunRecord free = example_record("never held");
  free.latencies[Latency::held] = {};
  free.latencies[Latency::publish] = {};
  store->add(free).value();
  add("held");
  show_page();
  const auto header = [&](int column) {
    const auto* model = named<QTableView>("Latencies").model();
    return model->headerData(column, Qt::Horizontal).toString();
  };
  const auto select = [&](const QString& plan) {
    rows().selectRow(static_cast<int>(plans().indexOf(plan)));
    return QTest::qWaitFor([&] { return said(QString("#%1").arg(plan == "held" ? 2 : 1)); }, kPatience);
  };
  ASSERT_TRUE(select("held"));
  auto* model = named<QTableView>("Latencies").model();
  ASSERT_EQ(model->columnCount(), 8);
  EXPECT_TRUE(header(4).startsWith("Publish ["));
  EXPECT_TRUE(header(6).startsWith("Lateness ["));
  EXPECT_TRUE(header(7).startsWith("Held by the queue ["));
  EXPECT_TRUE(
      model->headerData(7, Qt::Horizontal, Qt::ToolTipRole).toString().contains("accepted nothing from a sender"));
  EXPECT_EQ(model->index(1, 7).data().toString(), "0.620");
  EXPECT_EQ(model->index(model->rowCount() - 1, 7).data().toString(), "1,000");
  named<QTableView>("Latencies").clearSelection();
  QTest::keyClick(&named<QTableView>("Latencies"), Qt::Key_C, Qt::ControlModifier);
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("Latency\tActual send ["));
  EXPECT_TRUE(QApplication::clipboard()->text().section(u'\n', 0, 0).contains("\tHeld by the queue ["));
  ASSERT_TRUE(select("never held"));
  ASSERT_EQ(model->columnCount(), 6);
  EXPECT_TRUE(header(5).startsWith("Lateness ["));
  ASSERT_TRUE(select("held"));
  EXPECT_EQ(model->columnCount(), 8);
}

TEST_F(ResultsPageTest, DeletesSeveralAtOnce) {
  for (const char* name : {"a", "b", "c"}) add(name);
  show_page();
  rows().selectAll();
  press("Delete");
  EXPECT_EQ(plans(), QStringList());
  press("Undo");
  EXPECT_EQ(plans(), QStringList({"c", "b", "a"}));
}

TEST_F(ResultsPageTest, SaysInThePageThatNothingWasDeleted) {
  add("one");
  show_page();
  auto other = store::Connection::open(store->path(), store::Access::read_write, std::chrono::seconds(1));
  const auto writing = store::Transaction::begin(*other);
  press("Delete");
  EXPECT_EQ(plans(), QStringList({"one"}));
  EXPECT_TRUE(said("Not deleted: "));
}

TEST_F(ResultsPageTest, TheKeyOfUndoSelectsWhatCameBackAndNothingElse) {
  for (const char* name : {"a", "b", "c"}) add(name);
  show_page();
  QTest::keyClick(&rows(), Qt::Key_Delete);
  ASSERT_EQ(plans(), QStringList({"b", "a"}));
  QTest::keyClick(rows().window()->windowHandle(), Qt::Key_Z, Qt::ControlModifier);  // as held on a keyboard
  EXPECT_EQ(plans(), QStringList({"c", "b", "a"}));
  EXPECT_EQ(rows().selectionModel()->selectedRows().size(), 1);
  EXPECT_FALSE(named<QPushButton>("Undo").isVisible());
}

TEST_F(ResultsPageTest, BringsBackAtTheSecondTryWhatItCouldNotAtTheFirst) {
  for (const char* name : {"a", "b", "c"}) add(name);
  show_page();
  QTest::keyClick(&rows(), Qt::Key_Delete);
  rows().selectAll();
  press("Delete");
  ASSERT_EQ(plans(), QStringList());
  {
    auto other = store::Connection::open(store->path(), store::Access::read_write, std::chrono::seconds(1));
    const auto writing = store::Transaction::begin(*other);
    QTest::keyClick(&rows(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(said("Not restored: " + QString::fromStdString(store->path())));
    EXPECT_TRUE(named<QPushButton>("Undo").isVisible());
    EXPECT_EQ(plans(), QStringList());
  }
  QTest::keyClick(&rows(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(plans(), QStringList({"b", "a"}));
  press("Undo");
  EXPECT_EQ(plans(), QStringList({"c", "b", "a"}));
}

TEST_F(ResultsPageTest, GoesOnWithEarlierOnesWhenADeletedResultIsGoneForGood) {
  for (const char* name : {"a", "b"}) add(name);
  show_page();
  QTest::keyClick(&rows(), Qt::Key_Delete);
  ASSERT_TRUE(store->purge(INT64_MAX));
  QTest::keyClick(&rows(), Qt::Key_Delete);
  ASSERT_EQ(plans(), QStringList());
  QTest::keyClick(&rows(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(plans(), QStringList({"a"}));
  QTest::keyClick(&rows(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(said("Not restored: "));
  QTest::keyClick(&rows(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(said("Nothing was deleted since"));
}

TEST_F(ResultsPageTest, KeepsNotesAsTheyAreTyped) {
  const int64_t id = add("one");
  show_page();
  tabs().setCurrentIndex(6);
  QTest::keyClicks(&named<QPlainTextEdit>("Notes on this result"), "cable 2");
  EXPECT_TRUE(QTest::qWaitFor([&] { return store->notes(id) == "cable 2"; }, kPatience));
}

TEST_F(ResultsPageTest, KeepsNotesThatWereTypedJustBeforeTheEnd) {
  const int64_t id = add("one");
  show_page();
  tabs().setCurrentIndex(6);
  QTest::keyClicks(&named<QPlainTextEdit>("Notes on this result"), "x");
  page.reset();
  EXPECT_EQ(store->notes(id), "x");
}

TEST_F(ResultsPageTest, GivesThePlanExactlyAsItWas) {
  add("again");
  show_page();
  std::vector<plan::RunPlan> loaded;
  QObject::connect(page.get(), &ResultsPage::load_plan, page.get(),
                   [&](const plan::RunPlan& plan) { loaded.push_back(plan); });
  press("Load plan");
  EXPECT_THAT(loaded, testing::ElementsAre(example_record("again").plan));
}

TEST_F(ResultsPageTest, OpensTheLogOfAService) {
  add("quick");
  std::filesystem::create_directory(dir / "run");
  record::test::write_file(dir / "run/receiver-2.log", "x");
  show_page();
  QSignalSpy opened(page.get(), &ResultsPage::open_log);
  tabs().setCurrentIndex(2);
  auto& receivers = named<QTableView>("Receivers");
  receivers.selectRow(1);
  QTest::keyClick(&receivers, Qt::Key_Return);
  ASSERT_EQ(opened.size(), 1);
  EXPECT_EQ(opened[0][0].toString().toStdString(), (dir / "run/receiver-2.log").string());
  EXPECT_EQ(opened[0][1].toString(), "quick: receiver 2");
}

TEST_F(ResultsPageTest, ShowsTheChartsOfAnotherResultWhole) {
  add("older");
  add("newer");
  show_page();
  tabs().setCurrentIndex(1);
  for (auto* canvas : page->findChildren<charts::ChartCanvas*>())
    if (canvas->isVisible()) QTest::keyClick(canvas, Qt::Key_Plus);
  ASSERT_TRUE(named<QToolButton>("Show all").isEnabled());
  rows().selectRow(1);
  EXPECT_TRUE(QTest::qWaitFor([this] { return !named<QToolButton>("Show all").isEnabled(); }, kPatience));
}

TEST_F(ResultsPageTest, PinsAResultAsTheBaselineOfARun) {
  add("older");
  show_page();
  QSignalSpy pinned(page.get(), &ResultsPage::pin_baseline);
  for (auto* view : page->findChildren<charts::FigureView*>())
    for (QAction* action : view->menu()->actions())
      if (action->text() == "Pin as baseline") action->trigger();
  ASSERT_EQ(pinned.size(), 1);
  EXPECT_EQ(pinned[0][0].value<record::RunRecord>().plan.name, "older");
}

TEST_F(ResultsPageTest, ShowsServicesInTheScaleOfTheirResultWhateverWasChosenBefore) {
  for (const int64_t latency_ns : std::initializer_list<int64_t>{80'000, 5'000'000'000}) {
    record::RunRecord record = example_record("latency");
    record.started_utc_ns += latency_ns;
    for (live::ServiceFigures& service : record.services)
      if (service.role == Role::receiver) service.latency_ns = latency_ns;
    ASSERT_TRUE(store->add(record));
  }
  show_page();
  tabs().setCurrentIndex(2);
  auto& receivers = named<QTableView>("Receivers");
  const auto latency = [&] {
    const auto* model = static_cast<const ServiceModel*>(receivers.model());
    return model->index(0, model->column_of(Column::latency)).data().toString();
  };
  EXPECT_EQ(latency(), "5,000.00");
  receivers.selectRow(1);
  rows().selectRow(1);
  EXPECT_TRUE(QTest::qWaitFor([&] { return latency() == "80.0"; }, kPatience)) << latency().toStdString();
  EXPECT_EQ(latency(), "80.0");
  EXPECT_FALSE(receivers.selectionModel()->hasSelection());
}

TEST_F(ResultsPageTest, CopiesCommandsForAShell) {
  add("it's quick");
  show_page();
  press("Copy as command");
  const QString text = QApplication::clipboard()->text();
  EXPECT_TRUE(text.startsWith("cat > it-s-quick.json <<'END_OF_PLAN'\n{"));
  EXPECT_TRUE(text.endsWith("\nEND_OF_PLAN\nn2nq-bench run it-s-quick.json\n"));
}

TEST_F(ResultsPageTest, KeepsTheChosenOneWhenAResultIsAdded) {
  add("chosen");
  show_page();
  add("new");
  page->reload();
  EXPECT_EQ(plans(), QStringList({"new", "chosen"}));
  EXPECT_EQ(rows().selectionModel()->selectedRows().front().row(), 1);
  add("own");
  page->run_ended();
  EXPECT_EQ(rows().selectionModel()->selectedRows().front().row(), 2);
}

TEST_F(ResultsPageTest, TheNewestStaysInSightForWhoLooksAtTheNewest) {
  for (int i = 0; i < 40; i++) add("old");
  show_page();
  rows().verticalScrollBar()->setValue(7);
  add("new");
  page->run_ended();
  EXPECT_EQ(rows().selectionModel()->selectedRows().front().row(), 0);
  EXPECT_EQ(rows().verticalScrollBar()->value(), 0);
  ASSERT_TRUE(QTest::qWaitFor([&] { return said("new"); }, kPatience));
  tabs().setCurrentIndex(tabs().count() - 1);
  named<QPlainTextEdit>("Notes on this result").setFocus();
  add("newer");
  page->run_ended();
  EXPECT_EQ(rows().selectionModel()->selectedRows().front().row(), 1) << "somebody types";
}

TEST_F(ResultsPageTest, ARunThatEndedElsewhereIsShownFirstAndAComparisonIsAClickAway) {
  const auto one = add("one"), two = add("two");
  show_page();
  rows().selectRow(1);
  page->hide();
  add("three");
  page->run_ended();
  page->show();
  EXPECT_EQ(rows().selectionModel()->selectedRows().front().row(), 0);
  page->compare({one, two});
  page->hide();
  page->show();
  EXPECT_FALSE(rows().isVisible()) << "nothing is new";
  page->hide();
  add("four");
  page->run_ended();
  page->show();
  EXPECT_TRUE(rows().isVisible());
  EXPECT_EQ(rows().selectionModel()->selectedRows().front().row(), 0);
  press("Back to the comparison");
  EXPECT_FALSE(rows().isVisible());
  page->hide();
  page->run_ended();
  page->show();
  EXPECT_FALSE(rows().isVisible()) << "its result was not saved";
  page->hide();
  add("five");
  page->run_ended();
  page->forget_run_end();
  page->show();
  EXPECT_FALSE(rows().isVisible()) << "who comes for something else finds that";
  page->hide();
  add("six");
  page->run_ended();
  named<QLineEdit>("Filter results").setText("one");
  page->show();
  EXPECT_TRUE(rows().isVisible());
  EXPECT_TRUE(said("hides its result"));
}

TEST_F(ResultsPageTest, TheListIsAsHighAsItWasLeft) {
  add("one");
  show_page();
  const QByteArray before = page->save_layout();
  auto& splitter = *qobject_cast<QSplitter*>(named<QTableView>("Results").parentWidget()->parentWidget());
  splitter.setSizes({400, 300});
  Q_EMIT splitter.splitterMoved(400, 1);  // as by the mouse
  const QByteArray layout = page->save_layout();
  EXPECT_NE(layout, before);
  const auto heights = [this] {
    const auto& shown = *qobject_cast<QSplitter*>(named<QTableView>("Results").parentWidget()->parentWidget());
    return shown.sizes();
  };
  const QList<int> left = heights();
  show_page();
  page->restore_layout(layout);
  QCoreApplication::processEvents();
  EXPECT_EQ(page->save_layout(), layout);
  EXPECT_NEAR(heights().front(), left.front(), 2);
}

TEST_F(ResultsPageTest, ListsNothingWhileItIsHidden) {
  page = std::make_unique<ResultsPage>(*store);
  add("one");
  page->reload();
  EXPECT_EQ(plans(), QStringList());
  page->show();
  EXPECT_EQ(plans(), QStringList({"one"}));
}

TEST_F(ResultsPageTest, GivesEachStopOfTheKeyboardAName) {
  add("one");
  show_page();
  for (int tab = 0; tab < tabs().count(); tab++) {
    tabs().setCurrentIndex(tab);
    for (auto* widget : page->findChildren<QWidget*>()) {
      if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0 || widget->focusProxy() != nullptr)
        continue;
      const bool inner = widget->parentWidget() != nullptr && widget->objectName().startsWith("qt_");
      EXPECT_TRUE(inner || !widget->accessibleName().isEmpty())
          << widget->metaObject()->className() << " in tab " << tab << " in "
          << widget->parentWidget()->metaObject()->className();
    }
  }
}

TEST(NoLog, IsToldWithTheHostThatKeepsNone) {
  record::RunRecord record = example_record("quick");
  record.folder = "/runs/one";
  record.processes = {{.name = "senders", .role = Role::sender, .place = "box", .first_service = 1, .services = 2},
                      {.name = "receivers", .role = Role::receiver, .place = "vm1", .first_service = 1, .services = 2}};
  for (record::ProcessRecord& process : record.processes) process.exit_code = 0;
  record.processes[1].log_dir = record.folder;
  EXPECT_EQ(no_log_text(record, Role::sender, 2).toStdString(),
            "The log of quick: sender 2 is not on this computer. box has no shell: its processes keep no log files.");
  EXPECT_EQ(no_log_text(record, Role::receiver, 2).toStdString(),
            "The log of quick: receiver 2 is not on this computer.");
}

TEST_F(ResultsPageTest, SaysOnceThatTheResultOfNotesIsGoneAndTriesNoMore) {
  const int64_t id = add("one");
  show_page();
  tabs().setCurrentIndex(6);
  auto* editor = page->findChild<NotesEditor*>();
  auto* keep_soon = editor->findChild<QTimer*>("keep soon", Qt::FindDirectChildrenOnly);
  ASSERT_NE(keep_soon, nullptr);
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(store->purge(INT64_MAX));
  QSignalSpy trouble(editor, &NotesEditor::trouble);
  QTest::keyClicks(&named<QPlainTextEdit>("Notes on this result"), "cable 2");
  ASSERT_TRUE(trouble.wait(kPatience));
  EXPECT_EQ(trouble.front().front().toString(),
            "The notes on result #1 were not saved: the result was deleted permanently.");
  EXPECT_TRUE(said("not saved: the result was deleted permanently"));
  QTest::keyClicks(&named<QPlainTextEdit>("Notes on this result"), " and more");
  EXPECT_FALSE(keep_soon->isActive());
  EXPECT_EQ(trouble.count(), 1);
}

TEST_F(ResultsPageTest, NotesThatCannotBeSavedYetAreKeptWhenAnotherResultIsChosen) {
  const int64_t first = add("first");
  const int64_t second = add("second");
  store->set_busy_timeout(std::chrono::milliseconds(1));
  show_page();
  tabs().setCurrentIndex(6);
  auto& notes = named<QPlainTextEdit>("Notes on this result");
  auto other = store::Connection::open(store->path(), store::Access::read_write, std::chrono::seconds(1));
  ASSERT_TRUE(other->run("BEGIN IMMEDIATE"));
  QTest::keyClicks(&notes, "cable 2");
  rows().selectRow(1);
  ASSERT_TRUE(QTest::qWaitFor([&] { return notes.toPlainText().isEmpty(); }, kPatience)) << "the other's";
  EXPECT_TRUE(said("The notes are not saved yet"));
  rows().selectRow(0);
  EXPECT_TRUE(QTest::qWaitFor([&] { return notes.toPlainText() == "cable 2"; }, kPatience)) << "still here";
  rows().selectRow(1);
  ASSERT_TRUE(other->run("COMMIT"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return store->notes(second) == "cable 2"; }, kPatience));
  EXPECT_EQ(store->notes(first), "");
}

}  // namespace
}  // namespace n2nq::ui
