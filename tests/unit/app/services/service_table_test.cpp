#include "ui/services/service_table.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "broker/base/clock.h"
#include "synthetic_figures.h"
#include "ui/services/service_rows.h"

namespace n2nq::ui {
namespace {

class ServiceTables : public testing::Test {
 protected:
  void open(Role role, uint32_t amount) {
    figures = many(role, amount);
    table = std::make_unique<ServiceTable>(role, [this] { return std::span<const live::ServiceFigures>(figures); });
    table->set_clock([this] { return now; });
    table->resize(360, 400);
    table->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(table.get()));
    table->refresh();
    rows = table->findChild<QTableView*>();
    rows->setFocus();
    QApplication::processEvents();
  }
  QString name(int row) const { return rows->model()->index(row, 1).data().toString(); }
  void look() {
    table->refresh();
    QApplication::processEvents();
  }
  void enter_rows(bool entered) {
    if (entered) {
      QEnterEvent event(QPointF(9, 9), QPointF(9, 9), QPointF(9, 9));
      QApplication::sendEvent(rows->viewport(), &event);
    } else {
      QEvent event(QEvent::Leave);
      QApplication::sendEvent(rows->viewport(), &event);
    }
  }
  QString labelled(const QString& name) const {
    for (const auto* label : table->findChildren<QLabel*>())
      if (label->accessibleName() == name) return label->text();
    return {};
  }
  void sort_by(Column column) { rows->sortByColumn(table->model().column_of(column), Qt::DescendingOrder); }

