#include "ui/run/runs_field.h"

#include <gtest/gtest.h>

#include <QTest>

#include "ui/run/plan_line_edit.h"

namespace n2nq::run {
namespace {

class RunsFieldTest : public testing::Test {
 protected:
  RunsFieldTest() {
    QObject::connect(&editor_, &plan::PlanEditor::changed, &field_, [this] { field_.show_file(editor_.file()); });
    field_.show_file(editor_.file());
    field_.show();
  }
  PlanLineEdit* edit() const { return field_.findChild<PlanLineEdit*>(); }
  void type(const char* text) {
    edit()->setFocus();
    QTest::keyClick(edit(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(edit(), text);
  }

  plan::PlanEditor editor_{std::string()};
  RunsField field_{editor_};
};

TEST_F(RunsFieldTest, TwoRunsAreTwoOverrides) {
  type("queue.mode=broadcaster | queue.mode=load-balancer");
  ASSERT_EQ(editor_.file().runs.size(), 2u);
  EXPECT_FALSE(field_.trouble());
  EXPECT_EQ(edit()->text(), "queue.mode=broadcaster | queue.mode=load-balancer");
}

TEST_F(RunsFieldTest, AnUnknownFieldIsTroubleAndThePlanKeepsItsRuns) {
  type("queue.mode=load-balancer");
  const auto runs = editor_.file().runs;
  type("queue.mood=good");
  EXPECT_TRUE(field_.trouble());
  EXPECT_EQ(editor_.file().runs, runs);
  EXPECT_EQ(edit()->text(), "queue.mood=good");
}

TEST_F(RunsFieldTest, UndoBringsTheFormerRuns) {
  type("queue.mode=load-balancer");
  editor_.undo();
  EXPECT_EQ(edit()->text(), "");
}

}  // namespace
}  // namespace n2nq::run
