// The matrix of filters as a view: what presses and keys mean, and how large its cells are. UI thread.
#pragma once

#include <QPersistentModelIndex>
#include <QTableView>

namespace n2nq::ui {

class MatrixDelegate;
class MatrixModel;

class MatrixTable : public QTableView {
  Q_OBJECT

 public:
  static constexpr int kSmallest = 6;
  static constexpr int kLargest = 48;

  MatrixTable(MatrixModel& model, QWidget* parent = nullptr);

  int64_t selected_cells() const;
  int cell_size() const;
  void set_cell_size(int pixels);  // by a person; from then on it stays
  void fit();                      // as large as all of it fits, and again when the room changes
  void zoom(int steps);

 Q_SIGNALS:
  void toggle_requested(const QModelIndex& cell);  // a click
  void toggle_selection_requested();               // Space
  void selection_moved();

 protected:
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  void apply_cell_size(int pixels);
  void fit_if_wanted();
  QSize room() const;
  bool handle_zoom_key(const QKeyEvent& event);

  MatrixDelegate* delegate_;
  QPersistentModelIndex pressed_;
  bool plain_press_ = false;
  bool fitting_ = true;
};

}  // namespace n2nq::ui
