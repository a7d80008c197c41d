#include "ui/theme/message_bar.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QProgressBar>
#include <QPushButton>
#include <QSet>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include "ui/theme/questions.h"
#include "ui/theme/toast_clock.h"

namespace n2nq::ui::theme {
namespace {

TEST(MessageBar, AChoiceIsTakenOnceAndEndsTheBar) {
  QWidget window;
  int chosen = 0;
  MessageBar bar("Notice", &window);
  bar.say(Status::info, "New here?",
          {{.text = "Yes", .help = "Starts.", .chosen = [&] { chosen++; }},
           {.text = "No", .help = "Does not.", .chosen = {}}});
  const auto buttons = bar.findChildren<QPushButton*>();
  ASSERT_EQ(buttons.size(), 2);
  EXPECT_EQ(buttons[0]->accessibleName(), "Yes");
  EXPECT_TRUE(bar.asks());
  buttons[0]->click();
  buttons[0]->click();
  EXPECT_EQ(chosen, 1);
  EXPECT_TRUE(bar.is_closed());
}

TEST(MessageBar, AChoiceForLaterIsNoneForTheSecondPressOfADoubleClick) {
  QWidget window;
  int killed = 0;
  MessageBar bar("Notice", &window);
  bar.say(Status::info, "The run is stopping.",
          {{.text = "Kill now", .help = "Kills.", .chosen = [&] { killed++; }, .later = true}});
  auto* button = bar.findChild<QPushButton*>();
  ASSERT_NE(button, nullptr);
  button->click();
  EXPECT_EQ(killed, 0);
  EXPECT_TRUE(QTest::qWaitFor([&] { return button->isEnabled(); }));
}

TEST(MessageBar, WhatIsOfferedMaySaySomethingElse) {
  QWidget page;
  MessageBar* bar = MessageBar::over(&page);
  EXPECT_TRUE(bar->isHidden());
  bar->offer(Status::info, "One was deleted.", "Undo", [bar] { bar->say(Status::info, "Brought back."); });
  bar->findChild<QPushButton*>()->click();
  EXPECT_FALSE(bar->isHidden());
  EXPECT_EQ(bar->text(), "Brought back.");
  EXPECT_FALSE(bar->asks());
  bar->findChild<QToolButton*>()->click();
  EXPECT_TRUE(bar->isHidden());
}

TEST(MessageBar, ShowsHowFarItIs) {
  MessageBar bar("Fetching");
  bar.say(Status::info, "Fetching the log.", {{.text = "Cancel", .help = "Ends it.", .name = "Cancel fetching"}});
  bar.show_progress("Fetching the log: 1 of 4.", 0.25);
  EXPECT_EQ(bar.text(), "Fetching the log: 1 of 4.");
  EXPECT_EQ(bar.findChild<QProgressBar*>()->value(), 250);
  EXPECT_EQ(bar.findChild<QPushButton*>()->accessibleName(), "Cancel fetching");
}

// Six seconds, counted.
class Toast : public testing::Test {
 protected:
  Toast() {
    page_.resize(800, 600);
    page_.show();
    page_.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&page_));
    QTest::mouseMove(&page_, QPoint(5, 5));
  }
  void count(int ticks) {
    for (int i = 0; i < ticks; i++) toast_->clock()->tick();
  }

  QWidget page_;
  MessageBar* toast_ = MessageBar::over(&page_);
};

TEST_F(Toast, OfWhatWentWellGoesByItself) {
  toast_->say(Status::good, "Saved.");
  count(ToastClock::kTicks - 1);
  EXPECT_TRUE(toast_->isVisible());
  count(1);
  EXPECT_FALSE(toast_->isVisible());
  EXPECT_TRUE(toast_->is_closed());
}

TEST_F(Toast, OfAnErrorStays) {
  for (const Status status : {Status::warning, Status::bad}) {
    toast_->say(status, "Not saved: the disk is full.");
    count(5 * ToastClock::kTicks);
    EXPECT_TRUE(toast_->isVisible());
  }
}

TEST_F(Toast, OfWorkInProgressStaysUntilItHasEnded) {
  toast_->say_working("Writing the report\u2026");
  count(5 * ToastClock::kTicks);
  EXPECT_TRUE(toast_->isVisible());
  toast_->say(Status::good, "Written.");
  count(ToastClock::kTicks);
  EXPECT_FALSE(toast_->isVisible());
}

