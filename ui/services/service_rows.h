// The view of the table of services: its keys, the log button of each row, and what it says while it is empty.
// UI thread.
#pragma once

#include <QTableView>

namespace n2nq::services {

class ServiceDelegate;

class ServiceRows : public QTableView {
  Q_OBJECT

 public:
  explicit ServiceRows(QWidget* parent = nullptr);

  void set_delegate(ServiceDelegate* delegate);
  // At a look only cells that show something else are painted.
  void dataChanged(const QModelIndex& top_left, const QModelIndex& bottom_right, const QList<int>& roles = {}) override;
  // Cells painted for looks so far.
  uint64_t cells_renewed() const { return cells_renewed_; }

  void set_empty_text(const QString& text);

 Q_SIGNALS:
  void key_used();
  void log_requested(int row);
  void copy_requested();
  void filter_requested();
  void menu_requested(const QPoint& global);
  void look_changed();  // palette, font or style
  void selection_moved();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

 private:
  using Wish = void (ServiceRows::*)();
  // What a key asks of this table; nothing for keys that are the view's own, or the window's.
  static Wish wish_of(const QKeyEvent& event);
  void open_current();
  void copy();
  void find();

  QRegion look_at_cells();
  void tell_screen_readers(const QModelIndex& top_left, const QModelIndex& bottom_right);

  ServiceDelegate* delegate_ = nullptr;
  uint64_t cells_renewed_ = 0;
  QString empty_text_;
};

}  // namespace n2nq::services
