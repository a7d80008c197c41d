// Paints a cell of the matrix of filters: an empty square, or one that is filled by how much goes along the route, with
// the figure in it where that has room, else a tick where that has; a heavier line after each tenth. UI thread.
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
  void paint_wanted(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
  static void paint_tick(QPainter& painter, const QRect& square, const QColor& color);

  const MatrixModel& model_;
  QFont figure_;
  QColor on_;
  QColor line_;
  QColor tenth_line_;
  QColor base_;
  QColor cross_;
  QColor selected_;
  QColor current_;
};

}  // namespace n2nq::ui
