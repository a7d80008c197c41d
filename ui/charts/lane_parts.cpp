#include "ui/charts/lane_parts.h"

#include <QFontMetrics>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QStyleOption>
#include <algorithm>
#include <cstdlib>

#include "ui/charts/legend.h"
#include "ui/theme/focus_ring.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr int kHeadWidth = 17 * theme::kGrid;
constexpr int kValuesWidth = 24 * theme::kGrid;
constexpr int kKeyWidth = static_cast<int>(kSwatch);

// Between this lane and the next.
void paint_edge(QPainter& painter, const QWidget& of) {
  painter.fillRect(0, of.height() - 1, of.width(), 1, theme::grid_line());
}

}  // namespace

LaneHead::LaneHead(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void LaneHead::show_figure(const QString& name, const QString& unit) {
  if (name == text() && unit == unit_) return;
  unit_ = unit;
  setText(name);
  setToolTip(name + (unit.isEmpty() ? QString() : ", " + unit) + "; click for its menu, drag to move it");
  update();
}

QSize LaneHead::sizeHint() const {
  return {kHeadWidth, 5 * theme::kGrid};
}

void LaneHead::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (underMouse()) painter.fillRect(rect(), theme::surface(theme::Surface::hover));
  const QRect room = rect().adjusted(theme::kSpace2, 0, -theme::kSpace1, 0);
  const auto line = [&](const QFont& font, const QColor& color, const QString& text, int from_middle) {
    painter.setFont(font);
    painter.setPen(color);
    const QFontMetrics metrics(font);
    const int top = room.center().y() + (from_middle < 0 ? -metrics.height() : 0);
    const QRect box(room.left(), unit_.isEmpty() ? room.center().y() - metrics.height() / 2 : top, room.width(),
                    metrics.height());
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, box.width()));
  };
  line(theme::text_font(), palette().color(QPalette::Text), text(), -1);
  line(theme::text_font(theme::TextSize::caption), theme::muted_text(), unit_, 1);
  paint_edge(painter, *this);
  if (hasFocus()) theme::draw_focus_ring(painter, rect(), theme::kSmallRadius);
}

void LaneHead::mousePressEvent(QMouseEvent* event) {
  pressed_y_ = event->globalPosition().toPoint().y();
  drags_ = false;
  QAbstractButton::mousePressEvent(event);
}

void LaneHead::mouseMoveEvent(QMouseEvent* event) {
  const int y = event->globalPosition().toPoint().y();
  drags_ = drags_ || (isDown() && std::abs(y - pressed_y_) > theme::kGrid);
  if (!drags_) return;
  setCursor(Qt::ClosedHandCursor);
  Q_EMIT dragged(y);
}

void LaneHead::mouseReleaseEvent(QMouseEvent* event) {
  unsetCursor();
  if (drags_) return setDown(false);
  QAbstractButton::mouseReleaseEvent(event);
}

LaneValues::LaneValues(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void LaneValues::show_values(std::vector<Value> values) {
  if (values == values_) return;
  values_ = std::move(values);
  QStringList lines;
  for (const Value& one : values_) lines.append(one.entry.name + ' ' + one.text);
  setToolTip(lines.join('\n'));
  update();
}

QSize LaneValues::sizeHint() const {
  return {kValuesWidth, 5 * theme::kGrid};
}

// As many as find room; the last line says how many more there are.
void LaneValues::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFont font = theme::figure_font(theme::TextSize::caption);
  painter.setFont(font);
  paint_edge(painter, *this);
  const QFontMetrics metrics(font);
  const int row = metrics.ascent() + 2;  // closer than lines of text: names have few descenders
  const auto room = static_cast<size_t>(std::max(1, height() / row));
  const size_t shown = values_.size() <= room ? values_.size() : room - 1;
  const auto rows = static_cast<int>(std::min(values_.size(), room));
  int top = (height() - rows * row) / 2;
  for (size_t i = 0; i < shown; ++i, top += row) {
    const Value& one = values_[i];
    LegendEntry key = one.entry;
    key.at = QPointF(0, top + row / 2.0);
    paint_swatch(painter, key);
    const int name_left = kKeyWidth + theme::kSpace1;
    const int value_width = metrics.horizontalAdvance(one.text);
    const int name_width = width() - theme::kSpace2 - value_width - theme::kSpace2 - name_left;
    painter.setPen(theme::muted_text());
    painter.drawText(name_left, top + metrics.ascent(), metrics.elidedText(one.entry.name, Qt::ElideRight, name_width));
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(width() - theme::kSpace2 - value_width, top + metrics.ascent(), one.text);
  }
  if (shown == values_.size()) return;
  painter.setPen(theme::muted_text());
  painter.drawText(kKeyWidth + theme::kSpace1, top + metrics.ascent(), QString("%1 more").arg(values_.size() - shown));
}

}  // namespace n2nq::ui::charts

#include "moc_lane_parts.cpp"
