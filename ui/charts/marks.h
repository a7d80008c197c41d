// What is drawn of a series beside its line or bars: intervals as error bars, boxes, violins. Pure; any thread.
#pragma once

#include <QBrush>
#include <QColor>
#include <QPainterPath>
#include <QPen>
#include <functional>
#include <vector>

#include "app/figures/figure.h"
#include "ui/charts/axis_scale.h"

namespace n2nq::ui::charts {

struct Mark {
  QPainterPath path{};  // pixels of the chart
  QPen pen{};
  QBrush brush{};
  bool operator==(const Mark&) const = default;
};

// From positions to pixels.
using ToPixel = std::function<QPointF(const QPointF& position)>;

// The range of y that something at x takes, in positions.
struct IntervalReach {
  double x = 0;
  Span y{};
};
std::vector<IntervalReach> reaches(const figures::Figure& figure, const figures::Series& series);

struct IntervalLook {
  Span in_sight{};  // positions of y; an interval that goes beyond ends there in an arrow
  QColor color{};
  QColor halo{};     // around the error bars, where they stand on bars; none: not valid
  bool dots = true;  // on every point, as it is the points that have the intervals
};
std::vector<Mark> interval_marks(const figures::Figure& figure, const figures::Series& series, const ToPixel& pixel,
                                 const IntervalLook& look);

struct BoxLook {
  QColor color{};
  QColor background{};
};
// Boxes with whiskers and what is outside, or violins: a cloud at the right, a slim box, single values at the left.
std::vector<Mark> box_marks(const figures::Figure& figure, const figures::Series& series, const ToPixel& pixel,
                            const BoxLook& look);

}  // namespace n2nq::ui::charts
