// The figures of reports, drawn as everywhere else. UI thread.
#pragma once

#include <QPicture>

#include "app/report/report_html.h"

namespace n2nq::report {

inline constexpr int kFigureWidth = 960;
inline constexpr int kFigureHeight = 500;

Drawing draw_svg(const figures::Figure& figure);
QPicture draw_picture(const figures::Figure& figure);
DarkColors dark_colors();

}  // namespace n2nq::report
