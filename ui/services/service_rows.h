// The rows of the table of services: of what a look tells only what differs is painted. UI thread.
#pragma once

#include "ui/theme/table_view.h"

namespace n2nq::ui {

class ServiceDelegate;

class ServiceRows : public theme::TableView {
  Q_OBJECT

 public:
  explicit ServiceRows(const QString& name, QWidget* parent = nullptr);

  void set_delegate(ServiceDelegate* delegate);
  // At a look only cells that show something else are painted.
  void dataChanged(const QModelIndex& top_left, const QModelIndex& bottom_right, const QList<int>& roles = {}) override;
  // Cells painted for looks so far.
  uint64_t cells_renewed() const { return cells_renewed_; }
  int height_for(int rows) const;
  // Rows take what room there is, and ask for little: whatever holds them is not scrolled on their account.
  QSize sizeHint() const override { return minimumSizeHint(); }
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void key_used();
  void log_requested(int row);
  void filter_requested();
  void look_changed();  // palette, font or style
  void selection_moved();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void take_theme() override;
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

 private:
  QRegion look_at_cells();
  void tell_screen_readers(const QModelIndex& top_left, const QModelIndex& bottom_right);

  ServiceDelegate* delegate_ = nullptr;
  uint64_t cells_renewed_ = 0;
};

}  // namespace n2nq::ui
