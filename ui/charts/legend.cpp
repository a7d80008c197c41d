#include "ui/charts/legend.h"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Figure;
using figures::Series;

constexpr double kLegendGap = theme::kGrid / 2.0;
constexpr double kSquare = 10;
constexpr double kBetweenEntries = 2.0 * theme::kGrid;
constexpr int kMostLegendRows = 3;
constexpr int kBandSwatchAlpha = 80;
constexpr double kRing = 4;

double swatch_width(const LegendEntry& entry) {
  return entry.swatch == Swatch::line ? kSwatch : kSquare;
}

double entry_width(const QFontMetricsF& metrics, const LegendEntry& entry) {
  return swatch_width(entry) + kLegendGap + metrics.horizontalAdvance(entry.name);
}

Swatch swatch_of(const Series& series, bool block) {
  if (series.shape == figures::Shape::band) return Swatch::band;
  if (series.shape == figures::Shape::dots) return Swatch::dot;
  return block ? Swatch::block : Swatch::line;
}

// What is hidden: pale alone could be any colour.
void paint_ring(QPainter& painter, const LegendEntry& entry) {
  painter.setPen(QPen(entry.pen.color(), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(entry.at + QPointF(swatch_width(entry) / 2, 0), kRing, kRing);
}

}  // namespace

void paint_swatch(QPainter& painter, const LegendEntry& entry) {
  const QPointF middle = entry.at + QPointF(swatch_width(entry) / 2, 0);
  QColor color = entry.pen.color();
  if (entry.swatch == Swatch::dot) {
    painter.setPen(QPen(color, 5, Qt::SolidLine, Qt::RoundCap));
    return painter.drawPoint(middle);
  }
  if (entry.swatch != Swatch::line) {
    if (entry.swatch == Swatch::band) color.setAlpha(kBandSwatchAlpha);
    return painter.fillRect(QRectF(middle.x() - kSquare / 2, middle.y() - kSquare / 2, kSquare, kSquare), color);
  }
  QPen pen = entry.pen;
  pen.setWidthF(pen.widthF() + 0.5);
  painter.setPen(pen);
  painter.drawLine(entry.at, entry.at + QPointF(kSwatch, 0));
}

QString legend_name(const Series& series) {
  const QString name = theme::qt(series.name);
  if (series.base.empty()) return name;
  const QString whose = name.mid(name.indexOf(u','));  // "p50–p99, intended send"
  QString base = theme::qt(series.base);
  if (name.contains(u',') && base.endsWith(whose)) base.chop(whose.size());
  return base + QString::fromUtf8("–") + name;
}

std::vector<size_t> named_series(const Figure& figure) {
  std::vector<size_t> named;
  for (size_t i = 0; i < figure.series.size(); ++i)
    if (!figure.series[i].name.empty()) named.push_back(i);
  return named;
}

void fill_legend(Frame& frame, const Figure& figure, const ChartLook& look, const FrameWish& wish) {
  for (const size_t i : named_series(figure)) {
    const Series& series = figure.series[i];
    const bool hidden = i < wish.hidden.size() && wish.hidden[i];
    if (hidden && look.for_print) continue;  // a file cannot be asked for it
    frame.legend.push_back({.name = legend_name(series),
                            .pen = line_pen(look, figure, series),
                            .swatch = swatch_of(series, i < wish.blocks.size() && wish.blocks[i]),
                            .series = i,
                            .hidden = hidden});
  }
}

int place_legend(Frame& frame, const QFontMetricsF& metrics, double row_height) {
  const double right = frame.whole.right() - theme::kGrid;
  const double first_left = frame.whole.left() + theme::kGrid + metrics.horizontalAdvance(frame.y_title);
  double all = 0;
  for (const LegendEntry& entry : frame.legend) all += entry_width(metrics, entry) + kBetweenEntries;
  int row = 0;
  double x = std::max(first_left + kBetweenEntries, right - all + kBetweenEntries);
  for (size_t i = 0; i < frame.legend.size(); ++i) {
    LegendEntry& entry = frame.legend[i];
    const double width = entry_width(metrics, entry);
    if (x + width > right && (i > 0 || row == 0) && x > frame.whole.left() + theme::kGrid) {
      ++row;
      x = frame.whole.left() + theme::kGrid;
    }
    if (row == kMostLegendRows) {
      frame.legend.resize(i);
      return row;
    }
    entry.area =
        QRectF(x - kLegendGap, frame.whole.top() + kLegendGap + row * row_height, width + 2 * kLegendGap, row_height);
    entry.at = {x, frame.whole.top() + kLegendGap + (row + 0.5) * row_height};
    x += width + kBetweenEntries;
  }
  return row + 1;
}

void paint_legend(QPainter& painter, const Frame& frame, const ChartLook& look) {
  const QFontMetricsF metrics(look.font);
  for (const LegendEntry& entry : frame.legend) {
    entry.hidden ? paint_ring(painter, entry) : paint_swatch(painter, entry);
    painter.setPen(entry.hidden ? look.muted() : look.text());
    const double baseline = entry.at.y() + (metrics.ascent() - metrics.descent()) / 2;
    painter.drawText(QPointF(entry.at.x() + swatch_width(entry) + kLegendGap, baseline), entry.name);
  }
}

}  // namespace n2nq::ui::charts
