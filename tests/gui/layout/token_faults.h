// What a widget has of its own that is none of the theme's: colours, type, distances, style sheets.
#pragma once

#include <QStringList>
#include <QWidget>

namespace n2nq::test {

QStringList token_faults(const QWidget& window);

}  // namespace n2nq::test
