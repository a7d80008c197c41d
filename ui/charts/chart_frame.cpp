#include "ui/charts/chart_frame.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/charts/labelled_lines.h"
#include "ui/charts/legend.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Axis;
using figures::Figure;
using figures::Quantity;

constexpr double kGap = theme::kGrid / 2.0;
constexpr double kBetweenLabels = 1.5 * theme::kGrid;
constexpr double kYTickEvery = 36;  // pixels, about
constexpr double kXTickEvery = 64;
constexpr size_t kMostInTwoLines = 12;
constexpr double kLeastRoom = 8.0 * theme::kGrid;     // of a name in two lines
constexpr double kAboutBeside = 10.0 * theme::kGrid;  // left and right of the plot
constexpr int kLeastSteps = 8;  // that the end of y is rounded to: a low picture with few labels is filled too
constexpr double kLaneLeft = 8.0 * theme::kGrid;  // of the labels of all lanes
constexpr double kLaneRight = 1.5 * theme::kGrid;
constexpr double kLaneApart = 0.75 * theme::kGrid;  // half a label stands out
constexpr double kRoomForTicks = 2 * kYTickEvery;
constexpr int kGroundAlpha = 28;

double widest(const QFontMetricsF& metrics, const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, metrics.horizontalAdvance(tick.label));
  return width;
}

bool overlap(const QFontMetricsF& metrics, const Tick& one, const Tick& next, double pixels_per_unit) {
  const double need = (metrics.horizontalAdvance(one.label) + metrics.horizontalAdvance(next.label)) / 2;
  return (next.at - one.at) * pixels_per_unit < need + kBetweenLabels;
}

// Tail ticks are few and unevenly far apart: a label that finds no room is left out, its line stays.
void hide_overlapping(std::vector<Tick>& ticks, const QFontMetricsF& metrics, double pixels_per_unit) {
  size_t shown = 0;
  for (size_t i = 1; i < ticks.size(); ++i) {
    if (overlap(metrics, ticks[shown], ticks[i], pixels_per_unit)) {
      ticks[i].label.clear();
    } else {
      shown = i;
    }
  }
}

std::vector<Tick> ticks_that_fit(const Axis& axis, const Span& span, const QFontMetricsF& metrics, double width) {
  const double pixels_per_unit = width / span.size();
  int most = std::max(1, static_cast<int>(width / kXTickEvery));
  if (axis.quantity == Quantity::percentile) {
    auto found = ticks(axis, span, most);
    hide_overlapping(found, metrics, pixels_per_unit);
    return found;
  }
  if (axis.quantity == Quantity::category) most = std::max(1, static_cast<int>(width / (2 * kBetweenLabels)));
  for (; most > 1; --most) {
    const auto found = ticks(axis, span, most);
    const auto tight = [&](const Tick& one, const Tick& next) { return overlap(metrics, one, next, pixels_per_unit); };
    if (std::adjacent_find(found.begin(), found.end(), tight) == found.end()) return found;
  }
  return ticks(axis, span, 1);
}

// A few names that have no room beside each other in one line have two, and all of them are there.
bool needs_two_lines(const Axis& axis, const Span& span, const QFontMetricsF& metrics, double width) {
  if (axis.quantity != Quantity::category || axis.categories.size() > kMostInTwoLines) return false;
  return width / span.size() >= kLeastRoom &&
         ticks_that_fit(axis, span, metrics, width).size() < axis.categories.size();
}

QString in_two_lines(const QString& label, const QFontMetricsF& metrics, double room) {
  if (metrics.horizontalAdvance(label) <= room) return label;
  QString first = label, second;
  double narrowest = metrics.horizontalAdvance(label);
  for (qsizetype at = label.indexOf(' '); at >= 0; at = label.indexOf(' ', at + 1)) {
    const double width =
        std::max(metrics.horizontalAdvance(label.left(at)), metrics.horizontalAdvance(label.mid(at + 1)));
    if (width >= narrowest) continue;
    narrowest = width;
    first = label.left(at);
    second = label.mid(at + 1);
  }
  const auto fitted = [&](const QString& line) { return metrics.elidedText(line, Qt::ElideRight, room); };
  return second.isEmpty() ? fitted(first) : fitted(first) + '\n' + fitted(second);
}

std::vector<Tick> two_line_ticks(const Axis& axis, const Span& span, const QFontMetricsF& metrics, double width) {
  std::vector<Tick> all = ticks(axis, span, static_cast<int>(2 * axis.categories.size()));
  for (Tick& tick : all) tick.label = in_two_lines(tick.label, metrics, width / span.size() - kBetweenLabels);
  return all;
}

std::vector<double> marked_categories(const Axis& axis, const QStringList& highlighted) {
  std::vector<double> marked;
  if (axis.quantity != Quantity::category) return marked;
  for (size_t i = 0; i < axis.categories.size(); ++i) {
    if (highlighted.contains(theme::qt(axis.categories[i]))) marked.push_back(static_cast<double>(i));
  }
  return marked;
}

