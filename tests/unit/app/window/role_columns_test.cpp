#include "ui/run/role_columns.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

namespace n2nq::ui {
namespace {

class Block : public QWidget {
 public:
  explicit Block(int least_width) : least_width_(least_width) {}
  QSize minimumSizeHint() const override { return {least_width_, 100}; }
  QSize sizeHint() const override { return minimumSizeHint(); }
  void need(int width) {
    least_width_ = width;
    QApplication::postEvent(this, new QEvent(QEvent::LayoutRequest));
    QApplication::processEvents();
  }

 private:
  int least_width_;
};

constexpr int kMargins = 2 * 12;  // of the page

class RoleColumnsTest : public testing::Test {
 protected:
  RoleColumnsTest() {
    log_->hide();
    columns_.resize(1280, 700);
    columns_.show();
  }
  void resize(int width, int height) { columns_.resize(width, height); }
  bool side_by_side() const { return senders_->isVisible() && queue_->isVisible() && receivers_->isVisible(); }

  QTemporaryDir folder_;
  QSettings settings_{folder_.filePath("window.ini"), QSettings::IniFormat};
  QWidget* senders_ = new Block(350);
  Block* queue_ = new Block(350);
  QWidget* receivers_ = new Block(350);
  QWidget* charts_ = new Block(300);
  QWidget* log_ = new Block(300);
  QWidget* filters_ = new Block(300);
  RoleColumns columns_{{.senders = senders_,
                        .queue = queue_,
                        .receivers = receivers_,
                        .charts = charts_,
                        .log = log_,
                        .filters = filters_},
                       settings_};
};

TEST_F(RoleColumnsTest, RolesStandSideBySideWhereThereIsRoom) {
  EXPECT_TRUE(side_by_side());
  EXPECT_TRUE(charts_->isVisible());
}

TEST_F(RoleColumnsTest, RolesBecomeTabsInANarrowWindowAndTheChartsStay) {
  resize(960, 700);
  EXPECT_TRUE(senders_->isVisible());
  EXPECT_FALSE(queue_->isVisible());
  EXPECT_TRUE(charts_->isVisible());
  columns_.show_column(1);
  EXPECT_TRUE(queue_->isVisible());
  EXPECT_FALSE(senders_->isVisible());
}

TEST_F(RoleColumnsTest, TabsCallTheRolesByTheModeOfThePlan) {
  resize(960, 700);
  const auto* tabs = columns_.findChild<QTabBar*>();
  EXPECT_EQ(tabs->tabText(0), "Senders");
  columns_.show_mode(plan::Mode::request_reply);
  EXPECT_EQ(tabs->tabText(0), "Requesters");
  EXPECT_EQ(tabs->tabText(1), "Queue");
  EXPECT_EQ(tabs->tabText(2), "Repliers");
  columns_.show_mode(plan::Mode::load_balancer);
  EXPECT_EQ(tabs->tabText(2), "Receivers");
}

TEST_F(RoleColumnsTest, ChartsBecomeATabInALowWindow) {
  resize(960, 450);
  EXPECT_FALSE(charts_->isVisible());
  auto* tabs = columns_.findChild<QTabBar*>();
  ASSERT_EQ(tabs->count(), 4);
  tabs->setCurrentIndex(3);
  EXPECT_TRUE(charts_->isVisible());
  EXPECT_FALSE(senders_->isVisible());
}

TEST_F(RoleColumnsTest, TheyComeBackWhereThereIsRoomAgain) {
  resize(960, 450);
  resize(960, 700);
  resize(1280, 700);
  EXPECT_TRUE(side_by_side());
  EXPECT_TRUE(charts_->isVisible());
}

// A card is widest before it knows which of its fields its plan has.
TEST_F(RoleColumnsTest, RolesStandSideBySideAgainOnceTheyNeedNoMoreThanThereIs) {
  queue_->need(700);
  EXPECT_FALSE(side_by_side());
  queue_->need(350);
  EXPECT_TRUE(side_by_side());
}

TEST_F(RoleColumnsTest, AFieldInWhichSomebodyTypesStaysWhereItIs) {
  auto* field = new QLineEdit(senders_);
  field->show();
  columns_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&columns_));
  field->setFocus();
  queue_->need(700);
  EXPECT_TRUE(side_by_side());
  QTest::keyClicks(QApplication::focusWidget(), "20");
  EXPECT_EQ(field->text(), "20");
  columns_.setFocus();  // which is no part of it
  EXPECT_TRUE(QTest::qWaitFor([this] { return !side_by_side(); }))
      << "what was due is made once the keys are elsewhere";
}