  std::vector<live::ServiceFigures> figures;
  int64_t now = 100 * kSecond;
  std::unique_ptr<ServiceTable> table;
  QTableView* rows = nullptr;
};

TEST_F(ServiceTables, TextsAreMadeForVisibleRowsOnly) {
  open(Role::receiver, 2'000);
  const auto visible = static_cast<uint64_t>(rows->viewport()->height() / rows->rowHeight(0) + 2);
  const auto before = table->model().counters();
  look();
  const auto after = table->model().counters();
  EXPECT_EQ(after.data_changed - before.data_changed, 1U);
  EXPECT_GT(after.data_calls - before.data_calls, visible);
  EXPECT_LE(after.data_calls - before.data_calls, visible * 6 * 2);
}

TEST_F(ServiceTables, OnlyCellsThatShowSomethingElseArePaintedAtALook) {
  open(Role::receiver, 12);
  look();
  const auto* view = static_cast<ServiceRows*>(rows);
  const auto renewed_by = [&](auto change) {
    const uint64_t before = view->cells_renewed();
    change();
    look();
    return view->cells_renewed() - before;
  };
  EXPECT_EQ(renewed_by([] {}), 0u);
  EXPECT_EQ(renewed_by([&] { figures[2].count++; }), 1u);
  EXPECT_EQ(renewed_by([&] { figures[2].latency_ns = *figures[2].latency_ns + 1; }), 0u) << "it is rounded away";
  EXPECT_EQ(renewed_by([&] { figures[3].state = live::ServiceState::gone; }), 1u);
  EXPECT_EQ(renewed_by([&] { figures[3].lost = 5; }), 1u);
  EXPECT_GT(renewed_by([&] { sort_by(Column::count); }), 12u) << "other services are in the rows";
}

TEST_F(ServiceTables, BetweenTwoLooksACellShowsTheSame) {
  open(Role::receiver, 12);
  look();
  const auto picture = [&] { return rows->viewport()->grab().toImage(); };
  const QImage before = picture();
  for (live::ServiceFigures& service : figures) service.count += 1'234;
  EXPECT_EQ(picture(), before);
  look();
  EXPECT_NE(picture(), before);
}

TEST_F(ServiceTables, WhatIsOnTheScreenAfterALookIsWhatAWholePaintShows) {
  open(Role::receiver, 200);
  for (int step = 0; step < 12; step++) {
    figures[static_cast<size_t>(step) % 7].count += 17;
    figures[static_cast<size_t>(step) % 5].lost = step;
    rows->verticalScrollBar()->setValue(step * 7);
    if (step == 6) sort_by(Column::lost);
    look();
    const QImage screen = table->screen()->grabWindow(table->winId()).toImage();
    EXPECT_EQ(screen, table->grab().toImage().convertToFormat(screen.format())) << step;
  }
}

TEST_F(ServiceTables, WhileHiddenNothingIsDoneUntilItIsShownAgain) {
  open(Role::receiver, 100);
  table->hide();
  const auto before = table->model().counters().data_changed;
  table->refresh();
  table->refresh();
  EXPECT_EQ(table->model().counters().data_changed, before);
  now += 2 * kSecond;
  table->refresh();
  EXPECT_EQ(table->model().counters().data_changed, before);
  EXPECT_EQ(table->model().trend(3).size(), 3u) << "a trend goes on, and a second that was missed is a gap";
  table->show();
  EXPECT_EQ(table->model().counters().data_changed, before + 1);
}

TEST_F(ServiceTables, EachWayToALogNamesTheService) {
  open(Role::sender, 20);
  QSignalSpy opened(table.get(), &ServiceTable::open_log);
  const auto click = [&](int row, int column) {
    QTest::mouseClick(rows->viewport(), Qt::LeftButton, {},
                      rows->visualRect(rows->model()->index(row, column)).center());
  };
  click(2, 0);
  ASSERT_EQ(opened.size(), 1);
  EXPECT_EQ(opened.takeFirst()[1].toUInt(), 3U);
  click(4, 1);
  EXPECT_EQ(opened.size(), 0);
  QTest::keyClick(rows, Qt::Key_Return);
  QTest::keyClick(rows, Qt::Key_L, Qt::ControlModifier);
  QTest::mouseDClick(rows->viewport(), Qt::LeftButton, {}, rows->visualRect(rows->model()->index(4, 1)).center());
  ASSERT_EQ(opened.size(), 3);
  for (const auto& one : opened) EXPECT_EQ(one[1].toUInt(), 5U);
}

TEST_F(ServiceTables, RowsAreSortedAnewOnceASecond) {
  open(Role::receiver, 50);
  sort_by(Column::lost);
  figures[30].lost = 7;
  now += kSecond / 2;
  look();
  EXPECT_EQ(name(0), "r1");
  now += kSecond / 2;
  look();
  EXPECT_EQ(name(0), "r31");
}

TEST_F(ServiceTables, RowsDoNotMoveUnderThePointer) {
  open(Role::receiver, 50);
  sort_by(Column::lost);
  figures[30].lost = 7;
  now += 5 * kSecond;
  enter_rows(true);
  look();
  EXPECT_EQ(name(0), "r1");
  enter_rows(false);
  look();
  EXPECT_EQ(name(0), "r31");
}

TEST_F(ServiceTables, RowsDoNotMoveJustAfterAKey) {
  open(Role::receiver, 50);
  sort_by(Column::lost);
  figures[30].lost = 7;
  now += 5 * kSecond;
  QTest::keyClick(rows, Qt::Key_Down);
  now += kSecond;
  look();
  EXPECT_EQ(name(0), "r1");
  now += kSecond;
  look();
  EXPECT_EQ(name(0), "r31");
}

TEST_F(ServiceTables, AMenuKeepsToTheServiceItWasOpenedAt) {
  open(Role::receiver, 50);
  sort_by(Column::lost);
  rows->setCurrentIndex(rows->model()->index(4, 1));
  QSignalSpy opened(table.get(), &ServiceTable::open_log);
  QSignalSpy slowest(table.get(), &ServiceTable::slowest_wanted);
  const auto menu = [&] {
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(9, 9), rows->mapToGlobal(QPoint(9, 9)));
    QApplication::sendEvent(rows, &event);
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  };
  QMenu* first = menu();
  ASSERT_NE(first, nullptr);
  figures[30].lost = 7;
  now += 5 * kSecond;
  look();
  EXPECT_EQ(name(0), "r1") << "rows do not move under a menu";
  sort_by(Column::latency);  // they may for another reason
  first->actions().first()->trigger();
  ASSERT_EQ(opened.size(), 1);
  EXPECT_EQ(opened[0][1].toUInt(), 5U);
  for (QAction* action : first->actions())
    if (action->text() == "Find its slowest message") action->trigger();
  ASSERT_EQ(slowest.size(), 1);
  EXPECT_EQ(slowest[0][1].toUInt(), 5U);
  first->close();
  sort_by(Column::lost);
  figures[31].lost = 9;
  now += 5 * kSecond;
  look();
  EXPECT_EQ(name(0), "r32");
}

TEST_F(ServiceTables, AreSortedByKeysToo) {
  open(Role::receiver, 50);
  figures[30].lost = 7;
  look();
  rows->setCurrentIndex(rows->model()->index(4, table->model().column_of(Column::lost)));
  const auto sort_from_menu = [&] {
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(9, 9), rows->mapToGlobal(QPoint(9, 9)));
    QApplication::sendEvent(rows, &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QString text;
    for (QAction* action : menu->actions())
      if (action->text().startsWith("Sort by")) {
        text = action->text();
        action->trigger();
      }
    menu->close();
    return text;
  };
  EXPECT_EQ(sort_from_menu(), "Sort by lost, largest first");
  EXPECT_EQ(name(0), "r31");
  EXPECT_EQ(sort_from_menu(), "Sort by lost, smallest first");
  EXPECT_EQ(name(49), "r31");
}

TEST_F(ServiceTables, ASelectionOutlivesLooksSortsAndFilters) {
  open(Role::receiver, 50);
  table->select({4, 9, 31});
  figures[30].lost = 7;
  sort_by(Column::lost);
  look();
  EXPECT_THAT(table->selection(), testing::ElementsAre(4, 9, 31));
  QTest::keyClick(rows, Qt::Key_F, Qt::ControlModifier);
  auto* filter = table->findChild<QLineEdit*>();
  ASSERT_TRUE(filter->isVisible());
  QTest::keyClicks(filter, "1-10");
  EXPECT_EQ(rows->model()->rowCount(), 10);
  EXPECT_THAT(table->selection(), testing::ElementsAre(4, 9));
}

TEST_F(ServiceTables, SelectingIsToldOnceAChange) {
  open(Role::receiver, 50);
  std::vector<std::vector<uint32_t>> told;
  QObject::connect(table.get(), &ServiceTable::selected, table.get(),
                   [&](const auto& now_chosen) { told.push_back(now_chosen); });
  rows->setCurrentIndex(rows->model()->index(1, 1));
  rows->selectRow(1);
  look();
  sort_by(Column::latency);
  look();
  EXPECT_THAT(told, testing::ElementsAre(std::vector<uint32_t>{2}));
}

TEST_F(ServiceTables, AFilterThatIsNotUnderstoodSaysSoAndLeavesTheRows) {
  open(Role::receiver, 50);
  QTest::keyClick(rows, Qt::Key_F, Qt::ControlModifier);
  auto* filter = table->findChild<QLineEdit*>();
  QTest::keyClicks(filter, "lots");
  EXPECT_EQ(rows->model()->rowCount(), 50);
  bool said = false;
  for (const auto* label : table->findChildren<QLabel*>()) said |= label->isVisible() && label->text().contains("lots");
  EXPECT_TRUE(said);
  QTest::keyClick(filter, Qt::Key_Escape);
  EXPECT_FALSE(filter->isVisible());
  EXPECT_TRUE(rows->hasFocus());
}

TEST_F(ServiceTables, RowsAreCopiedForASpreadsheet) {
  open(Role::sender, 5);
  table->select({2, 3});
  QTest::keyClick(rows, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(),
            "name\tdelay [ns]\trate [/s]\tsent\n"
            "s2\t20020000\t49.9\t241\n"
            "s3\t20030000\t49.9\t241\n");
}

TEST_F(ServiceTables, NothingMovesWhileFiguresGrowWithinTheirDigits) {
  open(Role::receiver, 50);
  std::vector<int> widths;
  for (int c = 0; c < rows->model()->columnCount(); c++) widths.push_back(rows->columnWidth(c));
  for (auto& service : figures) {
    service.count = 999'999;
    service.latency_ns = 999'900'000;
    service.rate_per_s = 99'999;
    service.lost = 999;
  }
  look();
  for (int c = 0; c < rows->model()->columnCount(); c++)
    EXPECT_EQ(rows->columnWidth(c), widths[static_cast<size_t>(c)]);
  figures[0].count = 1'000'000;
  look();
  const int count = table->model().column_of(Column::count);
  EXPECT_GT(rows->columnWidth(count), widths[static_cast<size_t>(count)]);
}

TEST_F(ServiceTables, ColumnsShareTheWidthOfAWidePanelAndStandStillWhileFiguresGrow) {
  for (const Role role : {Role::sender, Role::receiver}) {
    open(role, 50);
    table->resize(960, 400);
    QApplication::processEvents();
    EXPECT_EQ(rows->horizontalHeader()->length(), rows->viewport()->width());
    const auto widths = [this] {
      std::vector<int> all;
      for (int c = 0; c < rows->model()->columnCount(); c++) all.push_back(rows->columnWidth(c));
      return all;
    };
    const auto before = widths();
    figures[0].count = 1'000'000'000;
    look();
    EXPECT_EQ(widths(), before) << "a column with room takes more digits";
    EXPECT_EQ(rows->horizontalHeader()->length(), rows->viewport()->width());
    table->resize(300, 400);
    QApplication::processEvents();
    EXPECT_GE(rows->horizontalHeader()->length(), rows->viewport()->width()) << "it scrolls, nothing is cut off";
  }
}

TEST_F(ServiceTables, HaveTheColumnsThatTheRunHasFiguresFor) {
  open(Role::sender, 3);
  const auto shown = [this](const QString& header) {
    for (int c = 0; c < rows->model()->columnCount(); c++)
      if (rows->model()->headerData(c, Qt::Horizontal).toString().section('\n', 0, 0).section(" [", 0, 0) == header)
        return !rows->isColumnHidden(c);
    ADD_FAILURE() << "no " << header.toStdString();
    return false;
  };
  for (const char* column : {"Replies", "Timed out", "Turnaround now", "Late", "Doubles", "Open"})
    EXPECT_FALSE(shown(column)) << column;
  table->set_told({.replies = true});
  for (const char* column : {"Replies", "Timed out", "Turnaround now", "Late", "Doubles", "Open"})
    EXPECT_TRUE(shown(column)) << column;
  table->show_columns({"name", "count", "accepted"});
  EXPECT_TRUE(shown("Accepted"));
  table->set_told({.answers = false, .own_queue = false});
  EXPECT_FALSE(shown("Accepted")) << "the bus does not say it";
  open(Role::receiver, 3);
  EXPECT_TRUE(shown("Lost"));
  table->set_told({.own_queue = false});
  EXPECT_FALSE(shown("Lost")) << "our queue alone says it";
}

TEST_F(ServiceTables, OfRequestsAndRepliesCallTheServicesSo) {
  struct Words {
    Role role;
    const char* several;
    const char* one;
    QString name;
  };
  for (const Words& words : {Words{Role::sender, "requesters", "requester", "Senders: shown"},
                             Words{Role::receiver, "repliers", "replier", "Receivers: shown"}}) {
    open(words.role, 3);
    table->set_told({.replies = true});
    EXPECT_EQ(labelled(words.name), QString("3 %1").arg(words.several));
    for (const auto* button : table->findChildren<QToolButton*>())
      if (button->accessibleName().startsWith("Filter") || button->accessibleName().startsWith("Columns")) {
        EXPECT_THAT(button->toolTip().toStdString(), testing::HasSubstr(words.one));
      }
    EXPECT_THAT(rows->accessibleDescription().toStdString(), testing::HasSubstr(words.one));
    EXPECT_THAT(table->findChild<QLineEdit*>()->toolTip().toStdString(), testing::HasSubstr(words.several));
    table->set_told({});
    EXPECT_THAT(labelled(words.name).toStdString(), testing::Not(testing::HasSubstr(words.one)));
  }
}

TEST_F(ServiceTables, EveryTextHasRoomInItsColumn) {
  for (const Role role : {Role::sender, Role::receiver}) {
    open(role, 200);
    table->set_told({.responses = true, .replies = true});
    table->show_columns({"trend", "delay", "lateness", "latency", "scheduled_latency", "p50", "p99", "rate", "count",
                         "accepted", "held", "bytes", "lost", "duplicates", "reordered", "corrupt", "requests",
                         "log_stalls", "state"});
    look();
    const QFontMetrics cells(rows->font());
    const QFontMetrics header(rows->horizontalHeader()->font());
    for (int c = 1; c < rows->model()->columnCount(); c++) {
      if (table->model().spec(c).kind == Kind::trend) {
        EXPECT_TRUE(rows->isColumnHidden(c)) << "figures come first";
        continue;
      }
      EXPECT_GE(rows->columnWidth(c), cells.horizontalAdvance(rows->model()->index(199, c).data().toString()) + 8);
      EXPECT_GE(
          rows->columnWidth(c),
          header.horizontalAdvance(rows->model()->headerData(c, Qt::Horizontal).toString().section('\n', 0, 0)) + 8);
    }
  }
}

TEST_F(ServiceTables, TheUsualColumnsFitANarrowPanel) {
  for (const Role role : {Role::sender, Role::receiver}) {
    open(role, 200);
    EXPECT_LE(rows->horizontalHeader()->length(), 396);
    if (role == Role::sender) continue;
    const int p99 = table->model().column_of(Column::p99);
    EXPECT_LE(rows->columnViewportPosition(p99) + rows->columnWidth(p99), 300) << "in sight at 1280";
  }
}

TEST_F(ServiceTables, ANumberThatIsCutIsNotShown) {
  open(Role::sender, 2);
  const int sent = table->model().column_of(Column::count);
  figures[0].count = 12'000;
  figures[1].count = 17'777;
  look();
  const auto cells = [&](int row) {
    QRect cell = rows->visualRect(rows->model()->index(row, sent)) & rows->viewport()->rect();
    return rows->viewport()->grab(cell).toImage();
  };
  const int end = rows->columnViewportPosition(sent) + rows->columnWidth(sent);
  table->resize(table->width() + end - rows->viewport()->width(), 400);
  QApplication::processEvents();
  EXPECT_NE(cells(0), cells(1));
  rows->horizontalScrollBar()->setRange(0, 100);
  rows->setColumnWidth(sent, rows->columnWidth(sent) + 12);
  EXPECT_EQ(cells(0), cells(1)) << "its last digit is out of sight";
  rows->horizontalScrollBar()->setValue(12);
  QApplication::processEvents();
  EXPECT_NE(cells(0), cells(1));
}

TEST_F(ServiceTables, AtTheEndOfTheRunTheColumnsThatFittedStillFit) {
  open(Role::receiver, 12);
  table->resize(420, 400);
  for (int second = 0; second < 3; second++) {
    for (auto& receiver : figures) receiver.count += 4'000;
    now += kSecond;
    look();
  }
  const auto width = [&] {
    int all = 0;
    for (int c = 0; c < rows->model()->columnCount(); c++) all += rows->columnWidth(c);
    return all;
  };
  ASSERT_LE(width(), rows->viewport()->width());
  table->set_over(Over::whole_run);
  look();
  EXPECT_LE(width(), rows->viewport()->width());
}

TEST_F(ServiceTables, LatenciesKeepTheirUnitToTheEndOfTheRun) {
  open(Role::receiver, 12);
  for (auto& receiver : figures) receiver.latency_p50_ns = 1'200'000;
  look();
  const int p50 = table->model().column_of(Column::p50);
  EXPECT_EQ(rows->model()->headerData(p50, Qt::Horizontal).toString(), QString::fromUtf8("p50\n[µs]"));
  table->set_over(Over::whole_run);
  look();
  EXPECT_EQ(rows->model()->headerData(p50, Qt::Horizontal).toString(), QString::fromUtf8("p50\n[µs]"));
}

TEST_F(ServiceTables, ColumnsAreChosenFromAMenuAndCanBeRemembered) {
  open(Role::receiver, 5);
  QSignalSpy changed(table.get(), &ServiceTable::columns_changed);
  for (auto* button : table->findChildren<QToolButton*>()) {
    if (button->accessibleName() == "Columns of receivers") button->click();
  }
  auto* menu = table->findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  for (auto* action : menu->actions()) {
    if (action->text() == "Latency now") action->trigger();
  }
  menu->close();
  EXPECT_EQ(changed.size(), 1);
  EXPECT_EQ(table->shown_columns(), QStringList({"trend", "p50", "p99", "rate", "count", "lost", "latency"}));
  table->show_columns({"rate", "no such column"});
  EXPECT_EQ(table->shown_columns(), QStringList({"rate"}));
}

TEST_F(ServiceTables, TheMenuOfColumnsSaysOverWhatTheyAre) {
  open(Role::receiver, 5);
  const auto texts = [&] {
    for (auto* button : table->findChildren<QToolButton*>())
      if (button->accessibleName() == "Columns of receivers") button->click();
    QMenu* menu = table->findChildren<QMenu*>().back();
    QStringList all;
    for (const auto* action : menu->actions()) all << action->text();
    menu->close();
    return all;
  };
  EXPECT_TRUE(texts().contains("Latency now"));
  table->set_over(Over::whole_run);
  EXPECT_FALSE(texts().contains("Latency now"));
  EXPECT_TRUE(texts().contains("Mean latency"));
}

TEST_F(ServiceTables, ATrendTakesAPointASecondAndIsPaintedThenAlone) {
  open(Role::sender, 12);
  table->resize(700, 400);
  look();
  const auto* view = static_cast<ServiceRows*>(rows);
  const int trend = table->model().column_of(Column::trend);
  ASSERT_FALSE(rows->isColumnHidden(trend));
  const auto renewed_by_look = [&] {
    const uint64_t before = view->cells_renewed();
    look();
    return view->cells_renewed() - before;
  };
  EXPECT_EQ(table->model().trend(3), std::vector({49.9F + 0.0}));
  figures[3].rate_per_s = 49.91;  // rounded away
  for (int tick = 1; tick < 10; tick++) {
    now += kSecond / 10;
    EXPECT_EQ(renewed_by_look(), 0u) << tick;
  }
  now += kSecond / 10;
  EXPECT_EQ(renewed_by_look(), 12u) << "the trends, and nothing else";
  EXPECT_EQ(table->model().trend(3).size(), 2u);
  EXPECT_THAT(rows->model()->index(3, trend).data(Qt::AccessibleTextRole).toString().toStdString(),
              testing::StartsWith("s4 rate of the last minute 49.9"));
}

TEST_F(ServiceTables, AfterTheRunTrendsStayAsTheyWere) {
  open(Role::sender, 12);
  table->resize(700, 400);
  table->set_over(Over::whole_run);
  now += 5 * kSecond;
  look();
  EXPECT_EQ(table->model().trend(3).size(), 1u);
  EXPECT_FALSE(rows->isColumnHidden(table->model().column_of(Column::trend)));
  table->start_anew();
  look();
  EXPECT_TRUE(rows->isColumnHidden(table->model().column_of(Column::trend))) << "a result that is read has none";
}

TEST_F(ServiceTables, TheSlowestAndTheLosingSayWhy) {
  open(Role::receiver, 12);
  figures[4].latency_p99_ns = 384'000;
  figures[6].lost = 3;
  now += kSecond;
  look();
  const auto at = [&](int row, Column column, int role) {
    return rows->model()->index(row, table->model().column_of(column)).data(role);
  };
  const auto tip = [&](int row, Column column) { return at(row, column, Qt::ToolTipRole).toString().toStdString(); };
  EXPECT_TRUE(at(4, Column::p99, ServiceModel::kMarkRole).toBool());
  EXPECT_FALSE(at(3, Column::p99, ServiceModel::kMarkRole).toBool());
  EXPECT_EQ(tip(4, Column::p99),
            "r5 is the slowest receiver: its p99 of 384.0 µs is 3.1 × the median of all, 124.0 µs.");
  EXPECT_THAT(tip(4, Column::name), testing::HasSubstr("the slowest receiver"));
  EXPECT_THAT(at(4, Column::p99, Qt::AccessibleTextRole).toString().toStdString(), testing::EndsWith(", the slowest"));
  EXPECT_EQ(tip(6, Column::lost), "r7 lost 3 of 12,043 messages: the queue removed them before it got them.");
  figures[4].latency_p99_ns = 125'000;
  now += kSecond / 2;
  look();
  EXPECT_TRUE(at(4, Column::p99, ServiceModel::kMarkRole).toBool()) << "found once a second";
  now += kSecond / 2;
  look();
  EXPECT_FALSE(at(4, Column::p99, ServiceModel::kMarkRole).toBool());
}

TEST_F(ServiceTables, ResponsesBringTheirColumnsWhichCanBeDeclined) {
  open(Role::receiver, 3);
  figures[0].responses = 12'000;
  figures[0].deliveries = 12'040;
  figures[0].redelivered = 7;
  look();
  const auto shown = [&](Column column) { return !rows->isColumnHidden(table->model().column_of(column)); };
  EXPECT_FALSE(shown(Column::responses));
  table->set_told({.responses = true});
  EXPECT_TRUE(shown(Column::responses) && shown(Column::redelivered) && shown(Column::outstanding));
  table->resize(500, 400);
  QApplication::processEvents();
  EXPECT_TRUE(shown(Column::trend)) << "they are scrolled to, and take no room from the others";
  const auto text = [&](Column column) {
    return rows->model()->index(0, table->model().column_of(column)).data().toString().toStdString();
  };
  EXPECT_EQ(text(Column::responses), "12,000");
  EXPECT_EQ(text(Column::redelivered), "7");
  EXPECT_EQ(text(Column::outstanding), "40");
  table->show_columns({"p99", "-redelivered"});
  EXPECT_TRUE(shown(Column::responses));
  EXPECT_FALSE(shown(Column::redelivered));
  EXPECT_EQ(table->shown_columns(), QStringList({"p99", "-redelivered"}));
}

TEST_F(ServiceTables, TenThousandRowsAreNoTrouble) {
  open(Role::receiver, 10'000);
  rows->selectAll();
  sort_by(Column::latency);
  look();
  EXPECT_EQ(table->selection().size(), 10'000U);
  EXPECT_EQ(name(0), "r10000");
}

TEST_F(ServiceTables, ControlsCanBeFoundByName) {
  open(Role::sender, 5);
  EXPECT_EQ(rows->accessibleName(), "Senders");
  for (auto* button : table->findChildren<QToolButton*>()) {
    if (button->isVisible()) {
      EXPECT_FALSE(button->accessibleName().isEmpty());
      EXPECT_FALSE(button->toolTip().isEmpty());
    }
  }
}

}  // namespace
}  // namespace n2nq::ui
