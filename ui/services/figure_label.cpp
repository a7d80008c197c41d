#include "ui/services/figure_label.h"

#include <QEvent>
#include <QPainter>

#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kIcon = 16;

}  // namespace

FigureLabel::FigureLabel(const QString& accessible_name, QWidget* parent) : QLabel(parent) {
  setAccessibleName(accessible_name);
  setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  setTextFormat(Qt::PlainText);
  setFont(theme::figure_font());
}

void FigureLabel::reserve(const std::string& widest) {
  if (widest == widest_) return;
  widest_ = widest;
  make_room();
}

// Least and largest size are the same, so a new text is not a reason to lay out again.
void FigureLabel::make_room() {
  const int text = fontMetrics().horizontalAdvance(theme::qt(widest_));
  setFixedSize(text + (can_mark_ ? kIcon + theme::kGrid / 2 : 0) + 2, qMax(fontMetrics().height(), kIcon));
}

void FigureLabel::show_figure(const std::string& figure) {
  const QString shown = theme::qt(figure);
  if (shown == text()) return;
  setText(shown);
  setAccessibleDescription(shown);
}

void FigureLabel::may_be_marked() {
  can_mark_ = true;
  make_room();
}

void FigureLabel::mark(bool on) {
  if (on == marked_) return;
  marked_ = on;
  update();
}

void FigureLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange) make_room();
}

void FigureLabel::paintEvent(QPaintEvent* event) {
  QLabel::paintEvent(event);
  if (!marked_) return;
  QPainter painter(this);
  theme::icon(theme::Status::warning).paint(&painter, QRect(0, (height() - kIcon) / 2, kIcon, kIcon));
}

}  // namespace n2nq::ui

#include "moc_figure_label.cpp"
