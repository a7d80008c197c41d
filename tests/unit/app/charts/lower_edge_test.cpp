#include "ui/theme/lower_edge.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/theme/message_bar.h"

namespace n2nq::ui::theme {
namespace {

// A page with a button at its top, which fills it.
class Messages : public testing::Test {
 protected:
  Messages() {
    auto* column = new QVBoxLayout(&page_);
    column->addWidget(button_);
    column->addStretch(1);
    column->addWidget(last_);
    page_.resize(800, 600);
    page_.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&page_));
  }

  QWidget page_;
  MessageBar* message_ = MessageBar::over(&page_);
  QPushButton* button_ = new QPushButton("Delete", &page_);
  QPushButton* last_ = new QPushButton("Last", &page_);
};

TEST_F(Messages, MoveNothingWhenTheyComeAndGo) {
  const QRect before = button_->geometry();
  const QRect last = last_->geometry();
  message_->offer(Status::info, "One host was deleted.", "Undo", [] {});
  QCoreApplication::processEvents();
  ASSERT_TRUE(message_->isVisible());
  EXPECT_EQ(button_->geometry(), before);
  EXPECT_EQ(last_->geometry(), last);
  EXPECT_EQ(page_.childAt(before.center()), button_) << "a click still hits it";
  message_->hide();
  QCoreApplication::processEvents();
  EXPECT_EQ(button_->geometry(), before);
}

TEST_F(Messages, LieOverTheLowerRightCornerAsWideAsTheyNeed) {
  last_->hide();
  message_->say(Status::info, "One host was deleted.");
  EXPECT_EQ(page_.height() - message_->geometry().bottom() - 1, kSpace4);
  EXPECT_LT(message_->width(), page_.width() / 2);
  EXPECT_EQ(page_.width() - message_->geometry().right() - 1, kSpace4);
  const int height = message_->height();
  message_->say(Status::bad, QString("It could not be written, and here is why. ").repeated(10));
  EXPECT_EQ(message_->width(), MessageBar::kToastWidth);
  EXPECT_GT(message_->height(), height) << "in several lines";
  EXPECT_EQ(page_.height() - message_->geometry().bottom() - 1, kSpace4);
  page_.resize(400, 400);
  QCoreApplication::processEvents();
  EXPECT_TRUE(page_.rect().contains(message_->geometry()));
}

TEST_F(Messages, CoverNoControlWhereThereIsRoom) {
  message_->say(Status::info, "One host was deleted.");
  EXPECT_EQ(message_->geometry().bottom(), last_->geometry().top() - kSpace2 - 1) << "above it";
  EXPECT_EQ(page_.width() - message_->geometry().right() - 1, kSpace4);
  QPushButton high("High", &page_);
  high.setGeometry(500, 60, 300, 540);
  high.show();
  message_->say(Status::info, "One host was deleted.");
  EXPECT_EQ(message_->geometry().left(), kSpace4) << "at the other side";
  EXPECT_EQ(message_->geometry().bottom(), last_->geometry().top() - kSpace2 - 1);
}

TEST_F(Messages, MakeWayForWhatComesWhileTheyAreShown) {
  message_->offer(Status::info, "One host was deleted.", "Undo", [] {});
  auto* tabs = new QTabWidget;
  auto* scrolled = new QScrollArea;
  auto* inside = new QWidget;
  auto* rows = new QVBoxLayout(inside);
  rows->addStretch(1);
  auto* unfolded = new QPushButton("Unfolded");
  unfolded->hide();
  rows->addWidget(unfolded);
  scrolled->setWidget(inside);
  scrolled->setWidgetResizable(true);
  tabs->addTab(new QWidget, "One");
  tabs->addTab(scrolled, "Two");
  auto* column = static_cast<QVBoxLayout*>(page_.layout());
  last_->hide();
  column->insertWidget(1, tabs, 100);
  column->setContentsMargins({});
  for (int i = 0; i < 5; i++) QCoreApplication::processEvents();
  const QRect first = message_->geometry();
  tabs->setCurrentIndex(1);
  for (int i = 0; i < 5; i++) QCoreApplication::processEvents();
  EXPECT_EQ(message_->geometry(), first) << "nothing has come";
  const auto covers = [this](const QWidget& widget) {
    return message_->geometry().intersects(QRect(widget.mapTo(&page_, QPoint()), widget.size()));
  };
  unfolded->setFixedHeight(3 * kControlHeight);
  unfolded->show();
  EXPECT_TRUE(QTest::qWaitFor([&] { return message_->geometry() != first && !covers(*unfolded); }));
  tabs->setCurrentIndex(0);
  auto* below = new QPushButton("Below");
  below->setFixedHeight(page_.height() / 2);
  column->addWidget(below);
  EXPECT_TRUE(QTest::qWaitFor([&] { return below->isVisible() && below->y() > 0 && !covers(*below); }));
}

TEST_F(Messages, GoOutOfTheWayOfWhatHasTheFocus) {
  ASSERT_TRUE(QTest::qWaitForWindowActive(&page_));
  QPushButton everywhere("Everywhere", &page_);
  everywhere.setGeometry(0, 60, 800, 460);
  everywhere.show();
  button_->setFocus();
  message_->say(Status::info, "One host was deleted.");
  const QRect before = message_->geometry();
  ASSERT_TRUE(before.intersects(last_->geometry()));
  last_->setFocus();
  EXPECT_FALSE(message_->geometry().intersects(last_->geometry()));
  EXPECT_TRUE(page_.rect().contains(message_->geometry()));
}

TEST_F(Messages, AreReachedAndPutAwayByKeys) {
  int undone = 0;
  message_->offer(Status::info, "One host was deleted.", "Undo", [&] { undone++; });
  ASSERT_TRUE(QTest::qWaitForWindowActive(&page_));
  auto* undo = message_->findChild<QPushButton*>();
  auto* close = message_->findChild<QToolButton*>();
  button_->setFocus();
  QTest::keyClick(button_, Qt::Key_Backtab);
  EXPECT_EQ(page_.focusWidget(), close);
  QTest::keyClick(close, Qt::Key_Backtab);
  ASSERT_EQ(page_.focusWidget(), undo);
  QTest::keyClick(undo, Qt::Key_Space);
  EXPECT_EQ(undone, 1);
  EXPECT_FALSE(message_->isVisible());
  message_->offer(Status::info, "One host was deleted.", "Undo", [&] { undone++; });
  undo->setFocus();
  QTest::keyClick(undo, Qt::Key_Escape);
  EXPECT_FALSE(message_->isVisible());
  EXPECT_EQ(undone, 1);
}

TEST_F(Messages, StandAboveWhatLiesThereAlready) {
  last_->hide();
  QWidget other(&page_);
  auto* column = new QVBoxLayout(&other);
  column->addWidget(new QPushButton("Close", &other));
  LowerEdge edge(other, page_);
  message_->keep_above(&other);
  message_->say(Status::info, "One host was deleted.");
  other.show();
  EXPECT_EQ(page_.height() - other.geometry().bottom() - 1, kSpace4);
  EXPECT_LT(message_->geometry().bottom(), other.geometry().top());
  other.hide();
  EXPECT_EQ(page_.height() - message_->geometry().bottom() - 1, kSpace4);
}

}  // namespace
}  // namespace n2nq::ui::theme
