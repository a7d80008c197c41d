#include "ui/charts/labelled_lines.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr double kApart = theme::kGrid / 2.0;
constexpr int kMostRows = 3;  // of words, one under the other

QRectF box_of(const LabelledLine& line, const QFontMetricsF& metrics) {
  return {line.text.x() - 1, line.text.y() - metrics.ascent(), metrics.horizontalAdvance(line.label) + 2,
          metrics.height()};
}

bool is_free(const std::vector<QRectF>& taken, const QRectF& box) {
  return std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(box); });
}

// To the right of the line, else to its left, in the first row with room.
bool place_beside(LabelledLine& line, double x, const QRectF& plot, const QFontMetricsF& metrics,
                  std::vector<QRectF>& taken) {
  const double width = metrics.horizontalAdvance(line.label);
  for (int row = 0; row < kMostRows; ++row) {
    for (const double left : {x + kApart, x - kApart - width}) {
      const QRectF box(left, plot.top() + kApart + row * metrics.height(), width, metrics.height());
      if (left < plot.left() || box.right() > plot.right() || box.bottom() > plot.bottom()) continue;
      if (!is_free(taken, box)) continue;
      taken.push_back(box.adjusted(-kApart, 0, kApart, 0));
      line.text = QPointF(left, box.top() + metrics.ascent());
      return true;
    }
  }
  return false;
}

void draw_words(QPainter& painter, const LabelledLine& line, const QColor& color, const ChartLook& look) {
  if (line.label.isEmpty()) return;
  const QFontMetricsF metrics(look.font);
  QColor behind = look.background();
  behind.setAlpha(200);
  painter.fillRect(box_of(line, metrics), behind);
  painter.setPen(color);
  painter.drawText(line.text, line.label);
}

}  // namespace

void place_landmarks(Frame& frame, const figures::Figure& figure, const QFontMetricsF& metrics) {
  std::vector<QRectF> taken;
  for (const LabelledLine& limit : frame.limits) taken.push_back(box_of(limit, metrics));
  for (const figures::Stretch& stretch : figure.stretches) {
    figures::Stretch shown = stretch;
    shown.from = std::max(position(figure.x, stretch.from), frame.x.min);
    shown.to = std::min(position(figure.x, stretch.to), frame.x.max);
    if (!(shown.from < shown.to)) continue;
    LabelledLine words{
        .at = shown.from, .label = theme::qt(stretch.label), .of = stretch.trouble ? LineOf::trouble : LineOf::pause};
    if (!place_beside(words, frame.to_pixel({words.at, 0}).x(), frame.plot, metrics, taken)) words.label.clear();
    frame.landmarks.push_back(std::move(words));
    frame.stretches.push_back(std::move(shown));
  }
  for (const figures::Landmark& landmark : figure.landmarks) {
    LabelledLine line{.at = position(figure.x, landmark.x), .label = theme::qt(landmark.label)};
    if (!std::isfinite(line.at) || !frame.x.contains(line.at)) continue;
    const double x = std::round(frame.to_pixel({line.at, 0}).x());
    if (!place_beside(line, x, frame.plot, metrics, taken)) line.label.clear();
    frame.landmarks.push_back(std::move(line));
  }
}

// One that is far above all values would flatten them: its words say that it is up there.
void place_limits(Frame& frame, const figures::Figure& figure, const QFontMetricsF& metrics) {
  double next_above = frame.plot.top() + metrics.ascent();
  for (const figures::Limit& limit : figure.limits) {
    LabelledLine line{.at = position(figure.y, limit.value), .label = theme::qt(limit.label)};
    if (!std::isfinite(line.at) || line.at < frame.y.min) continue;
    line.off = line.at > frame.y.max;
    if (line.off) line.label += QString::fromUtf8(" ↑");
    const double x = frame.plot.right() - kApart - metrics.horizontalAdvance(line.label);
    const double y = frame.to_pixel({0, line.at}).y() - kApart;
    line.text = QPointF(x, line.off ? next_above : std::max(y, frame.plot.top() + metrics.ascent()));
    if (line.off) next_above += metrics.height();
    frame.limits.push_back(std::move(line));
  }
}

void paint_landmarks(QPainter& painter, const Frame& frame, const ChartLook& look) {
  if (frame.landmarks.empty() && frame.limits.empty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(look.font);
  for (const LabelledLine& line : frame.limits) {
    const double y = std::round(frame.to_pixel({0, line.at}).y());
    painter.setPen(QPen(look.limit(), 1));
    if (!line.off) painter.drawLine(QPointF(frame.plot.left(), y), QPointF(frame.plot.right(), y));
  }
  painter.setPen(QPen(look.landmark(), 1, Qt::DashLine));
  for (const LabelledLine& line : frame.landmarks) {
    if (line.of != LineOf::moment) continue;
    const double x = std::round(frame.to_pixel({line.at, 0}).x());
    painter.drawLine(QPointF(x, frame.plot.bottom()), QPointF(x, frame.plot.top()));
  }
  for (const LabelledLine& line : frame.limits) draw_words(painter, line, look.limit(), look);
  for (const LabelledLine& line : frame.landmarks)
    draw_words(painter, line, line.of == LineOf::trouble ? look.limit() : look.landmark(), look);
  painter.restore();
}

}  // namespace n2nq::ui::charts
