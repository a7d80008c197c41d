// Everything of a chart but its series: legend, titles, ticks, grid, highlighted categories; where they stand and how
// they are painted. Our own rather than Qt Charts', whose labels end in dots and whose logarithms hide zero. UI thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QStringList>
#include <vector>

#include "app/figures/figure.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/look.h"

namespace n2nq::ui::charts {

struct LegendEntry {
  QString name{};
  QPen pen{};
  bool block = false;  // a square rather than a line
  QPointF at{};        // left end, middle of the line of text
  bool operator==(const LegendEntry&) const = default;
};

struct Frame {
  QRectF whole{};
  QRectF plot{};
  Span x{}, y{};
  std::vector<Tick> x_ticks{}, y_ticks{};
  QString x_title{}, y_title{};
  double y_title_height = 0;
  std::vector<LegendEntry> legend{};
  std::vector<double> marked{};  // categories
  QString message{};             // in the middle of the plot, where there is nothing to see

  bool operator==(const Frame&) const = default;

  QPointF to_unit(const QPointF& position) const;  // 0 to 1 across the plot
  QPointF to_pixel(const QPointF& position) const;
  QPointF to_position(const QPointF& pixel) const;
};

struct FrameWish {
  QRectF whole{};
  Span x{}, y{};
  bool round_y = true;   // ends of the y axis on round ticks
  bool round_x = false;  // the end of the x axis too: while time goes on it then stands still from tick to tick
  QStringList highlighted{};
  std::vector<bool> blocks{};  // by series: shown as area or bars
  bool operator==(const FrameWish&) const = default;
};
Frame lay_out(const figures::Figure& figure, const ChartLook& look, const FrameWish& wish);

void paint_grid(QPainter& painter, const Frame& frame, const ChartLook& look);    // below the series
void paint_labels(QPainter& painter, const Frame& frame, const ChartLook& look);  // above them

}  // namespace n2nq::ui::charts
