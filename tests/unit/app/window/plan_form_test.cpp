#include "ui/run/plan_form.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QTest>
#include <QWheelEvent>

#include "app/plan/plan_fields.h"
#include "ui/run/count_field.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/theme.h"
#include "ui/theme/wrong_field.h"

namespace n2nq::ui {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class PlanFormTest : public testing::Test {
 protected:
  PlanFormTest() {
    QObject::connect(&editor_, &plan::PlanEditor::changed, &form_, [this] { form_.show_plan(editor_.plan()); });
    form_.add_count({"senders.count", "Amount"});
    form_.add_text({"senders.delay", "Delay"}, "20 ms");
    form_.next_row();
    form_.add_range({"senders.size", "Size", "smallest"}, smallest_size_binding(), {"senders.size", "to", "largest"},
                    largest_size_binding());
    form_.next_row();
    form_.add_suggestions({"queue.retention", "Remove after"}, retention_binding(), {"5 s", "until collected"});
    form_.add_choice({"queue.policy", "Policy"},
                     {{"random", "random"}, {"round robin", "round-robin"}, {"least", "least-outstanding"}});
    form_.show_plan(editor_.plan());
    form_.show();
  }

  template <class Widget>
  Widget* find(const char* name) const {
    for (auto* widget : form_.findChildren<Widget*>())
      if (widget->accessibleName() == name) return widget;
    ADD_FAILURE() << "no " << name;
    return nullptr;
  }
  PlanLineEdit* edit(const char* name) const { return find<PlanLineEdit>(name); }
  static void type(QWidget* field, const char* text) {
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
  }

