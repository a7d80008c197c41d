#include "ui/charts/figure_table_model.h"

#include <QFont>
#include <QStringList>
#include <set>

#include "app/figures/figure.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {

void FigureTableModel::set_figure(const figures::Figure& figure) {
  figures::FigureTable table = figures::shown_table(figure);
  figure_ = figure;
  words_first_ = figure.x.quantity == figures::Quantity::category;
  if (table.header.size() != table_.header.size()) {
    beginResetModel();
    table_ = std::move(table);
    endResetModel();
    return;
  }
  const int before = rowCount();
  const auto after = static_cast<int>(table.rows.size());
  if (after < before) {
    beginRemoveRows({}, after, before - 1);
    table_.rows.resize(table.rows.size());
    endRemoveRows();
  } else if (after > before) {
    beginInsertRows({}, before, after - 1);
    table_.rows.resize(table.rows.size());
    endInsertRows();
  }
  const bool other_units = table.header != table_.header;
  table_ = std::move(table);
  if (other_units) Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
  if (after > 0) Q_EMIT dataChanged(index(0, 0), index(after - 1, columnCount() - 1), {Qt::DisplayRole});
}

QString FigureTableModel::tsv(const QModelIndexList& cells) const {
  std::set<int> rows;
  std::set<int> columns;
  for (const QModelIndex& cell : cells) {
    rows.insert(cell.row());
    columns.insert(cell.column());
  }
  for (int row = 0; cells.isEmpty() && row < rowCount(); ++row) rows.insert(row);
  for (int column = 0; cells.isEmpty() && column < columnCount(); ++column) columns.insert(column);

  QString text;
  const auto add_line = [&](const std::vector<std::string>& fields) {
    QStringList line;
    for (const int column : columns) {
      const auto at = static_cast<size_t>(column);
      line.append(at < fields.size() ? theme::qt(fields[at]) : QString());
    }
    text += line.join('\t') + '\n';
  };
  const figures::FigureTable exact = figures::figure_table(figure_);
  add_line(exact.header);
  for (const int row : rows) add_line(exact.rows[static_cast<size_t>(row)]);
  return text;
}

int FigureTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int FigureTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.header.size());
}

QVariant FigureTableModel::data(const QModelIndex& index, int role) const {
  // Words may end in dots where the column is narrow: whoever points at them sees them whole.
  const bool words = words_first_ && index.column() == 0;
  if (role == Qt::TextAlignmentRole) return QVariant((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::FontRole) return theme::figure_font();
  if (role != Qt::DisplayRole && !(words && role == Qt::ToolTipRole)) return {};
  const auto& row = table_.rows[static_cast<size_t>(index.row())];
  const auto column = static_cast<size_t>(index.column());
  return column < row.size() ? theme::qt(row[column]) : QString();
}

QVariant FigureTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return theme::qt(table_.header[static_cast<size_t>(section)]);
}

}  // namespace n2nq::ui::charts

#include "moc_figure_table_model.cpp"
