#include "ui/run/requests.h"

#include <gtest/gtest.h>

namespace n2nq::ui {
namespace {

class RequestsTest : public testing::Test {
 protected:
  RequestsTest() {
    QObject::connect(&editor_, &plan::PlanEditor::changed, &requests_, [this] { requests_.show_plan(editor_.plan()); });
    editor_.edit("requests", [](plan::PlanFile& file) { file.base.queue.requests.on = true; });
    draft().set_size(3, 3);
  }

  FilterDraft& draft() { return requests_.draft(); }
  void pin() {
    draft().edit_freely([](plan::FilterMatrix& matrix) { matrix.pin_one_to_one(); });
  }
  static std::vector<plan::ReceiverFilter> pinned() { return {{.receivers = {}, .filter = "senders=self"}}; }
  const std::vector<plan::ReceiverFilter>& of_plan() const { return editor_.plan().queue.requests.filters; }

  plan::PlanEditor editor_{""};
  run::RunSequence sequence_{{}, nullptr};
  Requests requests_{editor_, sequence_};
};

TEST_F(RequestsTest, AnEditIsKeptBesideThePlan) {
  pin();
  EXPECT_EQ(editor_.draft(), pinned());
  EXPECT_TRUE(of_plan().empty());
  editor_.edit("name", [](plan::PlanFile& file) { file.base.name = "other"; });
  EXPECT_EQ(draft().filters(), pinned()) << "the plan has changed, and its filters have not";
  draft().undo();
  EXPECT_FALSE(editor_.draft());
}

TEST_F(RequestsTest, WhatIsRevertedIsNotKept) {
  pin();
  draft().revert();
  EXPECT_FALSE(draft().unsent());
  EXPECT_FALSE(editor_.draft());
}

TEST_F(RequestsTest, AreMadeOfTheDraft) {
  pin();
  requests_.make();
  EXPECT_EQ(of_plan(), pinned());
  EXPECT_FALSE(draft().unsent());
  EXPECT_FALSE(editor_.draft());
  EXPECT_TRUE(editor_.can_undo());
}

TEST_F(RequestsTest, AreNotMadeWhereThePlanHasNone) {
  pin();
  editor_.edit("requests", [](plan::PlanFile& file) { file.base.queue.requests.on = false; });
  requests_.make();
  EXPECT_TRUE(of_plan().empty());
}

// A run may be one of several, with filters of its own.
TEST_F(RequestsTest, OfARunWithOtherFiltersAreShownWithoutTheDraft) {
  pin();
  plan::RunPlan run = editor_.plan();
  run.queue.requests.filters = {{.receivers = {}, .filter = "senders=2"}};
  requests_.show_plan(run);
  EXPECT_EQ(draft().filters(), run.queue.requests.filters);
  EXPECT_EQ(editor_.draft(), pinned());
  requests_.show_plan(editor_.plan());
  EXPECT_EQ(draft().filters(), pinned());
}

}  // namespace
}  // namespace n2nq::ui