void cover_margins(QPainter& painter, const Frame& frame, const ChartLook& look) {
  const QRectF& whole = frame.whole;
  const QRectF plot = frame.plot.adjusted(-1, -1, 1, 1);
  const QColor color = look.background();
  painter.fillRect(QRectF(whole.topLeft(), QPointF(whole.right(), plot.top())), color);
  painter.fillRect(QRectF(QPointF(whole.left(), plot.bottom()), whole.bottomRight()), color);
  painter.fillRect(QRectF(QPointF(whole.left(), plot.top()), QPointF(plot.left(), plot.bottom())), color);
  painter.fillRect(QRectF(QPointF(plot.right(), plot.top()), QPointF(whole.right(), plot.bottom())), color);
}

void paint_x_labels(QPainter& painter, const Frame& frame) {
  const QFontMetricsF metrics(painter.font());
  const double baseline = frame.plot.bottom() + kGap + metrics.ascent();
  for (const Tick& tick : frame.x_ticks) {
    double below = 0;
    for (const QString& line : tick.label.split('\n')) {
      const double width = metrics.horizontalAdvance(line);
      const double centred = frame.to_pixel({tick.at, 0}).x() - width / 2;
      painter.drawText(
          QPointF(std::clamp(centred, frame.whole.left(), std::max(frame.whole.left(), frame.whole.right() - width)),
                  baseline + below),
          line);
      below += metrics.height();
    }
  }
}

void paint_y_labels(QPainter& painter, const Frame& frame) {
  const QFontMetricsF metrics(painter.font());
  for (const Tick& tick : frame.y_ticks) {
    const double y = frame.to_pixel({0, tick.at}).y();
    const double x = frame.plot.left() - kGap - metrics.horizontalAdvance(tick.label);
    painter.drawText(QPointF(x, y + (metrics.ascent() - metrics.descent()) / 2), tick.label);
  }
}

// The ends alone where there is no room for more.
std::vector<Tick> lane_ticks(const Axis& axis, const Span& span, double height) {
  if (height >= kRoomForTicks) return ticks(axis, span, static_cast<int>(height / kYTickEvery));
  if (axis.by_decades) {
    const std::vector<Tick> all = ticks(axis, span, 2);
    return all.size() < 2 ? all : std::vector{all.front(), all.back()};
  }
  const auto tick = [&](double at) { return Tick{at, at == 0 ? QString('0') : bare_value_text(axis, span, at)}; };
  return {tick(span.min), tick(span.max)};
}

Frame lay_out_part(const Figure& figure, const ChartLook& look, const FrameWish& wish) {
  const QFontMetricsF metrics(look.font);
  const bool foot = wish.part == Part::foot;
  Frame frame{.whole = wish.whole, .x = wish.x, .y = wish.y};
  const double bottom = foot ? std::ceil(metrics.height()) + kGap : kLaneApart;
  const double height = std::max(1.0, std::floor(wish.whole.height() - bottom - (foot ? 0 : kLaneApart)));
  if (wish.round_y)
    frame.y = rounded_out(figure.y, frame.y, std::max(kLeastSteps, static_cast<int>(height / kYTickEvery)));
  frame.y_title = title(figure.y, frame.y);
  frame.plot = QRectF(wish.whole.left() + kLaneLeft, wish.whole.top() + (foot ? 0 : kLaneApart),
                      std::max(1.0, std::floor(wish.whole.width() - kLaneLeft - kLaneRight)), height);
  frame.x_ticks = ticks_that_fit(figure.x, frame.x, metrics, frame.plot.width());
  if (foot && !frame.x_ticks.empty()) frame.x_ticks.back().label += unit_text(figure.x, frame.x);
  if (!foot) frame.y_ticks = lane_ticks(figure.y, frame.y, height);
  place_limits(frame, figure, metrics);
  place_landmarks(frame, figure, metrics);
  if (foot) return frame;
  for (Tick& tick : frame.x_ticks) tick.label.clear();
  for (LabelledLine& line : frame.landmarks) line.label.clear();
  return frame;
}

}  // namespace

QPointF Frame::to_unit(const QPointF& position) const {
  return {(position.x() - x.min) / x.size(), (position.y() - y.min) / y.size()};
}

QPointF Frame::to_pixel(const QPointF& position) const {
  const QPointF unit = to_unit(position);
  return {plot.left() + unit.x() * plot.width(), plot.bottom() - unit.y() * plot.height()};
}

QPointF Frame::to_position(const QPointF& pixel) const {
  return {x.min + (pixel.x() - plot.left()) / plot.width() * x.size(),
          y.min + (plot.bottom() - pixel.y()) / plot.height() * y.size()};
}

