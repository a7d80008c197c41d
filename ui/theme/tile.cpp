#include "ui/theme/tile.h"

#include <QAccessible>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>

#include "ui/theme/focus_ring.h"
#include "ui/theme/label.h"
#include "ui/theme/palette.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/shapes.h"
#include "ui/theme/sparkline.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kLeastTrend = 40;
constexpr int kMostTrend = 160;
constexpr const char* kNothing = "–";

QString in_words(TileState state) {
  switch (state) {
    case TileState::good:
      return Tile::tr("good");
    case TileState::warning:
      return Tile::tr("warning");
    case TileState::bad:
      return Tile::tr("limit exceeded");
    case TileState::plain:
      break;
  }
  return {};
}

Tone tile_tone(TileState state) {
  return state == TileState::good      ? Tone::good
         : state == TileState::warning ? Tone::warning
         : state == TileState::bad     ? Tone::bad
                                       : Tone::plain;
}

int line_height(const QFont& font) {
  return QFontMetrics(font).height();
}

}  // namespace

Tile::Tile(const QString& name, figures::Hue hue, QWidget* parent)
    : QAbstractButton(parent), name_(name), trend_(new Sparkline(hue, this)), value_(kNothing) {
  take_fonts();
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Tile %1").arg(name));
  setFocusPolicy(Qt::StrongFocus);
  setContextMenuPolicy(Qt::CustomContextMenu);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
  tell();
}

void Tile::set_name(const QString& name) {
  if (name == name_) return;
  name_ = name;
  tell();
  updateGeometry();
  update();
}

void Tile::show_value(const QString& value, const QString& unit) {
  if (value == value_ && unit == unit_) return;
  const int before = value_width();
  if (value_ == kNothing && state_ == TileState::plain && !why_.isEmpty()) {
    why_.clear();  // why there was none
    update(caption_line());
  }
  value_ = value;
  unit_ = unit;
  tell();
  const int after = value_width();
  if (after != before) place_trend();
  QRect changed = figure_line();
  changed.setWidth(std::max(before, after));
  update(changed);
}

void Tile::show_nothing(const QString& why) {
  if (value_ == kNothing && why_ == why && state_ == TileState::plain) return trend_->clear();
  trend_->clear();
  value_ = kNothing;
  unit_.clear();
  set_state(TileState::plain, why);
  tell();
  update();
}

void Tile::push(double value) {
  trend_->push(value);
}

void Tile::set_trend(std::vector<double> values) {
  trend_->set_values(std::move(values));
}

void Tile::set_state(TileState state, const QString& why) {
  if (state == state_ && why == why_) return;
  state_ = state;
  why_ = why;
  tell();
  place_trend();
  update();
}

void Tile::clear() {
  show_nothing({});
}

// What is said is the figure itself, and after it what is amiss.
void Tile::tell() {
  QString said = value_ == kNothing ? tr("no value") : (value_ + ' ' + unit_).trimmed();
  for (const QString& more : {in_words(state_), why_})
    if (!more.isEmpty()) said += ", " + more;
  setAccessibleDescription(said);
  setToolTip(why_.isEmpty() || value_ == kNothing ? help_ : plain_tip(name_ + ": " + said + '\n' + help_));
}

void Tile::set_help(const QString& help) {
  help_ = help;
  tell();
}

QColor Tile::ink() const {
  return color(tile_tone(state_));
}

// To ask for them again takes longer than to paint with them.
void Tile::take_fonts() {
  small_ = text_font(TextSize::caption);
  middle_ = text_font();
  larger_ = figure_font(TextSize::title);
  large_ = figure_font(TextSize::headline);
}

const QFont& Tile::value_font() const {
  const int room = width() - 2 * kCardInside;
  return width_in(large_) <= room ? large_ : width_in(larger_) <= room ? larger_ : middle_;
}

int Tile::width_in(const QFont& font) const {
  int width = QFontMetrics(font).horizontalAdvance(value_);
  if (!unit_.isEmpty()) width += kSpace1 + QFontMetrics(middle_).horizontalAdvance(unit_);
  return width;
}

