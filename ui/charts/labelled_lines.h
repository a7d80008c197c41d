// What stands across a chart: dashed verticals where something happened, horizontals that are not to be passed; each
// with its words where they find room. UI thread.
#pragma once

#include "ui/charts/chart_frame.h"

class QFontMetricsF;

namespace n2nq::ui::charts {

// Once the plot has its place and its axes their ends.
void place_landmarks(Frame& frame, const figures::Figure& figure, const QFontMetricsF& metrics);
void place_limits(Frame& frame, const figures::Figure& figure, const QFontMetricsF& metrics);

}  // namespace n2nq::ui::charts