TEST_F(RoleColumnsTest, KeysStayWithTheirFieldInAWindowOfAnotherSize) {
  auto* field = new QLineEdit(queue_);
  field->show();
  columns_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&columns_));
  field->setFocus();
  for (const auto& [width, height] : {std::pair{960, 700}, {960, 450}, {1280, 700}}) {
    resize(width, height);
    EXPECT_EQ(side_by_side(), width == 1280);
    EXPECT_TRUE(field->hasFocus()) << width << " x " << height;
    QTest::keyClicks(QApplication::focusWidget(), "2");
  }
  EXPECT_EQ(field->text(), "222");
}

// Also from what QSplitter itself kept, as earlier versions did.
TEST_F(RoleColumnsTest, ATabThatIsChosenGivesTheKeysToNoButtonOfItsPage) {
  auto* field = new QLineEdit(senders_);
  auto* button = new QPushButton("Start", queue_);
  resize(700, 700);
  field->show();
  button->show();
  columns_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&columns_));
  field->setFocus();
  auto* tabs = columns_.findChild<QTabBar*>();
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  ASSERT_TRUE(button->isVisible());
  EXPECT_TRUE(tabs->hasFocus());
}

TEST_F(RoleColumnsTest, ColumnsHaveTheirSharesOnAScreenOfAnySize) {
  QSplitter before(Qt::Horizontal);
  for (int i = 0; i < 3; i++) before.addWidget(new Block(350));
  before.resize(2400, 900);
  before.show();
  before.setSizes({1400, 500, 500});
  settings_.setValue("run/columns", before.saveState());
  auto *senders = new Block(350), *queue = new Block(350), *receivers = new Block(350);
  RoleColumns columns{{.senders = senders,
                       .queue = queue,
                       .receivers = receivers,
                       .charts = new Block(300),
                       .log = new Block(300),
                       .filters = new Block(300)},
                      settings_};
  columns.resize(1200, 900);
  columns.show();
  EXPECT_GE(queue->width(), 350) << "no less than it needs";
  columns.resize(2400 + kMargins, 900);
  EXPECT_NEAR(senders->width(), 1400, 10) << "though they were squeezed meanwhile";
  EXPECT_NEAR(queue->width(), 500, 10);
  columns.save();
  columns.resize(1200, 900);
  columns.save();  // on the small screen, where nobody moved anything
  RoleColumns again{{.senders = new Block(350),
                     .queue = queue = new Block(350),
                     .receivers = new Block(350),
                     .charts = new Block(300),
                     .log = new Block(300),
                     .filters = new Block(300)},
                    settings_};
  again.resize(2400 + kMargins, 900);
  again.show();
  EXPECT_NEAR(queue->width(), 500, 10);
}

TEST_F(RoleColumnsTest, FiltersStandBesideTheChartsOrInALowWindowBesideTheTabs) {
  const QRect senders(senders_->mapTo(&columns_, QPoint()), senders_->size());
  const int charts = charts_->width();
  columns_.set_with_filters(true);
  EXPECT_TRUE(side_by_side());
  EXPECT_TRUE(charts_->isVisible() && filters_->isVisible());
  EXPECT_EQ(charts_->parentWidget(), filters_->parentWidget());
  EXPECT_LT(charts_->width(), charts);
  EXPECT_EQ(senders_->mapTo(&columns_, QPoint()), senders.topLeft());
  EXPECT_EQ(senders_->width(), senders.width()) << "only its height made room";
  resize(830, 430);
  EXPECT_TRUE(senders_->isVisible() && filters_->isVisible());
  EXPECT_GE(filters_->mapTo(&columns_, QPoint()).x(), senders_->mapTo(&columns_, QPoint()).x() + senders_->width());
  columns_.show_charts();
  EXPECT_TRUE(charts_->isVisible() && filters_->isVisible());
  columns_.set_with_filters(false);
  EXPECT_TRUE(charts_->isVisible()) << "the tab stays";
  resize(1280, 700);
  EXPECT_EQ(QRect(senders_->mapTo(&columns_, QPoint()), senders_->size()), senders);
  EXPECT_EQ(charts_->width(), charts);
}

TEST_F(RoleColumnsTest, FiltersHaveSizesOfTheirOwn) {
  columns_.save();
  columns_.set_with_filters(true);
  columns_.findChild<QSplitter*>()->setSizes({200, 200, 480, 0});
  columns_.save();
  EXPECT_TRUE(settings_.contains("run/rows-with-filters"));
  columns_.set_with_filters(false);
  EXPECT_NE(settings_.value("run/rows"), settings_.value("run/rows-with-filters"));
}

TEST_F(RoleColumnsTest, AWindowMayBeAsNarrowAsOneTabNeeds) {
  EXPECT_EQ(columns_.minimumSizeHint().width(), 350 + kMargins);
}

}  // namespace
}  // namespace n2nq::ui
