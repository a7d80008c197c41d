// Widgets of the window by their accessible names.
#pragma once

#include <QApplication>
#include <QLabel>
#include <QString>
#include <QWidget>

namespace n2nq::test {

// The visible one, or null.
inline QWidget* named(const QString& name) {
  for (QWidget* widget : QApplication::allWidgets())
    if (widget->accessibleName() == name && widget->isVisible()) return widget;
  return nullptr;
}

inline bool shows(const QString& name) {
  return named(name) != nullptr;
}

}  // namespace n2nq::test
