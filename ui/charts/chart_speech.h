// A chart as assistive technologies have it: a chart with the name of its figure, a caption that sums it up, and its
// table as text. UI thread.
#pragma once

#include <QString>

#include "app/figures/figure.h"

namespace n2nq::ui::charts {

// "p50 80.0 to 92.0 µs, max 110.0 µs to 5.00 ms; one clock": what each series has, and the notes.
QString caption_of(const figures::Figure& figure);
QString table_text(const figures::Figure& figure);  // a line for each row, values apart by tabs, units in the head
// Once, before the first chart is asked for.
void make_charts_speak();

}  // namespace n2nq::ui::charts
