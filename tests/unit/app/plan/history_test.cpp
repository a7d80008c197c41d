#include "app/plan/history.h"

#include <gtest/gtest.h>

namespace n2nq::plan {
namespace {

TEST(History, GoesBackAndForthThroughItsSteps) {
  History<int> history(10, 1);
  EXPECT_EQ(history.before(), nullptr);
  EXPECT_EQ(history.undo_label(), "");
  history.add(2, "two");
  history.add(3, "three");
  EXPECT_EQ(history.undo_label(), "three");
  EXPECT_EQ(*history.before(), 2);
  history.undo();
  EXPECT_EQ(history.now(), 2);
  EXPECT_EQ(history.redo_label(), "three");
  EXPECT_EQ(*history.after(), 3);
  history.redo();
  EXPECT_EQ(history.now(), 3);
  EXPECT_EQ(history.redo_label(), "");
}

TEST(History, AnotherStepTakesThePlaceOfWhatWasUndone) {
  History<int> history(10, 1);
  history.add(2, "two");
  history.undo();
  history.add(3, "three");
  EXPECT_EQ(history.now(), 3);
  EXPECT_EQ(history.after(), nullptr);
  EXPECT_EQ(*history.before(), 1);
}

TEST(History, EditsOfTheSameThingAreOneStepUntilItEnds) {
  History<int> history(10, 1);
  history.edit(2, "delay");
  history.edit(3, "delay");
  EXPECT_EQ(*history.before(), 1);
  history.edit(4, "size");
  EXPECT_EQ(*history.before(), 3);
  history.end_step();
  history.edit(5, "size");
  EXPECT_EQ(*history.before(), 4);
  history.undo();
  history.redo();
  history.edit(6, "size");
  EXPECT_EQ(*history.before(), 5) << "what was undone and redone has ended";
  history.add(7, "size");
  history.edit(8, "size");
  EXPECT_EQ(*history.before(), 7) << "what was added whole is no edit that goes on";
}

TEST(History, TheOldestStepsAreDroppedAndStillCount) {
  History<int> history(3, 0);
  for (int i = 1; i <= 5; i++) history.add(i, "more");
  EXPECT_EQ(history.steps(), 5u);
  while (history.before() != nullptr) history.undo();
  EXPECT_EQ(history.now(), 2);
  EXPECT_EQ(history.steps(), 2u);
}

}  // namespace
}  // namespace n2nq::plan
