// The room that the texts of a widget need in its font, beside the room they have. Reckoned from what the style leaves
// of the widget, not from its size hints, so that a wrong hint is found too.
#pragma once

#include <QSize>
#include <QString>
#include <QWidget>
#include <vector>

namespace n2nq::test {

struct TextRoom {
  QString text{};
  QSize needed{};
  QSize given{};

  bool fits() const { return needed.width() <= given.width() && needed.height() <= given.height(); }
};

// Of labels, buttons, ticks, tabs, drop-down lists, number fields, lines of text, column titles; none of others.
std::vector<TextRoom> text_rooms(const QWidget& widget);

}  // namespace n2nq::test
