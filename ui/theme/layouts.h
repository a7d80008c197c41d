// How controls are arranged: rows, columns and grids. UI thread.
#pragma once

#include <QGridLayout>
#include <QHBoxLayout>
#include <QMargins>
#include <QVBoxLayout>

namespace n2nq::ui::theme {

template <typename Layout>
Layout* laid_out(QWidget* widget, int spacing, const QMargins& margins) {
  auto* layout = new Layout(widget);
  layout->setContentsMargins(margins);
  layout->setSpacing(spacing);
  return layout;
}

// All that is in the widget.
inline QHBoxLayout* row_in(QWidget* widget, int spacing, const QMargins& margins = {}) {
  return laid_out<QHBoxLayout>(widget, spacing, margins);
}

inline QVBoxLayout* column_in(QWidget* widget, int spacing, const QMargins& margins = {}) {
  return laid_out<QVBoxLayout>(widget, spacing, margins);
}

inline QGridLayout* grid_in(QWidget* widget, int horizontal_spacing, int vertical_spacing,
                            const QMargins& margins = {}) {
  auto* grid = laid_out<QGridLayout>(widget, vertical_spacing, margins);
  grid->setHorizontalSpacing(horizontal_spacing);
  return grid;
}

// Within another layout.
inline QHBoxLayout* inner_row(int spacing) {
  return row_in(nullptr, spacing);
}

}  // namespace n2nq::ui::theme
