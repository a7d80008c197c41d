#include "ui/charts/crosshair.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/theme/palette.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr double kInside = theme::kGrid;
constexpr double kBetweenColumns = 1.5 * theme::kGrid;
constexpr double kKey = 8;  // the square that tells which colour a row is about

// Where the parts of the card stand.
struct CardLayout {
  CardLayout(const FigureChart::Hit& hit, const QFont& font, const QFont& bold)
      : plain(font), strong(bold), row(plain.height() + 1) {
    for (const FigureChart::Row& one : hit.rows) {
      names = std::max(names, kKey + theme::kGrid / 2.0 + plain.horizontalAdvance(one.name));
      values = std::max(values, strong.horizontalAdvance(one.value));
    }
    const double width = std::max(
        {names + kBetweenColumns + values, strong.horizontalAdvance(hit.heading), plain.horizontalAdvance(hit.hint)});
    const auto lines = static_cast<double>(hit.rows.size()) + (hit.hint.isEmpty() ? 1 : 2);
    size = QSizeF(width + 2 * kInside, lines * row + 1.5 * kInside);
  }
  QFontMetricsF plain, strong;
  double row;
  double names = 0;
  double values = 0;
  QSizeF size;
};

// Beside the line, on the side where there is room, and within the plot where that has room: titles of axes stay read.
QRectF placed_beside(const QPointF& pixel, const QSizeF& size, const QRectF& plot, const QRectF& whole) {
  constexpr double gap = 1.5 * theme::kGrid;
  QRectF box(QPointF(), size);
  const bool right = pixel.x() + gap + size.width() <= whole.right();
  box.moveLeft(right ? pixel.x() + gap : pixel.x() - gap - size.width());
  box.moveLeft(std::max(box.left(), whole.left()));
  const QRectF& room = size.height() + 2 <= plot.height() ? plot : whole;
  box.moveTop(std::clamp(pixel.y() - gap - size.height(), room.top() + 1,
                         std::max(room.top() + 1, room.bottom() - 1 - size.height())));
  return box;
}

}  // namespace

Crosshair::Crosshair(const FigureChart* chart) : chart_(chart) {
  setZValue(200);
  setVisible(false);
}

void Crosshair::point_at(const std::optional<FigureChart::Hit>& hit, Card card) {
  if (hit == hit_ && card == card_) return;
  hit_ = hit;
  card_ = card;
  setVisible(hit_.has_value());
  update();
}

QRectF Crosshair::boundingRect() const {
  return chart_->frame().whole;
}

void Crosshair::paint_lines(QPainter& painter) const {
  const ChartLook& look = chart_->look();
  const QRectF& plot = chart_->frame().plot;
  const double x = std::round(chart_->frame().to_pixel({hit_->x, 0}).x());
  painter.setPen(QPen(look.muted(), 1));
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(look.background(), 1.5));
  for (const FigureChart::Row& row : hit_->rows) {
    painter.setBrush(row.color);
    if (plot.adjusted(-1, -1, 1, 1).contains(row.pixel)) painter.drawEllipse(row.pixel, 4, 4);
  }
}

void Crosshair::paint_card(QPainter& painter) const {
  const ChartLook& look = chart_->look();
  QFont bold = look.font;
  bold.setBold(true);
  const CardLayout layout(*hit_, look.font, bold);
  const QRectF box = placed_beside(hit_->pixel, layout.size, chart_->frame().plot, chart_->frame().whole);
  const QPalette palette = theme::make_palette(look.dark);
  painter.setPen(QPen(look.grid(), 1));
  painter.setBrush(palette.color(QPalette::ToolTipBase));
  painter.drawRoundedRect(box, theme::kGrid / 2.0, theme::kGrid / 2.0);
  painter.setPen(look.text());
  painter.setFont(bold);
  double baseline = box.top() + 0.75 * kInside + layout.strong.ascent();
  painter.drawText(QPointF(box.left() + kInside, baseline), hit_->heading);
  for (const FigureChart::Row& row : hit_->rows) {
    baseline += layout.row;
    const double middle = baseline - layout.plain.ascent() / 2 + 1;
    painter.fillRect(QRectF(box.left() + kInside, middle - kKey / 2, kKey, kKey), row.color);
    painter.setFont(look.font);
    painter.drawText(QPointF(box.left() + kInside + kKey + theme::kGrid / 2.0, baseline), row.name);
    painter.setFont(bold);
    const double width = layout.strong.horizontalAdvance(row.value);
    painter.drawText(QPointF(box.right() - kInside - width, baseline), row.value);
  }
  if (hit_->hint.isEmpty()) return;
  painter.setPen(look.muted());
  painter.setFont(look.font);
  painter.drawText(QPointF(box.left() + kInside, baseline + layout.row), hit_->hint);
}

void Crosshair::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  if (!hit_) return;
  paint_lines(*painter);
  if (card_ == Card::shown && !hit_->rows.empty()) paint_card(*painter);
}

}  // namespace n2nq::ui::charts