TEST_F(Toast, ThatOffersSomethingStaysUntilItIsTakenOrDismissed) {
  int undone = 0;
  toast_->offer(Status::info, "One was deleted.", "Undo", [&undone] { undone++; });
  count(5 * ToastClock::kTicks);
  ASSERT_TRUE(toast_->isVisible());
  toast_->findChild<QPushButton*>()->click();
  EXPECT_EQ(undone, 1);
  EXPECT_FALSE(toast_->isVisible());
}

TEST_F(Toast, WaitsForWhoHasTheFocusInIt) {
  toast_->say(Status::good, "Saved.");
  toast_->findChild<QToolButton*>()->setFocus();
  count(5 * ToastClock::kTicks);
  EXPECT_TRUE(toast_->isVisible());
  toast_->findChild<QToolButton*>()->clearFocus();
  count(ToastClock::kTicks);
  EXPECT_FALSE(toast_->isVisible());
}

TEST_F(Toast, IsReachedByF6WhichBringsTheFocusBackAfterIt) {
  QPushButton field("Field", &page_);
  field.show();
  field.setFocus();
  MessageBar* other = MessageBar::over(&page_);
  toast_->offer(Status::info, "One was deleted.", "Undo", [] {});
  other->say(Status::good, "Saved.");
  QSet<QWidget*> reached;
  for (int i = 0; i < 2; i++) {
    QTest::keyClick(page_.focusWidget(), Qt::Key_F6);
    reached += page_.focusWidget();
  }
  const QSet<QWidget*> both{toast_->findChild<QPushButton*>(), other->findChild<QToolButton*>()};
  EXPECT_EQ(reached, both);
  other->close_bar();
  QTest::keyClick(page_.focusWidget(), Qt::Key_F6);
  QTest::keyClick(page_.focusWidget(), Qt::Key_Escape);
  EXPECT_FALSE(toast_->isVisible());
  EXPECT_EQ(page_.focusWidget(), &field);
}

TEST_F(Toast, OfSeveralEachLeadsBackToWhereF6WasPressedFirst) {
  QPushButton field("Field", &page_);
  QPushButton elsewhere("Elsewhere", &page_);
  field.show();
  elsewhere.show();
  field.setFocus();
  MessageBar* other = MessageBar::over(&page_);
  for (MessageBar* bar : {toast_, other}) bar->say(Status::warning, "Not saved.");
  for (int i = 0; i < 3; i++) QTest::keyClick(page_.focusWidget(), Qt::Key_F6);
  QTest::keyClick(page_.focusWidget(), Qt::Key_Escape);
  EXPECT_EQ(page_.focusWidget(), &field);
  EXPECT_NE(toast_->isVisible(), other->isVisible());
  QTest::keyClick(page_.focusWidget(), Qt::Key_F6);
  QTest::keyClick(page_.focusWidget(), Qt::Key_Escape);
  EXPECT_EQ(page_.focusWidget(), &field);
  EXPECT_FALSE(toast_->isVisible() || other->isVisible());
  elsewhere.setFocus();
  toast_->say(Status::warning, "Not saved.");
  QTest::keyClick(page_.focusWidget(), Qt::Key_F6);
  field.setFocus();
  toast_->say(Status::warning, "Not saved either.");
  toast_->findChild<QToolButton*>()->setFocus();
  QTest::keyClick(page_.focusWidget(), Qt::Key_Escape);
  EXPECT_NE(page_.focusWidget(), &elsewhere) << "that was another message";
}

TEST_F(Toast, SaysWhatNothingCouldOpen) {
  toast_->set_opener([](const QUrl&) { return false; });
  toast_->say_written("Report written.", "/tmp/one.html");
  toast_->findChildren<QPushButton*>().at(1)->click();
  ASSERT_TRUE(toast_->isVisible());
  EXPECT_EQ(toast_->text(), "No file manager was found; the folder is /tmp.");
  toast_->say_written("Report written.", "/tmp/one.html");
  toast_->findChildren<QPushButton*>().at(0)->click();
  EXPECT_EQ(toast_->text(), "No program is set up for such files; the file is /tmp/one.html.");
}

TEST_F(Toast, WaitsWhileTheWindowIsNotActive) {
  toast_->say(Status::good, "Saved.");
  QWidget other;
  other.show();
  other.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&other));
  count(5 * ToastClock::kTicks);
  EXPECT_TRUE(toast_->isVisible());
}

TEST_F(Toast, BeginsAnewWithWhatIsSaidNext) {
  toast_->say(Status::good, "Saved.");
  count(ToastClock::kTicks - 1);
  toast_->say(Status::good, "Saved again.");
  count(ToastClock::kTicks - 1);
  EXPECT_TRUE(toast_->isVisible());
}

