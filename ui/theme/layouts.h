// How controls are arranged: in rows, columns and grids, and beside a line that can be moved. UI thread.
#pragma once

#include <QGridLayout>
#include <QHBoxLayout>
#include <QMargins>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/theme/tokens.h"

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

// Of cards; the sizes are in proportion.
inline QSplitter* splitter(Qt::Orientation orientation, const QList<QWidget*>& parts, const QList<int>& sizes) {
  auto* made = new QSplitter(orientation);
  made->setChildrenCollapsible(false);
  made->setHandleWidth(kCardApart);
  for (QWidget* part : parts) made->addWidget(part);
  made->setSizes(sizes);
  return made;
}

}  // namespace n2nq::ui::theme
