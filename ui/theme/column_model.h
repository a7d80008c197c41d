// A table of texts with columns that are known beforehand: a header, its help and a width for each. The tip of a cell
// has all of its text, and screen readers say the header before it. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <span>

#include "ui/theme/table_view.h"

namespace n2nq::ui::theme {

struct TableColumn {
  const char* header;
  const char* help;
  TableView::Width width;
};

class ColumnModel : public QAbstractTableModel {
 public:
  ColumnModel(std::span<const TableColumn> columns, QObject* parent) : QAbstractTableModel(parent), columns_(columns) {}

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 protected:
  virtual size_t rows_there() const = 0;
  virtual QString text(size_t row, int column) const = 0;
  void all_changed();  // of rows that stay, which keeps what is selected

  // Takes other rows.
  template <class Rows>
  void replace(Rows& rows, Rows by, bool stay) {
    if (!stay) beginResetModel();
    rows = std::move(by);
    if (!stay) return endResetModel();
    all_changed();
  }

 private:
  std::span<const TableColumn> columns_;
};

// Shows the model by its columns: the last one takes the room that is left.
void show_columns(TableView& table, ColumnModel& model, std::span<const TableColumn> columns);

}  // namespace n2nq::ui::theme
