// Who gets the keys: the field in which somebody types, the button that Enter presses.
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/theme/focus_hold.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::theme {
namespace {

// An area with a button, beside a field.
class Keys : public testing::Test {
 protected:
  Keys() {
    apply(*qApp, Appearance::light);
    auto* column = new QVBoxLayout(&window_);
    auto* inside = new QVBoxLayout(area_);
    area_->setFocusPolicy(Qt::TabFocus);
    inside->addWidget(start_);
    inside->addWidget(tick_);
    column->addWidget(area_);
    column->addWidget(field_);
    window_.show();
    window_.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window_));
    start_->setFocus();
  }
  void disable_start() const {
    const FocusHold hold(*area_);
    start_->setEnabled(false);
  }

  QWidget window_;
  QWidget* area_ = new QWidget;
  QPushButton* start_ = new QPushButton("Start");
  QCheckBox* tick_ = new QCheckBox("Log");
  QLineEdit* field_ = new QLineEdit;
};

TEST_F(Keys, OfAButtonThatIsDisabledGoToNoNeighbour) {
  disable_start();
  EXPECT_EQ(QApplication::focusWidget(), area_);
}

TEST_F(Keys, StayInTheFieldInWhichSomebodyTypes) {
  field_->setFocus();
  QTest::keyClicks(QApplication::focusWidget(), "5");
  disable_start();
  ASSERT_EQ(QApplication::focusWidget(), field_);
  QTest::keyClicks(QApplication::focusWidget(), " ms");
  EXPECT_EQ(field_->text(), "5 ms");
}

TEST_F(Keys, StayInAnEditorOverTheWindow) {
  QFrame over(&window_, Qt::Popup);
  QLineEdit typed(&over);
  over.show();
  typed.setFocus();
  ASSERT_EQ(QApplication::focusWidget(), &typed);
  disable_start();
  EXPECT_EQ(QApplication::focusWidget(), &typed);
  over.close();
  EXPECT_EQ(window_.focusWidget(), area_);
}

TEST_F(Keys, EnterPressesTheButtonThatHasTheFocus) {
  const QSignalSpy clicked(start_, &QPushButton::clicked);
  for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) QTest::keyClick(start_, key);
  QTest::keyClick(start_, Qt::Key_Return, Qt::ControlModifier);
  QKeyEvent held(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, {}, true);
  QApplication::sendEvent(start_, &held);
  EXPECT_EQ(clicked.count(), 2);
  tick_->setFocus();
  QTest::keyClick(tick_, Qt::Key_Return);
  EXPECT_FALSE(tick_->isChecked()) << "Space ticks";
}

TEST_F(Keys, EnterPressesAButtonInAnEditorOverTheWindow) {
  QFrame over(&window_, Qt::Popup);
  QPushButton add("Add", &over);
  const QSignalSpy clicked(&add, &QPushButton::clicked);
  over.show();
  add.setFocus();
  ASSERT_EQ(QApplication::activePopupWidget(), &over);
  QTest::keyClick(&add, Qt::Key_Return);
  EXPECT_EQ(clicked.count(), 1);
  EXPECT_FALSE(add.isDown());
  QObject::connect(&add, &QPushButton::clicked, &over, &QWidget::close);
  QTest::keyClick(&add, Qt::Key_Return);
  EXPECT_EQ(clicked.count(), 2);
  EXPECT_FALSE(over.isVisible());
  EXPECT_FALSE(add.isDown());
}

TEST_F(Keys, EnterOpensTheMenuOfAButtonInAnEditorOverTheWindow) {
  QFrame over(&window_, Qt::Popup);
  QPushButton more("More", &over);
  QMenu menu;
  menu.addAction("One");
  more.setMenu(&menu);
  over.show();
  more.setFocus();
  QTimer::singleShot(0, &menu, [&] {
    EXPECT_TRUE(menu.isVisible());
    menu.close();
  });
  QTest::keyClick(&more, Qt::Key_Return);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !menu.isVisible() && !more.isDown(); }));
}

}  // namespace
}  // namespace n2nq::ui::theme
