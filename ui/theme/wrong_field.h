// A field with something wrong has an edge in the colour of what is bad; its form says what. UI thread.
#pragma once

#include <QVariant>
#include <QWidget>

namespace n2nq::ui::theme {

inline constexpr const char* kWrong = "n2nq_wrong";

inline void mark_wrong(QWidget& field, bool wrong) {
  field.setProperty(kWrong, wrong);
  field.update();
}

}  // namespace n2nq::ui::theme
