#include "ui/theme/removals.h"

#include <gmock/gmock.h>

#include "ui/theme/message_bar.h"

namespace n2nq::ui::theme {
namespace {

using testing::ElementsAre;

struct RemovalsTest : testing::Test {
  QWidget page;
  MessageBar& message = *MessageBar::over(&page);
  std::vector<int64_t> back;
  Removals removals{message, [this](const std::vector<int64_t>& ids) { back = ids; }, &page};
};

TEST_F(RemovalsTest, TheLatestComesBackFirstAndTheFormerOneIsOffered) {
  removals.add({1}, "one");
  removals.add({2, 3}, "two");
  removals.undo();
  EXPECT_THAT(back, ElementsAre(2, 3));
  EXPECT_FALSE(message.isHidden());
  removals.undo();
  EXPECT_THAT(back, ElementsAre(1));
  EXPECT_TRUE(message.isHidden());
}

TEST_F(RemovalsTest, TheFormerOneIsNotOfferedWhereAnEditIsToBeTakenBackBefore) {
  removals.add({1}, "one", 4);
  removals.add({2}, "two", 5);
  removals.undo();
  EXPECT_TRUE(message.isHidden());
  EXPECT_EQ(removals.step(), 4u);
}

TEST_F(RemovalsTest, WhatIsBackByOtherMeansIsNotBroughtBackAgain) {
  removals.add({1}, "one");
  removals.add({2}, "two");
  removals.forget(2);
  removals.undo();
  EXPECT_THAT(back, ElementsAre(1));
}

}  // namespace
}  // namespace n2nq::ui::theme
