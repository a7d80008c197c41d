#include "ui/window/notice_stack.h"

#include <gmock/gmock.h>

#include <QPushButton>

namespace n2nq::ui {
namespace {

using testing::ElementsAre;

class Notices : public testing::Test {
 protected:
  theme::MessageBar* say(const char* text) {
    return stack_.add(theme::Status::warning, text, {{.text = "Close", .help = "Closes this notice."}});
  }
  theme::MessageBar* ask(const char* text) {
    return stack_.add(theme::Status::info, text, {{.text = "Yes", .help = "Does it.", .chosen = [] {}}});
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const theme::MessageBar* bar : stack_.bars()) texts.push_back(bar->text().toStdString());
    return texts;
  }

  NoticeStack stack_;
};

TEST_F(Notices, WhatIsSaidAgainTakesThePlaceOfTheBarThatSaysIt) {
  say("the disk is full");
  say("no such plan");
  say("the disk is full");
  EXPECT_THAT(texts(), ElementsAre("the disk is full", "no such plan"));
}

TEST_F(Notices, OfMoreThanThreeTheOldestCloses) {
  for (const char* text : {"one", "two", "three", "four", "five"}) say(text);
  EXPECT_THAT(texts(), ElementsAre("three", "four", "five"));
}

TEST_F(Notices, AQuestionOutlastsWhatIsOnlySaid) {
  ask("stop?");
  for (const char* text : {"one", "two", "three"}) say(text);
  EXPECT_THAT(texts(), ElementsAre("stop?", "two", "three"));
}

TEST_F(Notices, EvenQuestionsAreNoMoreThanThree) {
  for (const char* text : {"a?", "b?", "c?", "d?"}) ask(text);
  EXPECT_THAT(texts(), ElementsAre("b?", "c?", "d?"));
}

TEST_F(Notices, AClosedBarMakesRoom) {
  say("one");
  theme::MessageBar* two = say("two");
  say("three");
  two->findChild<QPushButton*>()->click();
  say("four");
  EXPECT_THAT(texts(), ElementsAre("one", "three", "four"));
}

TEST_F(Notices, StandOnThePageOnWhichTheyWereSaid) {
  theme::MessageBar* one = say("no such plan");
  stack_.set_page(1);
  EXPECT_TRUE(stack_.isHidden()) << "it covers nothing there";
  say("the disk is full");
  EXPECT_THAT(texts(), ElementsAre("the disk is full"));
  EXPECT_TRUE(one->isHidden());
  stack_.set_page(0);
  EXPECT_FALSE(stack_.isHidden());
  EXPECT_FALSE(one->isHidden());
  EXPECT_THAT(texts(), ElementsAre("no such plan"));
}

TEST_F(Notices, WhatIsSaidAgainStandsOnThePageWhereItIsSaidNow) {
  say("the disk is full");
  stack_.set_page(1);
  say("the disk is full");
  EXPECT_THAT(texts(), ElementsAre("the disk is full"));
  stack_.set_page(0);
  EXPECT_THAT(texts(), ElementsAre());
}

}  // namespace
}  // namespace n2nq::ui