TEST_F(Toast, OfAWrittenFileOpensItOrItsFolder) {
  QStringList opened;
  toast_->set_opener([&opened](const QUrl& url) {
    opened << url.toLocalFile();
    return true;
  });
  for (const int button : {0, 1}) {
    toast_->say_written("Report written.", "/tmp/reports/one.html");
    toast_->findChildren<QPushButton*>().at(button)->click();
  }
  EXPECT_EQ(opened, QStringList({"/tmp/reports/one.html", "/tmp/reports"}));
}

// A page with a field, and a question about it.
class Question : public testing::Test {
 protected:
  Question() {
    apply(*qApp, Appearance::light);  // Enter presses buttons by its style
    window_.resize(800, 600);
    field_->setGeometry(10, 10, 100, 30);
    window_.show();
    window_.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window_));
    field_->setFocus();
  }
  MessageBar* ask_it() {
    return ask(window_, Status::warning, "A run is in progress.",
               {{.text = "Stop", .help = "Stops it.", .chosen = [this] { stopped_++; }, .primary = true},
                {.text = "Keep running", .help = "Goes on.", .chosen = [this] { kept_++; }}});
  }
  QString focused() const {
    const QWidget* focus = window_.focusWidget();
    return focus != nullptr ? focus->accessibleName() : QString();
  }

  QWidget window_;
  QPushButton* field_ = new QPushButton("Field", &window_);
  int stopped_ = 0;
  int kept_ = 0;
};

TEST_F(Question, StandsInTheMiddleOfTheDimmedPageAndMovesNothing) {
  const QRect before = field_->geometry();
  const MessageBar* bar = ask_it();
  QCoreApplication::processEvents();
  EXPECT_EQ(field_->geometry(), before);
  const QRect at(bar->mapTo(&window_, QPoint()), bar->size());
  EXPECT_NEAR(at.center().x(), window_.rect().center().x(), 2);
  EXPECT_NEAR(at.center().y(), window_.rect().center().y(), 2);
  EXPECT_NE(window_.childAt(before.center()), field_) << "a click there means the question";
}

TEST_F(Question, HasTheFocusOnTheSafeChoiceWhichEscapeTakesToo) {
  ask_it();
  EXPECT_EQ(focused(), "Keep running");
  QTest::keyClick(window_.focusWidget(), Qt::Key_Escape);
  EXPECT_EQ(kept_, 1);
  EXPECT_EQ(stopped_, 0);
  EXPECT_EQ(window_.focusWidget(), field_) << "where it was";
  EXPECT_EQ(window_.childAt(field_->geometry().center()), field_);
}

TEST_F(Question, IsAnsweredByEnterOnAButton) {
  ask_it();
  QTest::keyClick(window_.focusWidget(), Qt::Key_Tab);
  ASSERT_EQ(focused(), "Stop");
  QTest::keyClick(window_.focusWidget(), Qt::Key_Return);
  EXPECT_EQ(stopped_, 1);
  EXPECT_EQ(kept_, 0);
  EXPECT_EQ(window_.focusWidget(), field_);
}

TEST_F(Question, KeepsTabWithin) {
  ask_it();
  QTest::keyClick(window_.focusWidget(), Qt::Key_Tab);
  EXPECT_EQ(focused(), "Stop");
  QTest::keyClick(window_.focusWidget(), Qt::Key_Tab);
  EXPECT_EQ(focused(), "Keep running");
  QTest::keyClick(window_.focusWidget(), Qt::Key_Backtab);
  EXPECT_EQ(focused(), "Stop");
}

TEST_F(Question, GetsTheFocusBackByF6AndByAClickBesideIt) {
  ask_it();
  field_->setFocus();
  QTest::keyClick(field_, Qt::Key_F6);
  EXPECT_EQ(focused(), "Keep running");
  field_->setFocus();
  QTest::mouseClick(window_.childAt(field_->geometry().center()), Qt::LeftButton);
  EXPECT_EQ(focused(), "Keep running");
}

TEST_F(Question, OfTwoTheSecondWaitsBelowTheFirst) {
  const MessageBar* one = ask_it();
  const MessageBar* two = ask_it();
  QCoreApplication::processEvents();
  EXPECT_LT(one->mapTo(&window_, QPoint()).y(), two->mapTo(&window_, QPoint()).y());
  QTest::keyClick(window_.focusWidget(), Qt::Key_Escape);
  QTest::keyClick(window_.focusWidget(), Qt::Key_Escape);
  EXPECT_EQ(kept_, 2);
  EXPECT_EQ(window_.focusWidget(), field_);
}

}  // namespace
}  // namespace n2nq::ui::theme
