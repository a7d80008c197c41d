// The legend of a chart: what each series is called and looks like, and whether it is hidden. UI thread.
#pragma once

#include "ui/charts/chart_frame.h"

class QFontMetricsF;

namespace n2nq::ui::charts {

QString legend_name(const figures::Series& series);
// Those with a name, in order: more than the legend shows where it has no room for all.
std::vector<size_t> named_series(const figures::Figure& figure);
// An entry for each series that has a name; nothing is placed yet.
void fill_legend(Frame& frame, const figures::Figure& figure, const ChartLook& look, const FrameWish& wish);
// Right-aligned rows, the first beside the title of the y axis; answers how many.
int place_legend(Frame& frame, const QFontMetricsF& metrics, double row_height);
void paint_swatch(QPainter& painter, const LegendEntry& entry);  // from its place on, kSwatch wide at most
inline constexpr double kSwatch = 28;                            // of a line: shows the longest dashes twice
void paint_legend(QPainter& painter, const Frame& frame, const ChartLook& look);

}  // namespace n2nq::ui::charts
