// From the points of a series to those that are drawn: cut to what is in sight, thinned without losing a peak, turned
// into steps or blocks. Pure; any thread.
#pragma once

#include <QList>
#include <QPointF>
#include <vector>

#include "app/figures/figure.h"
#include "ui/charts/axis_scale.h"

namespace n2nq::ui::charts {

// Positions of the points; those without a finite place are left out.
std::vector<QPointF> placed(const figures::Axis& x, const figures::Axis& y, const figures::Series& series);

// What is in `span`, and one neighbour each side so that lines reach the edge. `points` ascend by x.
std::vector<QPointF> in_sight(const std::vector<QPointF>& points, const Span& span);

// At most `most` points; of each group of neighbours the lowest and the highest stay.
std::vector<QPointF> thinned(const std::vector<QPointF>& points, int most);

// A single point, which makes no line, becomes one of width `lone`.
QList<QPointF> as_line(const std::vector<QPointF>& points, double lone);
// A value holds from its x to the next one's.
QList<QPointF> as_steps(const std::vector<QPointF>& points);
// A value holds half way to its neighbours; the outline of blocks that stand on zero.
QList<QPointF> as_blocks(const std::vector<QPointF>& points);
// A value holds half a category to each side.
QList<QPointF> as_category_steps(const std::vector<QPointF>& points);

}  // namespace n2nq::ui::charts
