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

enum class Swatch { line, block, band, dot };

struct LegendEntry {
  QString name{};
  QPen pen{};
  Swatch swatch = Swatch::line;
  size_t series = 0;
  bool hidden = false;
  QPointF at{};   // left end, middle of the line of text
  QRectF area{};  // that answers to clicks
  bool operator==(const LegendEntry&) const = default;
};

// Of a pause and of trouble there is no line: where they last the plot has another ground.
enum class LineOf { moment, pause, trouble };

// A dashed vertical, or a horizontal, with its words.
struct LabelledLine {
  double at = 0;  // position
  QString label{};
  QPointF text{};    // baseline, at the left; no label where there is no room
  bool off = false;  // of a limit: it is above what is in sight, and only its words are there
  LineOf of = LineOf::moment;
  bool operator==(const LabelledLine&) const = default;
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
  std::vector<LabelledLine> landmarks{};
  std::vector<figures::Stretch> stretches{};  // positions
  std::vector<LabelledLine> limits{};
  QString message{};  // in the middle of the plot, where there is nothing to see

  bool operator==(const Frame&) const = default;

  QPointF to_unit(const QPointF& position) const;  // 0 to 1 across the plot
  QPointF to_pixel(const QPointF& position) const;
  QPointF to_position(const QPointF& pixel) const;
};

// One among several beneath each other that share the axis of time: a lane has no row for legend, titles and times, the
// foot under them has the times and the words of what happened. Left and right end where those of the others do.
enum class Part { whole, lane, foot };

struct FrameWish {
  Part part = Part::whole;
  QRectF whole{};
  Span x{}, y{};
  bool round_y = true;   // ends of the y axis on round ticks
  bool round_x = false;  // the end of the x axis too: while time goes on it then stands still from tick to tick
  QStringList highlighted{};
  std::vector<bool> blocks{};  // by series: shown as area or bars
  std::vector<bool> hidden{};  // by series
  std::vector<figures::Limit> limits{};
  std::vector<figures::Landmark> landmarks{};
  std::vector<figures::Stretch> stretches{};
  bool operator==(const FrameWish&) const = default;
};
Frame lay_out(const figures::Figure& figure, const ChartLook& look, const FrameWish& wish);

void paint_grid(QPainter& painter, const Frame& frame, const ChartLook& look);       // below the series
void paint_landmarks(QPainter& painter, const Frame& frame, const ChartLook& look);  // and limits, over the series
void paint_labels(QPainter& painter, const Frame& frame, const ChartLook& look);     // above them

}  // namespace n2nq::ui::charts
