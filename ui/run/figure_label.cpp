#include "ui/run/figure_label.h"

#include "ui/theme/theme.h"

namespace n2nq::run {

FigureLabel::FigureLabel(const QString& accessible_name, QWidget* parent) : QLabel(parent) {
  setAccessibleName(accessible_name);
  setFont(theme::figure_font());
  setTextFormat(Qt::PlainText);
  // Fixed in both directions: QLabel then asks for no new layout.
  setFixedSize(0, fontMetrics().height() + theme::kGrid / 2);
  hide();  // until there is something to show; from then on it keeps its place
}

void FigureLabel::show_figure(const QString& text) {
  if (text == this->text()) return;
  grow_to(text);
  setText(text);
}

void FigureLabel::reserve(const QString& widest) {
  grow_to(widest);
}

void FigureLabel::grow_to(const QString& text) {
  const int needed = fontMetrics().horizontalAdvance(text) + theme::kGrid / 2;
  if (needed <= maximumWidth()) return;
  setFixedWidth(needed);
  show();
}

}  // namespace n2nq::run
