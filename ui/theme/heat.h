// Colours of amounts, from little to much: each stands out from the ground of tables (3:1), and text on it is legible
// (4.5:1). For the palette that is in force now. UI thread.
#pragma once

#include <QColor>

#include "app/figures/figure.h"

namespace n2nq::ui::theme {

QColor heat_color(figures::Hue hue, double share);  // 0: the least, 1: the most
QColor text_on(const QColor& ground);               // black or white

}  // namespace n2nq::ui::theme
