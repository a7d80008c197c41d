#include "ui/theme/chip.h"

#include <QAccessibleWidget>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/theme/focus_ring.h"
#include "ui/theme/palette.h"
#include "ui/theme/shapes.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kPillInside = 10;
constexpr int kDot = 7;
constexpr int kLeastWidth = 6 * kSpace4;

QFont chip_font() {
  QFont font = text_font(TextSize::caption);
  font.setWeight(QFont::DemiBold);
  return font;
}

int chip_height() {
  return QFontMetrics(chip_font()).height() + kSpace1;
}

}  // namespace

Chip::Chip(QWidget* parent) : QAbstractButton(parent) {
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  set_clickable(false);
}

void Chip::show_text(Tone tone, const QString& shown, bool dot) {
  if (tone == tone_ && shown == text() && dot == dot_) return;
  const QSize before = sizeHint();
  tone_ = tone;
  dot_ = dot;
  setText(shown);
  if (sizeHint() != before) updateGeometry();
  update();
}

void Chip::set_clickable(bool on) {
  clickable_ = on;
  setFocusPolicy(on ? Qt::TabFocus : Qt::NoFocus);
  setCursor(on ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

QFont Chip::font_of_text() const {
  return clickable_ ? text_font() : chip_font();
}

QSize Chip::sizeHint() const {
  const QFontMetrics metrics(font_of_text());
  const int width = metrics.horizontalAdvance(text()) + 2 * kPillInside + (dot_ ? kDot + kSpace1 + 2 : 0);
  return {width, clickable_ ? metrics.height() + kSpace2 : chip_height()};
}

QSize Chip::minimumSizeHint() const {
  const QSize whole = sizeHint();
  return {std::min(whole.width(), kLeastWidth), whole.height()};
}

void Chip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QColor ink = color(tone_);
  const QColor card = surface(Surface::card);
  if (!clickable_) {
    draw_round(painter, rect(), height() / 2.0, tint_of(ink, card), Qt::transparent);
  } else {
    const bool focus = hasFocus();
    draw_round(painter, rect(), height() / 2.0, underMouse() || isDown() ? surface(Surface::hover) : card,
               focus ? focus_color() : outline_on(is_dark()), focus ? kFocusWidth : 1);
  }
  int left = kPillInside;
  if (dot_) {
    draw_round(painter, QRectF(left, (height() - kDot) / 2.0, kDot, kDot), kDot / 2.0, ink, Qt::transparent);
    left += kDot + kSpace1 + 2;
  }
  painter.setFont(font_of_text());
  painter.setPen(clickable_ ? color(Tone::plain) : ink);
  const QRect room(left, 0, width() - left - kPillInside, height());
  const QFontMetrics metrics(font_of_text());
  const bool whole = metrics.horizontalAdvance(text()) <= room.width();
  painter.drawText(whole ? room.adjusted(0, 0, kPillInside, 0) : room, Qt::AlignLeft | Qt::AlignVCenter,
                   whole ? text() : metrics.elidedText(text(), Qt::ElideRight, room.width()));
}

// What is only read leaves the mouse to what is below it, but for its tip.
void Chip::mousePressEvent(QMouseEvent* event) {
  clickable_ ? QAbstractButton::mousePressEvent(event) : event->ignore();
}

void Chip::changeEvent(QEvent* event) {
  QAbstractButton::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) updateGeometry();
}

void Chip::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  update();
}

void Chip::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  update();
}

int chip_width(const QString& text) {
  return QFontMetrics(chip_font()).horizontalAdvance(text) + 2 * kPillInside;
}

void paint_chip(QPainter& painter, const QRect& rect, Tone tone, const QString& text) {
  const int height = std::min(chip_height(), rect.height());
  const QRect pill(rect.left(), rect.top() + (rect.height() - height) / 2, std::min(chip_width(text), rect.width()),
                   height);
  const QColor ink = color(tone);
  draw_round(painter, pill, height / 2.0, tint_of(ink, surface(Surface::card)), Qt::transparent);
  painter.save();
  painter.setFont(chip_font());
  painter.setPen(ink);
  painter.drawText(pill, Qt::AlignCenter,
                   QFontMetrics(chip_font()).elidedText(text, Qt::ElideRight, pill.width() - kPillInside));
  painter.restore();
}

}  // namespace n2nq::ui::theme

#include "moc_chip.cpp"
