// The searches for faults find them: a test that cannot fail tells nothing.
#include <gmock/gmock.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>
#include <memory>

#include "tests/gui/layout/layout_faults.h"
#include "tests/gui/layout/spoken_names.h"

namespace n2nq::test {
namespace {

class Faults : public testing::Test {
 protected:
  Faults() { window_.resize(400, 300); }

  template <class Widget>
  Widget* add(const QString& text, const QRect& place) {
    auto* widget = new Widget(&window_);
    if constexpr (requires { widget->setText(text); }) widget->setText(text);
    widget->setAccessibleName(text);
    widget->setGeometry(place);
    return widget;
  }
  std::string found() {
    window_.show();
    return layout_faults(window_).join("\n").toStdString();
  }

  QWidget window_;
};

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(Faults, TextsWithRoomHaveNone) {
  add<QLabel>("a label", {10, 10, 200, 20});
  add<QPushButton>("a button", {10, 40, 200, 30});
  add<QCheckBox>("a tick", {10, 80, 200, 20});
  add<QLineEdit>("a line", {10, 110, 200, 24});
  EXPECT_EQ(found(), "");
}

TEST_F(Faults, LabelsThatAreTooNarrowOrTooLowAreNamedWithTheirSizes) {
  add<QLabel>("a label that is cut", {10, 10, 40, 20});
  add<QLabel>("low", {10, 40, 200, 5});
  EXPECT_THAT(found(),
              AllOf(HasSubstr("\"a label that is cut\" needs"), HasSubstr("and has 40 x 20"), HasSubstr("low")));
}

TEST_F(Faults, LinesThatWrapNeedTheirHeight) {
  add<QLabel>("many words that do not stand in one line of this width", {10, 10, 80, 20})->setWordWrap(true);
  EXPECT_THAT(found(), HasSubstr("many words"));
}

TEST_F(Faults, ButtonsAndTicksAndTabsAndListsAreLookedAtToo) {
  add<QPushButton>("a button that is cut", {10, 10, 60, 30});
  add<QToolButton>("a tool that is cut", {10, 50, 60, 30});
  add<QCheckBox>("a tick that is cut", {10, 90, 60, 20});
  add<QTabBar>("tabs", {10, 120, 40, 30})->addTab("a tab that is cut");
  add<QComboBox>("list", {10, 160, 60, 24})->addItem("a choice that is cut");
  add<QLineEdit>("", {10, 200, 60, 24})->setPlaceholderText("a hint that is cut");
  EXPECT_THAT(found(), AllOf(HasSubstr("button that"), HasSubstr("tool that"), HasSubstr("tick that"),
                             HasSubstr("tab that"), HasSubstr("choice that"), HasSubstr("hint that")));
}

TEST_F(Faults, WhatReachesOutOfItsParentIsOne) {
  add<QLabel>("far right", {350, 10, 100, 20});
  EXPECT_THAT(found(), HasSubstr("reaches out of its parent"));
}

TEST_F(Faults, TextsUponEachOtherAreOne) {
  add<QLabel>("below", {10, 10, 100, 20});
  add<QLabel>("above", {60, 20, 100, 20});
  EXPECT_THAT(found(), HasSubstr("lie upon each other"));
}

TEST_F(Faults, FieldsWithoutANameAreFoundWithThePartsThatTakeTheText) {
  add<QSpinBox>("", {10, 10, 100, 24});
  add<QToolButton>("", {10, 40, 24, 24});
  window_.show();
  const auto unnamed = unnamed_nodes(interactive_nodes(window_)).join("\n").toStdString();
  EXPECT_THAT(unnamed, AllOf(HasSubstr("SpinBox"), HasSubstr("Button")));
}

TEST_F(Faults, ADropDownListNeedsMoreForANameThanWhatIsChosen) {
  add<QComboBox>("", {10, 10, 100, 24})->addItem("what is chosen");
  add<QComboBox>("named", {10, 90, 100, 24})->addItem("what is chosen");
  auto* labelled = add<QComboBox>("", {10, 50, 100, 24});
  add<QLabel>("Which", {120, 50, 100, 24})->setBuddy(labelled);
  window_.show();
  const QStringList unnamed = unnamed_nodes(interactive_nodes(window_));
  ASSERT_EQ(unnamed.size(), 1);
  EXPECT_THAT(unnamed.front().toStdString(), HasSubstr("ComboBox"));
}

TEST_F(Faults, TwoOfOneNameAreFound) {
  add<QPushButton>("Start", {10, 10, 100, 30});
  add<QPushButton>("Start", {10, 50, 100, 30});
  window_.show();
  EXPECT_THAT(shared_names(interactive_nodes(window_)), testing::SizeIs(1));
}

}  // namespace
}  // namespace n2nq::test
