#include "ui/theme/message_bar.h"

#include <gtest/gtest.h>

#include <QProgressBar>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

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

}  // namespace
}  // namespace n2nq::ui::theme
