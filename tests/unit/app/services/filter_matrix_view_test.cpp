#include "ui/services/filter_matrix_view.h"

#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "ui/services/heat_legend.h"
#include "ui/services/matrix_table.h"
#include "ui/theme/heat.h"

namespace n2nq::ui {
namespace {

class FilterMatrices : public testing::Test {
 protected:
  void open(uint32_t senders, uint32_t receivers) {
    draft.set_size(senders, receivers);
    view = std::make_unique<FilterMatrixView>(draft);
    view->resize(1280, 780);
    view->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(view.get()));
    table = &view->table();
    table->setFocus();
    QApplication::processEvents();
  }
  QPoint middle(int receiver, int sender) const {
    return table->visualRect(table->model()->index(receiver - 1, sender - 1)).center();
  }
  void click(int receiver, int sender, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, middle(receiver, sender));
  }
  void press(const char* action) {
    for (auto* button : view->findChildren<QAbstractButton*>()) {
      if (button->accessibleName() == action) return button->click();
    }
    FAIL() << "no button " << action;
  }
  bool wanted(uint32_t receiver, uint32_t sender) const { return draft.matrix().wanted(receiver, sender); }
  int wanted_in_all() const {
    int cells = 0;
    for (uint32_t r = 1; r <= draft.receivers(); r++) {
      for (uint32_t s = 1; s <= draft.senders(); s++) cells += wanted(r, s) ? 1 : 0;
    }
    return cells;
  }

  FilterDraft draft;
  std::unique_ptr<FilterMatrixView> view;
  MatrixTable* table = nullptr;
};

// Each header keeps a line for it, outside of its numbers, and paints something there.
TEST_F(FilterMatrices, BothAxesHaveTheirName) {
  open(10, 8);
  for (QHeaderView* header : {table->horizontalHeader(), table->verticalHeader()}) {
    const bool along_top = header->orientation() == Qt::Horizontal;
    const QFontMetrics metrics(header->font());
    const int band = metrics.height();
    const QImage image = header->viewport()->grab().toImage();
    const QRect name = along_top ? QRect(0, 0, header->length(), band) : QRect(0, 0, band, header->length());
    int inked = 0;
    for (int x = name.left(); x <= std::min(name.right(), image.width() - 1); x++)
      for (int y = name.top(); y <= std::min(name.bottom(), image.height() - 1); y++)
        inked += image.pixel(x, y) == image.pixel(image.width() - 1, image.height() - 1) ? 0 : 1;
    EXPECT_GT(inked, 50) << (along_top ? "senders" : "receivers");
  }
}

TEST_F(FilterMatrices, AClickTicksAndAnotherClears) {
  open(10, 8);
  QSignalSpy edited(&draft, &FilterDraft::edited);
  click(3, 7);
  EXPECT_FALSE(wanted(3, 7));
  EXPECT_EQ(wanted_in_all(), 79);
  click(3, 7);
  EXPECT_TRUE(wanted(3, 7));
  EXPECT_EQ(edited.size(), 2);
}

TEST_F(FilterMatrices, ADragSelectsABlockAndSpaceChangesIt) {
  open(10, 8);
  QTest::mousePress(table->viewport(), Qt::LeftButton, {}, middle(2, 2));
  QTest::mouseMove(table->viewport(), middle(3, 3));
  QTest::mouseMove(table->viewport(), middle(4, 5));
  QTest::mouseRelease(table->viewport(), Qt::LeftButton, {}, middle(4, 5));
  ASSERT_EQ(table->selected_cells(), 12);
  EXPECT_EQ(wanted_in_all(), 80);
  QTest::keyClick(table, Qt::Key_Space);
  EXPECT_EQ(wanted_in_all(), 68);
  QTest::keyClick(table, Qt::Key_Space);
  EXPECT_EQ(wanted_in_all(), 80);
}

