// How a chart is drawn: on the screen in the palette in force, in a file always dark on white. UI thread.
#pragma once

#include <QColor>
#include <QFont>
#include <QPen>

#include "app/figures/figure.h"

namespace n2nq::ui::charts {

inline constexpr int kFadedAlpha = 70;  // of what stands back behind something highlighted

struct ChartLook {
  bool dark = false;
  QFont font{};            // of ticks and legend
  int most_points = 300;   // drawn of a series; peaks are kept
  bool for_print = false;  // paints over what leaves the plot, as not every format can clip

  QColor background() const;
  QColor text() const;
  QColor muted() const;
  QColor grid() const;
  QColor zero() const;  // the line at zero
  QColor color(const figures::Series& series) const;
  QColor landmark() const;  // what happened
  QColor limit() const;     // what is not to be passed
};
ChartLook screen_look();
ChartLook print_look(bool dark = false);

// Colour never says it alone, nor does paper that has none: each percentile has dashes of its own and is thinner the
// higher it is. So is the second role of a figure, which then lies on the first one where both are equal; on paper it
// is dashed too.
QPen line_pen(const ChartLook& look, const figures::Figure& figure, const figures::Series& series);

}  // namespace n2nq::ui::charts
