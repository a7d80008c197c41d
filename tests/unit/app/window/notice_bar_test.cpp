#include "ui/window/notice_bar.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QPointer>
#include <QPushButton>
#include <QTest>

namespace n2nq::window {
namespace {

TEST(NoticeBar, AChoiceIsTakenOnceAndEndsTheBar) {
  QWidget window;
  int chosen = 0;
  const QPointer<NoticeBar> bar = new NoticeBar(theme::Status::info, "New here?",
                                                {{.text = "Yes", .help = "Starts.", .chosen = [&] { chosen++; }},
                                                 {.text = "No", .help = "Does not.", .chosen = {}}},
                                                &window);
  const auto buttons = bar->findChildren<QPushButton*>();
  ASSERT_EQ(buttons.size(), 2);
  EXPECT_EQ(buttons[0]->accessibleName(), "Yes");
  buttons[0]->click();
  EXPECT_EQ(chosen, 1);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_TRUE(bar.isNull());
}

TEST(NoticeBar, AChoiceForLaterIsNoneForTheSecondPressOfADoubleClick) {
  QWidget window;
  int killed = 0;
  const NoticeBar bar(theme::Status::info, "The run is stopping.",
                      {{.text = "Kill now", .help = "Kills.", .chosen = [&] { killed++; }, .later = true}}, &window);
  auto* button = bar.findChild<QPushButton*>();
  ASSERT_NE(button, nullptr);
  button->click();
  EXPECT_EQ(killed, 0);
  EXPECT_TRUE(QTest::qWaitFor([&] { return button->isEnabled(); }));
}

}  // namespace
}  // namespace n2nq::window
