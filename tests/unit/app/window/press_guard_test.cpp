#include "ui/run/press_guard.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace n2nq::ui {
namespace {

TEST(PressGuardTest, TheSecondPressOfADoubleClickIsNotForTheButtonThatTookThePlace) {
  QWidget page;
  auto* start = new QPushButton("Start", &page);
  auto* stop = new QPushButton("Stop", &page);
  PressGuard guard({start, stop}, &page);
  QSignalSpy stopped(stop, &QPushButton::clicked);
  page.show();
  QTest::mouseClick(start, Qt::LeftButton);
  const QPointF at = stop->rect().center();
  QMouseEvent second(QEvent::MouseButtonDblClick, at, at, Qt::LeftButton, Qt::LeftButton, {});
  QApplication::sendEvent(stop, &second);
  QMouseEvent up(QEvent::MouseButtonRelease, at, at, Qt::LeftButton, Qt::NoButton, {});
  QApplication::sendEvent(stop, &up);
  EXPECT_EQ(stopped.count(), 0) << "the first press was on the other one";
  QTest::mouseClick(stop, Qt::LeftButton);
  EXPECT_EQ(stopped.count(), 1);
}

}  // namespace
}  // namespace n2nq::ui