void Tile::place_trend() {
  const int left = kCardInside + value_width() + kSpace3;
  const int room = width() - kCardInside - left;
  const int wide = std::min(room, kMostTrend);
  const int top = kSpace3 + line_height(small_) + kSpace1;
  trend_->setVisible(wide >= kLeastTrend && (why_.isEmpty() || state_ == TileState::plain) && value_ != kNothing);
  trend_->setGeometry(width() - kCardInside - wide, top, wide, line_height(large_) - kSpace1);
}

QSize Tile::sizeHint() const {
  const int height = kSpace3 + line_height(small_) + line_height(large_) + kSpace3;
  return {std::max(width_in(large_), 5 * kSpace5) + kSpace3 + 2 * kCardInside, height};
}

QSize Tile::minimumSizeHint() const {
  return {std::max(width_in(middle_), 4 * kSpace5) + 2 * kCardInside, sizeHint().height()};
}

QRect Tile::caption_line() const {
  return {kCardInside, kSpace3, width() - 2 * kCardInside, line_height(small_)};
}

QRect Tile::figure_line() const {
  const QRect above = caption_line();
  return {above.left(), above.bottom() + 1, above.width(), line_height(large_)};
}

bool Tile::is_amiss() const {
  return state_ == TileState::warning || state_ == TileState::bad;
}

void Tile::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  const QColor card = surface(Surface::card);
  const QColor fill = is_amiss() ? tint_of(ink(), card) : underMouse() || isDown() ? surface(Surface::hover) : card;
  const bool focus = hasFocus();
  const QColor edge = focus ? focus_color() : is_amiss() ? ink() : surface(Surface::line);
  painter.fillRect(event->rect(), surface(Surface::page));
  draw_ground(painter, event->region(), rect(), kRadius, fill, edge, focus ? kFocusWidth : 1);
  if (event->region().intersects(caption_line())) paint_caption(painter);
  if (event->region().intersects(figure_line())) paint_figure(painter);
}

void Tile::paint_caption(QPainter& painter) const {
  const QRect line = caption_line();
  painter.setFont(small_);
  painter.setPen(muted_text());
  const QFontMetrics metrics(small_);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name_, Qt::ElideRight, line.width()));
  if (why_.isEmpty()) return;
  const int left = line.left() + metrics.horizontalAdvance(name_) + kSpace3;
  painter.setPen(is_amiss() ? ink() : muted_text());
  const QRect room(left, line.top(), line.right() + 1 - left, line.height());
  QString shown = metrics.elidedText(why_, Qt::ElideRight, room.width());
  if (shown != why_ && value_ != kNothing && !is_amiss()) return;  // "max 1…" reads as another figure; the tip has it
  const auto end = why_.left(shown.size()).lastIndexOf(' ');
  if (shown != why_) shown = end > 0 ? why_.left(end) + QChar(0x2026) : QString();  // whole words
  painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, shown);
}

void Tile::paint_figure(QPainter& painter) const {
  const QRect line = figure_line();
  const QFont& font = value_font();
  const int base = line.top() + QFontMetrics(large_).ascent();
  painter.setFont(font);
  painter.setPen(value_ == kNothing ? muted_text() : ink());
  painter.drawText(QPoint(line.left(), base), value_);
  if (unit_.isEmpty()) return;
  painter.setFont(middle_);
  painter.setPen(muted_text());
  painter.drawText(QPoint(line.left() + QFontMetrics(font).horizontalAdvance(value_) + kSpace1, base), unit_);
}

void Tile::resizeEvent(QResizeEvent* event) {
  QAbstractButton::resizeEvent(event);
  place_trend();
}

void Tile::changeEvent(QEvent* event) {
  QAbstractButton::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    take_fonts();
    place_trend();
    updateGeometry();
  }
}

void Tile::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  update();
}

void Tile::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  update();
}

}  // namespace n2nq::ui::theme

#include "moc_tile.cpp"
