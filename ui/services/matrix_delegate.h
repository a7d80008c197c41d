// Paints a cell of the matrix of filters: a filled square with a tick where it is large enough, or an empty one; a
// heavier line after each tenth. UI thread.
#pragma once

#include <QColor>
#include <QStyledItemDelegate>

namespace n2nq::ui {

class MatrixModel;

class MatrixDelegate : public QStyledItemDelegate {
 public:
  explicit MatrixDelegate(const MatrixModel& model, QObject* parent = nullptr);
  void take_theme();

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

 private:
  void paint_ground(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  void paint_lines(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
  void paint_wanted(QPainter& painter, const QRect& cell) const;

  const MatrixModel& model_;
  QColor on_;
  QColor tick_;
  QColor line_;
  QColor tenth_line_;
  QColor base_;
  QColor cross_;
  QColor selected_;
  QColor current_;
};

}  // namespace n2nq::ui