TEST_F(FilterMatrices, TheKeyboardSelectsAndTicksToo) {
  open(10, 8);
  table->setCurrentIndex(table->model()->index(0, 0));
  QTest::keyClick(table, Qt::Key_Space);
  EXPECT_FALSE(wanted(1, 1));
  QTest::keyClick(table, Qt::Key_Right, Qt::ShiftModifier);
  QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(table, Qt::Key_Space);
  EXPECT_EQ(wanted_in_all(), 80);
}

TEST_F(FilterMatrices, AHeaderSelectsItsRowOrColumn) {
  open(10, 8);
  const QHeaderView* senders = table->horizontalHeader();
  QTest::mouseClick(senders->viewport(), Qt::LeftButton, {}, QPoint(senders->sectionViewportPosition(4) + 4, 4));
  press("Clear");
  EXPECT_EQ(wanted_in_all(), 72);
  EXPECT_FALSE(wanted(8, 5));
}

TEST_F(FilterMatrices, ButtonsActOnTheSelectionOrOnAll) {
  open(10, 10);
  press("Clear");
  EXPECT_EQ(wanted_in_all(), 0);
  press("Pin one-to-one");
  EXPECT_EQ(wanted_in_all(), 10);
  EXPECT_TRUE(wanted(4, 4));
  press("Invert");
  EXPECT_EQ(wanted_in_all(), 90);
  table->selectRow(3);
  press("Select");
  EXPECT_EQ(wanted_in_all(), 91);
  press("Pin one-to-one");
  EXPECT_EQ(wanted_in_all(), 82);
  press("All to all");
  EXPECT_EQ(wanted_in_all(), 100);
}

TEST_F(FilterMatrices, AHundredByAHundredFitsASmallScreen) {
  open(100, 100);
  EXPECT_LE(table->horizontalHeader()->length(), table->viewport()->width());
  EXPECT_LE(table->verticalHeader()->length(), table->viewport()->height());
  press("Larger cells");
  press("Larger cells");
  EXPECT_GT(table->verticalHeader()->length(), table->viewport()->height());
  press("Fit all cells");
  EXPECT_LE(table->verticalHeader()->length(), table->viewport()->height());
}

TEST_F(FilterMatrices, AThousandByAThousandOpensAndIsEditedAsAWhole) {
  open(1000, 1000);
  table->selectAll();
  QTest::keyClick(table, Qt::Key_Space);
  EXPECT_EQ(wanted_in_all(), 0);
  press("Pin one-to-one");
  EXPECT_EQ(wanted_in_all(), 1000);
}

TEST_F(FilterMatrices, ACellReadAloudSaysWhoWantsWhom) {
  open(5, 5);
  click(2, 3);
  EXPECT_EQ(table->model()->index(1, 2).data(Qt::AccessibleTextRole).toString(), "r2 receives none from s3");
  EXPECT_EQ(table->model()->index(1, 1).data(Qt::AccessibleTextRole).toString(), "r2 receives messages from s2");
}

