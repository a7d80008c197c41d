// A field with something wrong has an edge in the colour of what is bad; its form says what. UI thread.
#pragma once

#include <QVariant>
#include <QWidget>

#include "ui/theme/plain_tip.h"

namespace n2nq::ui::theme {

inline constexpr const char* kWrong = "n2nq_wrong";

inline void mark_wrong(QWidget& field, bool wrong) {
  field.setProperty(kWrong, wrong);
  field.update();
}

// Marks it, and says what is wrong, or why it is locked, before its help.
inline void say_wrong(QWidget& field, const QString& wrong, const QString& locked, const QString& help) {
  mark_wrong(field, !wrong.isEmpty());
  const QString first = locked.isEmpty() ? wrong : locked;
  field.setToolTip(in_lines(first.isEmpty() ? help : first + "\n" + help));
  field.setAccessibleDescription(wrong.isEmpty() ? help : wrong + "\n" + help);
}

}  // namespace n2nq::ui::theme
