// Cells of a table that are more than a text, if their model says so: a state as a pill, a share as a bar beneath the
// text. All others are painted as usual. UI thread.
#pragma once

#include <QStyledItemDelegate>

#include "ui/theme/label.h"

namespace n2nq::ui::theme {

class CellDelegate : public QStyledItemDelegate {
 public:
  enum Role { tone_role = Qt::UserRole + 70, share_role };  // an int of Tone; 0 to 1

  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace n2nq::ui::theme
