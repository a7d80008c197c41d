// What the parts of a campaign's form have in common: rows, captions. UI thread.
#pragma once

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

// The same width for all of them, so that what they stand before is aligned.
inline int caption_width(const QWidget& widget) {
  constexpr int kCharacters = 14;
  return kCharacters * widget.fontMetrics().averageCharWidth();
}

inline QLabel* caption(const QString& text, const QString& help, QWidget* buddy, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setBuddy(buddy);
  label->setToolTip(help);
  label->setMinimumWidth(caption_width(*label));
  return label;
}

inline QHBoxLayout* line_of(QVBoxLayout& column) {
  auto* row = theme::inner_row(theme::kGrid);
  column.addLayout(row);
  return row;
}

// Leaves the cursor where it is if nothing changes.
inline void set_text(QLineEdit& edit, const QString& text) {
  if (edit.text() != text) edit.setText(text);
}

}  // namespace n2nq::ui
