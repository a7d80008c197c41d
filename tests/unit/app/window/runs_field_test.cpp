#include "ui/run/runs_field.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QTest>

#include "ui/run/plan_line_edit.h"

namespace n2nq::ui {
namespace {

class RunsFieldTest : public testing::Test {
 protected:
  RunsFieldTest() {
    QObject::connect(&editor_, &plan::PlanEditor::changed, &field_, [this] { field_.show_file(editor_.file()); });
    field_.show_file(editor_.file());
    field_.show();
  }
  PlanLineEdit* edit() const { return field_.findChild<PlanLineEdit*>(); }
  template <class Widget>
  Widget* named(const QString& name) const {
    for (auto* one : field_.findChildren<Widget*>())
      if (one->accessibleName() == name) return one;
    return nullptr;
  }
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

TEST_F(RunsFieldTest, TheEditorStaysOnTheScreenWhileItGrows) {
  const QRect screen = field_.screen()->availableGeometry();
  field_.move(screen.right() - field_.width(), screen.center().y() + 100);
  named<QPushButton>("Vary settings")->click();
  auto* add = named<QPushButton>("Add varied setting");
  ASSERT_NE(add, nullptr);
  for (int i = 0; i < 6; ++i) {
    EXPECT_TRUE(screen.contains(add->window()->geometry())) << i;
    add->click();
    QApplication::processEvents();
  }
  add->window()->close();
}

TEST_F(RunsFieldTest, AnUnknownFieldIsTroubleAndThePlanKeepsItsRuns) {
  type("queue.mode=load-balancer");
  const auto runs = editor_.file().runs;
  type("queue.mood=good");
  EXPECT_TRUE(field_.trouble());
  EXPECT_EQ(editor_.file().runs, runs);
  EXPECT_EQ(edit()->text(), "queue.mood=good");
}

TEST_F(RunsFieldTest, ValuesAreTakenAsTheWindowWritesThem) {
  type("senders.delay=20 ms, queue.retention=until collected | queue.mode=load balancer, senders.messages=\"1,000\"");
  EXPECT_FALSE(field_.trouble()) << field_.trouble()->text;
  const auto runs = plan::runs_of(editor_.file());
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].senders.delay_ns, 20'000'000);
  EXPECT_FALSE((*runs)[0].queue.retention_ns);
  EXPECT_EQ((*runs)[1].queue.mode, plan::Mode::load_balancer);
  EXPECT_EQ((*runs)[1].senders.messages, 1'000u);
}

TEST_F(RunsFieldTest, UndoTakesBackRunsThatCouldNotBeTaken) {
  type("queue.mode=load-balancer");
  type("queue.mode=load-balancer | x");
  const auto runs = editor_.file().runs;
  while (editor_.undo_text() == "Undo runs" && field_.trouble()) editor_.undo();
  EXPECT_FALSE(field_.trouble());
  EXPECT_EQ(edit()->text(), QString::fromStdString(plan::to_text(editor_.file().runs)));
}

TEST_F(RunsFieldTest, UndoBringsTheFormerRuns) {
  type("queue.mode=load-balancer");
  editor_.undo();
  EXPECT_EQ(edit()->text(), "");
}

TEST_F(RunsFieldTest, SettingsThatVaryArePickedByTheirNames) {
  type("queue.mode=broadcaster | queue.mode=load-balancer, senders.count=5");
  QTest::mouseClick(named<QPushButton>("Vary settings"), Qt::LeftButton);
  EXPECT_EQ(named<QComboBox>("Varied setting 1")->currentText(), "Senders amount");
  EXPECT_EQ(named<QLineEdit>("Varied setting 1 values")->text(), " | 5") << "the first run has the value of the form";
  EXPECT_EQ(named<QComboBox>("Varied setting 2")->currentText(), "Queue mode");
  auto* values = named<QLineEdit>("Varied setting 1 values");
  values->selectAll();
  QTest::keyClicks(values, "5 | 10 | 20");
  ASSERT_EQ(editor_.file().runs.size(), 3u);
  EXPECT_EQ(edit()->text().toStdString(), plan::to_text(editor_.file().runs));
  EXPECT_EQ(editor_.file().runs[2], (plan::Overrides{{"senders.count", "20"}})) << "mode as in the form";
  values->selectAll();
  QTest::keyClicks(values, "5 | many");
  EXPECT_EQ(editor_.file().runs.size(), 2u) << "of what was typed the last that could be taken: 5 | m is none";
}

TEST_F(RunsFieldTest, ARunThatLeavesASettingToTheProfileKeepsDoingSo) {
  editor_.edit("runs", [](plan::PlanFile& file) {
    file.runs = {{{"bus.window", "5"}}, {{"bus.window", ""}}, {{"bus.fetch", "7"}}};
  });
  QTest::mouseClick(named<QPushButton>("Vary settings"), Qt::LeftButton);
  auto* values = named<QLineEdit>("Varied setting 1 values");
  EXPECT_EQ(values->text(), "5 |  | ");
  values->setCursorPosition(1);
  QTest::keyClicks(values, "0");
  EXPECT_EQ(editor_.file().runs,
            (std::vector<plan::Overrides>{{{"bus.window", "50"}}, {{"bus.window", ""}}, {{"bus.fetch", "7"}}}));
}

TEST_F(RunsFieldTest, AKeyThatIsTypedInTheEditorIsTakenAsWell) {
  QTest::mouseClick(named<QPushButton>("Vary settings"), Qt::LeftButton);
  QTest::keyClicks(named<QLineEdit>("Varied setting 1 text"), "senders.delay");
  QTest::keyClicks(named<QLineEdit>("Varied setting 1 values"), "1 ms | 2 ms");
  EXPECT_EQ(editor_.file().runs,
            (std::vector<plan::Overrides>{{{"senders.delay", "1ms"}}, {{"senders.delay", "2ms"}}}));
}

}  // namespace
}  // namespace n2nq::ui
