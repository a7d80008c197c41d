#include "ui/run/service_panel.h"

#include <gmock/gmock.h>

#include <QComboBox>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include "ui/run/plan_line_edit.h"

namespace n2nq::ui {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using Kind = measure::ServiceTime::Kind;

class ServicePanelTest : public testing::Test {
 protected:
  template <class Widget>
  static Widget* find(const QWidget& panel, const char* name) {
    for (auto* widget : panel.findChildren<Widget*>())
      if (widget->accessibleName() == name) return widget;
    ADD_FAILURE() << "no " << name;
    return nullptr;
  }
  void show(ServicePanel& panel) {
    QObject::connect(&editor_, &plan::PlanEditor::changed, &panel, [&] { panel.show_plan(editor_.plan()); });
    panel.show_plan(editor_.plan());
    panel.show();
  }
  // As somebody does who picks it from the list.
  static void choose(QComboBox* box, const char* text) {
    const int at = box->findText(text);
    ASSERT_GE(at, 0) << text;
    box->setCurrentIndex(at);
    Q_EMIT box->activated(at);
    Q_EMIT box->textActivated(text);
  }

  QTemporaryDir dir_;
  QSettings settings_{dir_.filePath("settings"), QSettings::IniFormat};
  plan::PlanEditor editor_{std::string()};
};

TEST_F(ServicePanelTest, TheDelayIsARateTooAndSaysSo) {
  ServicePanel panel(Role::sender, editor_, settings_);
  show(panel);
  auto* delay = find<PlanLineEdit>(panel, "Senders delay");
  EXPECT_EQ(delay->toolTip(), "Time between two messages of a sender, or its rate, such as 20 ms or 50/s.");
  delay->selectAll();
  QTest::keyClicks(delay, "5");
  ASSERT_THAT(panel.troubles(), SizeIs(1));
  EXPECT_EQ(panel.troubles().front().text, "5 has no unit; enter 5 ms or 5 s, or a rate: 5/s");
  QTest::keyClicks(delay, "/s");
  EXPECT_THAT(panel.troubles(), SizeIs(0));
  EXPECT_EQ(editor_.plan().senders.delay_ns, 200'000'000);
}

TEST_F(ServicePanelTest, AFieldThatIsTooNarrowShowsTheBeginningOfItsText) {
  ServicePanel panel(Role::sender, editor_, settings_);
  show(panel);
  editor_.edit("hosts", [](plan::PlanFile& file) { file.base.senders.fleet.hosts = {"a-host-with-a-long-name"}; });
  const auto* source = find<QComboBox>(panel, "Senders source")->lineEdit();
  EXPECT_EQ(source->text(), "a-host-with-a-long-name");
  EXPECT_EQ(source->cursorPosition(), 0);
}

TEST_F(ServicePanelTest, PoissonIsAPacingInTheListOfPhases) {
  ServicePanel panel(Role::sender, editor_, settings_);
  show(panel);
  auto* phase = find<QComboBox>(panel, "Senders phase");
  EXPECT_EQ(phase->currentText(), "even");
  choose(phase, "Poisson");
  EXPECT_EQ(editor_.plan().senders.pacing, plan::Pacing::poisson);
  EXPECT_EQ(phase->currentText(), "Poisson");
  choose(phase, "random");
  EXPECT_EQ(editor_.plan().senders.pacing, plan::Pacing::fixed);
  EXPECT_EQ(editor_.plan().senders.phase, plan::Phase::random);
  choose(phase, "Poisson");
  editor_.edit("name", [](plan::PlanFile& file) { file.base.name = "other"; });
  editor_.undo();
  EXPECT_EQ(phase->currentText(), "Poisson");
}

TEST_F(ServicePanelTest, AServiceTimeIsPickedOrTyped) {
  ServicePanel panel(Role::receiver, editor_, settings_);
  show(panel);
  auto* time = find<QComboBox>(panel, "Receivers service time");
  auto* text = find<PlanLineEdit>(panel, "Receivers service time text");
  EXPECT_EQ(text->text(), "none");
  choose(time, "exponential 5 ms");
  EXPECT_EQ(editor_.plan().receivers.service_time, (measure::ServiceTime{Kind::exponential, 5'000'000}));
  EXPECT_EQ(text->text(), "exponential 5 ms");
  for (const auto& [typed, kind, ns] :
       {std::tuple("Fixed 1.5 ms", Kind::fixed, int64_t{1'500'000}),
        std::tuple("exponential:2s", Kind::exponential, int64_t{2'000'000'000}),
        std::tuple("7 us", Kind::fixed, int64_t{7'000}), std::tuple("none", Kind::none, int64_t{0})}) {
    text->setFocus();
    QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(text, typed);
    EXPECT_EQ(editor_.plan().receivers.service_time, (measure::ServiceTime{kind, ns})) << typed;
  }
  text->setFocus();
  QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(text, "busy 5 ms + 10 us/1 KiB");
  EXPECT_EQ(editor_.plan().receivers.service_time, *measure::parse_service_time("busy:5ms+10us/1KiB"));
  choose(find<QComboBox>(panel, "Receivers shared limit"), "pool:4");
  EXPECT_EQ(editor_.plan().receivers.shared_limit.places, 4u);
}

TEST_F(ServicePanelTest, SaysWhenReceiversAreAwayOrHowTheyAreScaled) {
  ServicePanel panel(Role::receiver, editor_, settings_);
  show(panel);
  auto* away = find<QLineEdit>(panel, "Receivers away");
  away->setFocus();
  QTest::keyClick(away, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(away, "2-4: 0 s to 5 s");
  EXPECT_EQ(editor_.plan().receivers.away, *plan::parse_spans("2-4:0s..5s"));
  choose(find<QComboBox>(panel, "Receivers scaling"), "from 1 above 1000 below 10 every 2s");
  EXPECT_EQ(editor_.plan().receivers.scaling, *plan::parse_scaling("from 1 above 1000 below 10 every 2s"));
}

TEST_F(ServicePanelTest, AServiceTimeThatCannotBeSaysWhatItTakes) {
  ServicePanel panel(Role::receiver, editor_, settings_);
  show(panel);
  auto* text = find<PlanLineEdit>(panel, "Receivers service time text");
  text->setFocus();
  QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(text, "long");
  ASSERT_THAT(panel.troubles(), SizeIs(1));
  EXPECT_THAT(panel.troubles().front().text, HasSubstr("exponential:5ms"));
}

TEST_F(ServicePanelTest, ALoadIsPickedOrTypedAndTakesThePlaceOfCountAndDelay) {
  ServicePanel panel(Role::sender, editor_, settings_);
  show(panel);
  auto* load = find<QComboBox>(panel, "Senders load");
  auto* text = find<PlanLineEdit>(panel, "Senders load text");
  auto* delay = find<PlanLineEdit>(panel, "Senders delay");
  EXPECT_EQ(text->text(), "constant");
  EXPECT_TRUE(delay->isVisibleTo(&panel));
  choose(load, "spike 100/s..1000/s at 10 s for 1 s over 30 s");
  EXPECT_EQ(measure::exact_shape(editor_.plan().senders.shape), "spike 100/s..1000/s at 10s for 1s over 30s");
  EXPECT_EQ(text->text(), "spike 100/s..1000/s at 10 s for 1 s over 30 s");
  EXPECT_FALSE(delay->isVisibleTo(&panel));
  for (int i = 0; i < load->count(); i++) {
    choose(load, load->itemText(i).toUtf8().constData());
    EXPECT_EQ(text->text(), load->itemText(i)) << "each of the list is as the plan has it";
    EXPECT_TRUE(measure::problems_of(editor_.plan().senders.shape).empty()) << text->text().toStdString();
  }
  choose(load, "constant");
  EXPECT_TRUE(delay->isVisibleTo(&panel));
}

}  // namespace
}  // namespace n2nq::ui
