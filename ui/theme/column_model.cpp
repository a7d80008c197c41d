#include "ui/theme/column_model.h"

#include <QHeaderView>

#include "ui/theme/plain_tip.h"

namespace n2nq::ui::theme {

int ColumnModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_there());
}

int ColumnModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant ColumnModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto shown = [&] { return text(static_cast<size_t>(index.row()), index.column()); };
  switch (role) {
    case Qt::DisplayRole:
      return shown();
    case Qt::ToolTipRole:
      return plain_tip(shown());
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1 %2").arg(tr(columns_[static_cast<size_t>(index.column())].header), shown());
    default:
      return {};
  }
}

QVariant ColumnModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const TableColumn& column = columns_[static_cast<size_t>(section)];
  if (role == Qt::DisplayRole) return tr(column.header);
  if (role == Qt::ToolTipRole) return tr(column.help);
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  return {};
}

void ColumnModel::all_changed() {
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void show_columns(TableView& table, ColumnModel& model, std::span<const TableColumn> columns) {
  table.setModel(&model);
  table.horizontalHeader()->setStretchLastSection(true);
  table.set_widths([columns](int column) { return columns[static_cast<size_t>(column)].width; });
}

}  // namespace n2nq::ui::theme
