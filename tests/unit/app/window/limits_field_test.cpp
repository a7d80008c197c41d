#include "ui/run/limits_field.h"

#include <gmock/gmock.h>

#include <QComboBox>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "ui/run/limits_editor.h"
#include "ui/run/plan_line_edit.h"

namespace n2nq::ui {
namespace {

using plan::LimitAction;
using plan::RunLimit;
using testing::ElementsAre;
using testing::IsEmpty;

class LimitsFieldTest : public testing::Test {
 protected:
  LimitsFieldTest() {
    QObject::connect(&editor_, &plan::PlanEditor::changed, &field_, [this] { field_.show_plan(editor_.plan()); });
    field_.show_plan(editor_.plan());
    field_.show();
  }
  template <class Widget>
  Widget* find(const QString& name) const {
    for (auto* one : field_.findChildren<Widget*>())
      if (one->accessibleName() == name) return one;
    return nullptr;
  }
  void type(const QString& name, const char* text) {
    auto* edit = find<QLineEdit>(name);
    ASSERT_NE(edit, nullptr) << name.toStdString();
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
  }
  LimitsEditor* popover() const { return field_.findChild<LimitsEditor*>(); }

  plan::PlanEditor editor_{std::string()};
  LimitsField field_{editor_};
};

TEST_F(LimitsFieldTest, ALineOfTextIsTheLimitsOfThePlan) {
  type("Limits", "p99 <= 5 ms stop; rate >= 20,000; lost <= 0 warn");
  EXPECT_THAT(editor_.plan().limits, ElementsAre(RunLimit{.metric = "p99", .value = 5e6, .action = LimitAction::stops},
                                                 RunLimit{.metric = "rate", .at_most = false, .value = 20000},
                                                 RunLimit{.metric = "lost", .action = LimitAction::warns}));
  type("Limits", "p98 <= 5 ms");
  EXPECT_TRUE(field_.trouble());
  EXPECT_EQ(editor_.plan().limits.size(), 3u);
}

TEST_F(LimitsFieldTest, ALimitHasAChoiceOfWhatARunDoesThatExceedsIt) {
  field_.open_editor(field_, "p99");
  type("Plan limit 1 value", "5 ms");
  auto* action = find<QComboBox>("Plan limit 1 action");
  ASSERT_NE(action, nullptr);
  EXPECT_EQ(action->currentText(), "Run fails");
  const auto chosen = [&](const char* text) {
    action->setCurrentText(text);
    Q_EMIT action->activated(action->currentIndex());
    return editor_.plan().limits.at(0).action;
  };
  EXPECT_EQ(editor_.plan().limits.at(0).action, LimitAction::fails);
  EXPECT_EQ(chosen("Only a warning"), LimitAction::warns);
  EXPECT_EQ(find<QLineEdit>("Limits")->text(), "p99 <= 5 ms warn");
  EXPECT_EQ(chosen("Run fails and stops"), LimitAction::stops);
  EXPECT_EQ(chosen("Run fails"), LimitAction::fails);
  EXPECT_EQ(find<QLineEdit>("Limits")->text(), "p99 <= 5 ms");
}

TEST_F(LimitsFieldTest, TheEditorHasALineForEachAndTakesWhatIsGoodAtOnce) {
  type("Limits", "p99 <= 5 ms stop");
  QTest::mouseClick(find<QPushButton>("Edit limits"), Qt::LeftButton);
  ASSERT_TRUE(popover()->isVisible());
  EXPECT_EQ(find<QLineEdit>("Plan limit 1 value")->text(), "5 ms");
  EXPECT_EQ(find<QComboBox>("Plan limit 1 action")->currentText(), "Run fails and stops");
  type("Plan limit 1 value", "7 ms");
  EXPECT_THAT(editor_.plan().limits,
              ElementsAre(RunLimit{.metric = "p99", .value = 7e6, .action = LimitAction::stops}));
  EXPECT_EQ(find<QLineEdit>("Limits")->text(), "p99 <= 7 ms stop");
  QTest::mouseClick(find<QPushButton>("Add plan limit"), Qt::LeftButton);
  type("Plan limit 2 value", "1 ms");
  EXPECT_EQ(editor_.plan().limits.size(), 1u) << "p99 has such a limit already";
  auto* side = find<QComboBox>("Plan limit 2 side");
  side->setCurrentIndex(1);
  Q_EMIT side->activated(1);
  EXPECT_EQ(editor_.plan().limits.size(), 2u);
  QTest::mouseClick(find<QToolButton>("Remove plan limit 1"), Qt::LeftButton);
  QCoreApplication::processEvents();
  EXPECT_THAT(editor_.plan().limits, ElementsAre(RunLimit{.metric = "p99", .at_most = false, .value = 1e6}));
  QTest::keyClick(popover(), Qt::Key_Escape);
  EXPECT_FALSE(popover()->isVisible());
}

TEST_F(LimitsFieldTest, NothingMovesInTheEditorWhileOneTypes) {
  field_.open_editor(field_, "p99");
  auto* value = find<QLineEdit>("Plan limit 1 value");
  auto* add = find<QPushButton>("Add plan limit");
  const QRect before(value->mapTo(popover(), QPoint()), popover()->size());
  const QPoint below = add->mapTo(popover(), QPoint());
  type("Plan limit 1 value", "5 m");
  EXPECT_THAT(editor_.plan().limits, IsEmpty()) << "no duration yet";
  popover()->layout()->activate();
  EXPECT_EQ(QRect(value->mapTo(popover(), QPoint()), popover()->size()), before);
  EXPECT_EQ(add->mapTo(popover(), QPoint()), below);
}

TEST_F(LimitsFieldTest, OpensAtTheLimitOfAFigureAndMakesOneIfThereIsNone) {
  field_.open_editor(field_, "lost");
  auto* figure = find<QComboBox>("Plan limit 1 figure");
  ASSERT_NE(figure, nullptr);
  EXPECT_EQ(figure->currentText(), "Lost");
  EXPECT_THAT(editor_.plan().limits, IsEmpty()) << "nothing was typed yet";
  type("Plan limit 1 value", "0");
  EXPECT_THAT(editor_.plan().limits, ElementsAre(RunLimit{.metric = "lost"}));
  popover()->close();
  field_.open_editor(field_, "lost");
  EXPECT_EQ(find<QComboBox>("Plan limit 2 figure"), nullptr);
  editor_.undo();
  EXPECT_THAT(editor_.plan().limits, IsEmpty());
  EXPECT_EQ(find<QLineEdit>("Plan limit 1 value"), nullptr) << "undo shows in the open editor";
}

TEST_F(LimitsFieldTest, ALockedEditorSaysWhy) {
  type("Limits", "p99 <= 5 ms");
  field_.set_locked("A run is on.");
  field_.open_editor(field_, "p50");
  EXPECT_EQ(find<QLineEdit>("Plan limit 2 value"), nullptr);
  EXPECT_FALSE(find<QLineEdit>("Plan limit 1 value")->isEnabled());
  bool said = false;
  for (const QLabel* label : popover()->findChildren<QLabel*>()) said = said || label->text() == "A run is on.";
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace n2nq::ui