TEST_F(FilterMatrices, RoutesAreColouredByHowMuchGoesAlongThem) {
  open(4, 3);
  const auto* legend = view->findChild<HeatLegend*>();
  EXPECT_TRUE(legend->isHidden()) << "nobody knows without a plan";
  plan::RunPlan plan;
  plan.senders.delay_ns = 10'000'000;
  plan.senders.messages = 500;
  view->set_plan(plan);
  EXPECT_EQ(legend->accessibleDescription(), "100 messages/s by the plan");
  draft.set_filters({{.receivers = control::parse_services("2").value(), .filter = "index=1..100"},
                     {.receivers = control::parse_services("3").value(), .filter = "senders=1"}});
  EXPECT_EQ(legend->accessibleDescription(), "20 to 100 messages/s by the plan");
  EXPECT_FALSE(legend->isHidden());
  const auto said = [&](int receiver, int sender) {
    return table->model()->index(receiver - 1, sender - 1).data(Qt::AccessibleTextRole).toString();
  };
  EXPECT_EQ(said(1, 4), "r1 receives messages from s4, 100 messages/s");
  EXPECT_EQ(said(2, 4), "r2 receives messages from s4, 20 messages/s");
  EXPECT_EQ(said(3, 4), "r3 receives none from s4");
  const auto color = [&](int receiver, int sender) {
    const QImage picture = table->viewport()->grab().toImage();
    return picture.pixelColor(table->visualRect(table->model()->index(receiver - 1, sender - 1)).topLeft() +
                              QPoint(4, 4));
  };
  EXPECT_EQ(color(1, 4), theme::heat_color(figures::Hue::receiver, 1));
  EXPECT_EQ(color(2, 4), theme::heat_color(figures::Hue::receiver, 0));
  EXPECT_EQ(color(3, 4), table->palette().color(QPalette::Base));
  view->set_rates({90, 0, 45, 90});
  EXPECT_EQ(legend->accessibleDescription(), "9 to 90 messages/s by the senders' rates now");
  EXPECT_EQ(said(1, 3), "r1 receives messages from s3, 45 messages/s");
  view->set_rates({});
  EXPECT_EQ(said(1, 3), "r1 receives messages from s3, 100 messages/s");
  draft.set_filters({});
  view->set_rates({200.01, 200, 200.02, 200.03});
  EXPECT_EQ(color(1, 4), theme::heat_color(figures::Hue::receiver, 0.5)) << "as alike as they read";
  EXPECT_EQ(color(1, 2), color(1, 4));
  view->set_rates({});
  plan.senders.fleet.attach = "127.0.0.1:7500";
  view->set_plan(plan);
  EXPECT_TRUE(legend->isHidden()) << "attached senders have a schedule of their own";
}

TEST_F(FilterMatrices, TheEndsOfARouteHaveWhatTheirServicesTold) {
  open(3, 2);
  const QAbstractItemModel& model = *table->model();
  const auto head = [&](Qt::Orientation of, int number) {
    return model.headerData(number - 1, of, Qt::AccessibleTextRole).toString().toStdString();
  };
  const auto ink = [&](QHeaderView* header) { return header->viewport()->grab().toImage(); };
  const int narrow = table->verticalHeader()->width();
  EXPECT_EQ(head(Qt::Horizontal, 2), "s2");
  view->set_told({90.0, 0.0, std::nullopt}, {45.0, std::nullopt});
  EXPECT_EQ(head(Qt::Horizontal, 1), "s1 sends 90 messages/s now.");
  EXPECT_EQ(head(Qt::Horizontal, 2), "s2 sends 0 messages/s now.");
  EXPECT_EQ(head(Qt::Horizontal, 3), "s3 sends – messages/s now.");
  EXPECT_EQ(head(Qt::Vertical, 2), "r2 receives – messages/s now.");
  EXPECT_EQ(model.index(0, 2).data(Qt::AccessibleTextRole).toString().toStdString(),
            "r1 receives messages from s3. Measured: s3 sends – messages/s, r1 receives 45 from all");
  QApplication::processEvents();
  EXPECT_GT(table->verticalHeader()->width(), narrow) << "room for the rates";
  const QImage before = ink(table->verticalHeader());
  view->set_told({90.0, 0.0, std::nullopt}, {46.0, std::nullopt});
  EXPECT_NE(ink(table->verticalHeader()), before);
  view->set_told({}, {});
  QApplication::processEvents();
  EXPECT_EQ(head(Qt::Vertical, 1), "r1");
  EXPECT_EQ(table->verticalHeader()->width(), narrow);
}

TEST_F(FilterMatrices, OtherAmountsAreTakenWhileOpen) {
  open(5, 5);
  const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  draft.set_size(20, 3);
  EXPECT_EQ(table->model()->rowCount(), 3);
  EXPECT_EQ(table->model()->columnCount(), 20);
  draft.set_size(0, 0);
  press("Clear");
  QApplication::processEvents();
}

}  // namespace
}  // namespace n2nq::ui
