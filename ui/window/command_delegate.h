// A row of the command palette: icon, name, where it is, and its keys at the right. UI thread.
#pragma once

#include <QStyledItemDelegate>

namespace n2nq::ui {

class CommandDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace n2nq::ui
