// The figures of reports, drawn as everywhere else. UI thread.
#pragma once

#include <QPicture>

#include "app/report/report_html.h"

namespace n2nq::ui {

inline constexpr int kFigureWidth = 960;
inline constexpr int kFigureHeight = 500;

report::Drawing draw_svg(const figures::Figure& figure);
QPicture draw_picture(const figures::Figure& figure);
report::DarkColors dark_colors();
report::Look report_look();  // of the window, in either palette

}  // namespace n2nq::ui
