#include "ui/run/growing_label.h"

#include "ui/theme/theme.h"

namespace n2nq::ui {

GrowingLabel::GrowingLabel(const QString& accessible_name, QWidget* parent) : QLabel(parent) {
  setAccessibleName(accessible_name);
  setFont(theme::figure_font());
  setTextFormat(Qt::PlainText);
  // Fixed in both directions: QLabel then asks for no new layout.
  setFixedSize(0, fontMetrics().height() + theme::kGrid / 2);
  hide();  // until there is something to show; from then on it keeps its place
}

void GrowingLabel::show_figure(const QString& text) {
  if (text == this->text()) return;
  grow_to(text);
  setText(text);
}

void GrowingLabel::reserve(const QString& widest) {
  grow_to(widest);
}

void GrowingLabel::grow_to(const QString& text) {
  const int needed = fontMetrics().horizontalAdvance(text) + theme::kGrid / 2;
  if (needed <= maximumWidth()) return;
  setFixedWidth(needed);
  show();
}

}  // namespace n2nq::ui

#include "moc_growing_label.cpp"