  plan::PlanEditor editor_{std::string()};
  PlanForm form_{editor_};
};

TEST_F(PlanFormTest, ATypedDurationIsInThePlanAtOnceAndTidiedWhenTheFieldIsLeft) {
  type(edit("Senders delay"), "1500us");
  EXPECT_EQ(editor_.plan().senders.delay_ns, 1'500'000);
  EXPECT_EQ(edit("Senders delay")->text(), "1500us");
  QTest::keyClick(edit("Senders delay"), Qt::Key_Return);
  EXPECT_EQ(edit("Senders delay")->text(), "1.5 ms");
}

TEST_F(PlanFormTest, WhatCannotBeTakenStaysAndIsNamedWhileThePlanKeepsTheLastValue) {
  type(edit("Senders delay"), "20 mx");
  EXPECT_EQ(edit("Senders delay")->text(), "20 mx");
  EXPECT_EQ(editor_.plan().senders.delay_ns, 20'000'000);
  ASSERT_THAT(form_.troubles(), SizeIs(1));
  EXPECT_EQ(form_.troubles().front().key, "senders.delay");
  EXPECT_THAT(form_.troubles().front().text, Not(HasSubstr("senders.delay")));

  // An edit elsewhere does not take it away.
  editor_.edit("amount", [](plan::PlanFile& file) { file.base.senders.fleet.count = 3; });
  EXPECT_EQ(edit("Senders delay")->text(), "20 mx");
  QTest::keyClick(edit("Senders delay"), Qt::Key_Escape);
  EXPECT_EQ(edit("Senders delay")->text(), "20 ms");
  EXPECT_THAT(form_.troubles(), IsEmpty());
}

TEST_F(PlanFormTest, UndoShowsTheFormerValues) {
  type(edit("Senders amount text"), "42");
  EXPECT_EQ(editor_.plan().senders.fleet.count, 42u);
  editor_.undo();
  EXPECT_EQ(edit("Senders amount text")->text(), "10");
}

TEST_F(PlanFormTest, UndoFromAnywhereTakesBackWhatCouldNotBeTakenBeforeTheEditBeforeIt) {
  type(edit("Senders amount text"), "42");
  type(edit("Senders delay"), "abc");
  edit("smallest")->setFocus();
  EXPECT_EQ(edit("Senders delay")->text(), "abc");
  editor_.undo();
  EXPECT_EQ(edit("Senders delay")->text(), "20 ms");
  EXPECT_THAT(form_.troubles(), IsEmpty());
  EXPECT_EQ(editor_.plan().senders.fleet.count, 42u);
  editor_.undo();
  EXPECT_EQ(edit("Senders amount text")->text(), "10");
}

TEST_F(PlanFormTest, EveryFieldTakesWhatItShowsAndSoDoRunsAndTheCommandLine) {
  plan::RunPlan other;
  other.senders.messages = 1'234'567;
  other.senders.delay_ns = 1'500'000;
  other.senders.size_bytes = {.min = 10, .max = 1'536};
  other.receivers.service_time = *measure::parse_service_time("exponential:5ms");
  other.queue.retention_ns.reset();
  for (const plan::RunPlan& shown : {plan::RunPlan(), other}) {
    for (const plan::PlanField& field : plan::plan_fields()) {
      const std::string key(field.key);
      if (key == "queue.filters") continue;  // shown in an editor of its own
      for (const PlanBinding& binding : {binding_of(key), plain_binding_of(key)}) {
        const std::string text = binding.text(shown).toStdString();
        plan::RunPlan typed;
        ASSERT_TRUE(plan::set_field(typed, key + "=" + text)) << key << "=" << text;
        EXPECT_EQ(plan::text_of(field, typed), plan::text_of(field, shown)) << text;
      }
    }
    plan::RunPlan typed;
    for (const PlanBinding& binding : {retention_binding(), service_time_binding()})
      EXPECT_TRUE(plan::set_field(typed, binding.key + "=" + binding.text(shown).toStdString())) << binding.key;
  }
}

TEST_F(PlanFormTest, ADecimalCommaIsRefusedAndNotLeftOut) {
  type(edit("Senders delay"), "1,5 ms");
  EXPECT_EQ(editor_.plan().senders.delay_ns, 20'000'000) << "and not 15 ms";
  EXPECT_THAT(form_.troubles(), SizeIs(1));
}

TEST_F(PlanFormTest, AmountsStandInGroupsAndStepWithinTheirBounds) {
  auto* amount = find<CountField>("Senders amount");
  type(amount, "9999");
  QTest::keyClick(amount, Qt::Key_Return);
  EXPECT_EQ(amount->edit()->text(), "9999");
  amount->stepBy(10);
  EXPECT_EQ(amount->edit()->text(), "10,000");
  EXPECT_EQ(editor_.plan().senders.fleet.count, 10'000u);
  type(amount, "10001");
  EXPECT_THAT(form_.troubles(), SizeIs(1));
}

TEST_F(PlanFormTest, OneSizeStaysOneSizeUntilItsLargestIsGiven) {
  type(edit("smallest"), "1KiB");
  EXPECT_EQ(editor_.plan().senders.size_bytes, (SizeRange{1024, 1024}));
  EXPECT_EQ(edit("largest")->text(), "1 KiB");
  type(edit("largest"), "4 KiB");
  EXPECT_EQ(editor_.plan().senders.size_bytes, (SizeRange{1024, 4096}));
  type(edit("smallest"), "50 B");
  EXPECT_EQ(editor_.plan().senders.size_bytes, (SizeRange{50, 4096}));
}

// Of several fields of a key what is wrong is told of the one where it stands.
TEST_F(PlanFormTest, WhatIsWrongIsNamedAndMarkedWhereItIs) {
  for (const auto& [wrong, right] : {std::pair("smallest", "largest"), {"largest", "smallest"}}) {
    type(edit(wrong), "9 XB");
    EXPECT_EQ(form_.name_of("senders.size").toStdString(), wrong);
    EXPECT_TRUE(edit(wrong)->property(theme::kWrong).toBool());
    EXPECT_FALSE(edit(right)->property(theme::kWrong).toBool()) << right;
    type(edit(wrong), "1 KiB");
    EXPECT_FALSE(edit(wrong)->property(theme::kWrong).toBool());
  }
  EXPECT_EQ(form_.name_of("senders.size"), "Senders size") << "of both";
  form_.add_own({"senders.messages", "Send", "Senders send"}, new QComboBox, {});
  form_.add_count({"senders.messages", "Messages"});
  EXPECT_EQ(form_.name_of("senders.messages"), "Senders messages");
  form_.show_problems({{.key = "senders.messages", .text = "too few"}});
  EXPECT_EQ(form_.wrong(), QStringList{"Messages: too few"});
}

TEST_F(PlanFormTest, MessagesMayBeKeptUntilTheyAreCollected) {
  type(edit("Remove after text"), "until collected");
  EXPECT_FALSE(editor_.plan().queue.retention_ns);
  type(edit("Remove after text"), "30s");
  EXPECT_EQ(editor_.plan().queue.retention_ns, 30'000'000'000);
}

bool takes_wheel(QWidget& field, int turn) {
  QWheelEvent wheel({5, 5}, field.mapToGlobal(QPointF(5, 5)), {}, {0, turn}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&field, &wheel);
  return wheel.isAccepted();
}

TEST_F(PlanFormTest, TheWheelOverAListScrollsPastItAndChangesNothing) {
  theme::apply(*qApp, theme::Appearance::light);
  const plan::PlanFile before = editor_.file();
  QComboBox other(&form_);  // as any list of the window
  other.setAccessibleName("other");
  other.addItems({"first", "second"});
  other.show();
  for (const char* name : {"Queue policy", "Remove after", "other"}) {
    auto* list = find<QComboBox>(name);
    const QString shown = list->currentText();
    EXPECT_EQ(list->focusPolicy() & Qt::WheelFocus, Qt::StrongFocus) << name;
    for (const bool focus : {false, true}) {
      if (focus) list->setFocus();
      for (const int turn : {-120, 120}) {
        EXPECT_FALSE(takes_wheel(*list, turn)) << name;
        EXPECT_EQ(list->currentText(), shown) << name;
      }
    }
  }
  EXPECT_EQ(editor_.file(), before);
}

TEST_F(PlanFormTest, TheWheelChangesANumberOnlyWhileItIsEdited) {
  theme::apply(*qApp, theme::Appearance::light);
  auto* amount = find<CountField>("Senders amount");
  const auto count = [this] { return editor_.plan().senders.fleet.count; };
  const auto before = count();
  edit("Senders delay")->setFocus();
  EXPECT_FALSE(takes_wheel(*amount, 120));
  EXPECT_EQ(count(), before);
  form_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&form_));
  amount->setFocus();
  EXPECT_TRUE(takes_wheel(*amount, 120));
  EXPECT_EQ(count(), before + 1);
}

TEST_F(PlanFormTest, LockedFieldsSayWhy) {
  form_.set_locked("Cannot be changed during a run.");
  EXPECT_FALSE(edit("Senders delay")->isEnabled());
  EXPECT_THAT(edit("Senders delay")->toolTip().toStdString(), HasSubstr("during a run"));
  form_.set_locked({});
  EXPECT_TRUE(edit("Senders delay")->isEnabled());
  EXPECT_THAT(edit("Senders delay")->toolTip().toStdString(), Not(HasSubstr("during a run")));
}

TEST_F(PlanFormTest, AProblemMarksItsFieldAndMovesNone) {
  const auto places = [this] {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    std::vector<QRect> all;
    for (const auto* widget : form_.findChildren<QWidget*>()) all.push_back(widget->geometry());
    return all;
  };
  const auto before = places();
  const QSize size = form_.sizeHint();
  form_.show_problems({{.key = "senders.delay", .text = "too short"}});
  EXPECT_EQ(form_.wrong(), QStringList{"Delay: too short"});
  EXPECT_TRUE(edit("Senders delay")->property(theme::kWrong).toBool());
  EXPECT_THAT(edit("Senders delay")->toolTip().toStdString(), testing::StartsWith("too short"));
  EXPECT_EQ(places(), before);
  EXPECT_EQ(form_.sizeHint(), size);
  form_.show_problems({});
  EXPECT_TRUE(form_.wrong().isEmpty());
  EXPECT_FALSE(edit("Senders delay")->property(theme::kWrong).toBool());
}

TEST_F(PlanFormTest, AFieldIsThereIfRunsOfThePlanLookAtItAndElseItsTroubleDoesNotCount) {
  type(edit("Senders delay"), "?");
  EXPECT_THAT(form_.troubles(), SizeIs(1));
  plan::RunPlan plan;
  plan.senders.shape = measure::parse_shape("ramp 100/s..200/s over 1s").value();
  form_.show_plan(plan);
  EXPECT_FALSE(form_.is_shown("senders.delay"));
  EXPECT_THAT(form_.troubles(), IsEmpty());
  form_.show_when("senders.delay", [](const plan::RunPlan& of) { return of.senders.shape.exists(); });
  form_.show_plan(plan);
  EXPECT_TRUE(form_.is_shown("senders.delay")) << "as is said of it";
}

}  // namespace
}  // namespace n2nq::ui
