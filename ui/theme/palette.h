// The two palettes and the hues, as constants. Pure; any thread.
#pragma once

#include <QColor>
#include <QPalette>

#include "app/figures/figure.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::theme {

void load_resources();  // icons and fonts
QPalette make_palette(bool dark);
QColor color_on(bool dark, figures::Hue hue);
QColor series_color_on(bool dark, figures::Hue hue, int shade);
QColor color_on(bool dark, Status status);
QColor muted_text_on(bool dark);
QColor grid_line_on(bool dark);
QColor chart_background_on(bool dark);
QColor surface_on(bool dark, Surface surface);
QColor outline_on(bool dark);                            // of fields and ticks, 3 to 1 on cards
QColor tint_of(const QColor& of, const QColor& ground);  // a pale fill that its own colour can be read on

}  // namespace n2nq::ui::theme
