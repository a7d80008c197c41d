#include "ui/run/growing_label.h"

#include <QEvent>
#include <algorithm>

#include "ui/theme/theme.h"

namespace n2nq::ui {

namespace {

// Digits are equally wide: to measure such a text again would take as long as to paint it.
bool differs_by_digits_alone(const QString& a, const QString& b) {
  return std::ranges::equal(a, b, [](QChar x, QChar y) { return x == y || (x.isDigit() && y.isDigit()); });
}

}  // namespace

GrowingLabel::GrowingLabel(const QString& accessible_name, QWidget* parent, theme::TextSize size)
    : theme::Label({}, size, theme::Tone::plain, parent) {
  setAccessibleName(accessible_name);
  set_figures();
  // Fixed in both directions: QLabel then asks for no new layout.
  setFixedSize(0, fontMetrics().height() + theme::kSpace1);
  hide();  // until there is something to show; from then on it keeps its place
}

void GrowingLabel::show_figure(const QString& text) {
  if (text == this->text()) return;
  if (!differs_by_digits_alone(text, this->text())) grow_to(text);
  setText(text);
}

void GrowingLabel::reserve(const QString& widest) {
  grow_to(widest);
}

void GrowingLabel::grow_to(const QString& text) {
  const int needed = fontMetrics().horizontalAdvance(text) + theme::kSpace1;
  if (needed <= maximumWidth()) return;
  setFixedWidth(needed);
  show();
}

// Another typeface needs other room.
void GrowingLabel::changeEvent(QEvent* event) {
  theme::Label::changeEvent(event);
  if (event->type() != QEvent::FontChange || text().isEmpty()) return;
  setFixedHeight(fontMetrics().height() + theme::kSpace1);
  grow_to(text());
}

}  // namespace n2nq::ui

#include "moc_growing_label.cpp"