Frame lay_out(const Figure& figure, const ChartLook& look, const FrameWish& wish) {
  if (wish.part != Part::whole) return lay_out_part(figure, look, wish);
  const QFontMetricsF metrics(look.font);
  const double row = std::ceil(metrics.height()) + kGap;
  Frame frame{.whole = wish.whole, .x = wish.x, .y = wish.y};
  fill_legend(frame, figure, look, wish);
  frame.y_title = title(figure.y, frame.y);
  if (wish.round_x) frame.x.max = rounded_out(figure.x, frame.x, kRoundEnds).max;
  // The time needs no row of its own: its last label says the unit.
  const bool is_time = figure.x.quantity == Quantity::time_ns;
  if (!is_time) frame.x_title = title(figure.x, frame.x);
  frame.y_title_height = row;
  const double top = place_legend(frame, metrics, row) * row + 3 * kGap;
  // As wide as the plot will be, about.
  const bool two_lines = needs_two_lines(figure.x, frame.x, metrics, wish.whole.width() - kAboutBeside);
  const double bottom = (frame.x_title.isEmpty() ? 1 : 2) * row + kGap + (two_lines ? metrics.height() : 0);
  const double height = std::max(1.0, wish.whole.height() - top - bottom);

  const int most_y = std::max(1, static_cast<int>(height / kYTickEvery));
  if (wish.round_y) frame.y = rounded_out(figure.y, frame.y, std::max(most_y, kLeastSteps));
  frame.y_title = title(figure.y, frame.y);  // a rounder end may have another unit
  frame.y_ticks = ticks(figure.y, frame.y, most_y);
  const double left = widest(metrics, frame.y_ticks) + kGap + theme::kGrid;
  const double right = 3.0 * theme::kGrid;
  // A width that follows each label would make the plot jump.
  const double steady_left = std::ceil(left / theme::kGrid) * theme::kGrid;
  frame.plot = QRectF(wish.whole.left() + steady_left, std::round(wish.whole.top() + top),
                      std::max(1.0, std::floor(wish.whole.width() - steady_left - right)), std::floor(height));
  frame.x_ticks = two_lines ? two_line_ticks(figure.x, frame.x, metrics, frame.plot.width())
                            : ticks_that_fit(figure.x, frame.x, metrics, frame.plot.width());
  if (is_time && !frame.x_ticks.empty()) frame.x_ticks.back().label += unit_text(figure.x, frame.x);
  frame.marked = marked_categories(figure.x, wish.highlighted);
  place_limits(frame, figure, metrics);
  place_landmarks(frame, figure, metrics);
  return frame;
}

void paint_grid(QPainter& painter, const Frame& frame, const ChartLook& look) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const double category : frame.marked) {
    const double left = frame.to_pixel({std::max(frame.x.min, category - 0.5), 0}).x();
    const double right = frame.to_pixel({std::min(frame.x.max, category + 0.5), 0}).x();
    QColor band = look.muted();
    band.setAlpha(64);
    const QRectF area(QPointF(left, frame.plot.top()), QPointF(std::max(right, left + 2), frame.plot.bottom()));
    if (right > left) painter.fillRect(area, band);
  }
  for (const figures::Stretch& stretch : frame.stretches) {
    QColor ground = stretch.trouble ? look.limit() : look.muted();
    ground.setAlpha(kGroundAlpha);
    const double left = frame.to_pixel({stretch.from, 0}).x(), right = frame.to_pixel({stretch.to, 0}).x();
    painter.fillRect(QRectF(left, frame.plot.top(), right - left, frame.plot.height()), ground);
  }
  painter.setPen(QPen(look.grid(), 1));
  for (const Tick& tick : frame.x_ticks) {
    const double x = std::round(frame.to_pixel({tick.at, 0}).x());
    painter.drawLine(QPointF(x, frame.plot.top()), QPointF(x, frame.plot.bottom()));
  }
  for (const Tick& tick : frame.y_ticks) {
    const double y = std::round(frame.to_pixel({0, tick.at}).y());
    if (tick.at == 0) painter.setPen(QPen(look.zero(), 1));
    painter.drawLine(QPointF(frame.plot.left(), y), QPointF(frame.plot.right(), y));
    painter.setPen(QPen(look.grid(), 1));
  }
  painter.restore();
}

void paint_labels(QPainter& painter, const Frame& frame, const ChartLook& look) {
  painter.save();
  if (look.for_print) cover_margins(painter, frame, look);
  painter.setFont(look.font);
  const QFontMetricsF metrics(look.font);
  paint_legend(painter, frame, look);
  painter.setPen(look.muted());
  const double first_row = frame.whole.top() + kGap + frame.y_title_height / 2;
  if (frame.y_title_height > 0)
    painter.drawText(QPointF(frame.whole.left() + theme::kGrid, first_row + (metrics.ascent() - metrics.descent()) / 2),
                     frame.y_title);
  paint_x_labels(painter, frame);
  paint_y_labels(painter, frame);
  const double last_row = frame.whole.bottom() - kGap - metrics.descent();
  painter.drawText(QPointF(frame.plot.right() - metrics.horizontalAdvance(frame.x_title), last_row), frame.x_title);
  if (!frame.message.isEmpty()) painter.drawText(frame.plot, Qt::AlignCenter | Qt::TextWordWrap, frame.message);
  painter.restore();
}

}  // namespace n2nq::ui::charts
