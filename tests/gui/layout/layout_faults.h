// What is wrong with how a window is laid out: texts without room, widgets that reach out of their place, texts upon
// each other. Each fault in words that name the widget, its text and the sizes.
#pragma once

#include <QStringList>
#include <QWidget>

namespace n2nq::test {

QStringList layout_faults(const QWidget& window);

}  // namespace n2nq::test
