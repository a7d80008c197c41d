#include "ui/results/text_table.h"

#include <QHeaderView>
#include <algorithm>

#include "ui/theme/plain_tip.h"

namespace n2nq::ui {
TextModel::TextModel(std::vector<TextColumn> columns, QObject* parent)
    : QAbstractTableModel(parent), columns_(std::move(columns)) {}

void TextModel::set(std::vector<TextColumn> columns, std::vector<TextRow> rows) {
  beginResetModel();
  columns_ = std::move(columns);
  rows_ = std::move(rows);
  endResetModel();
}

int TextModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TextModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant TextModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const TextRow& row = rows_[static_cast<size_t>(index.row())];
  const auto column = static_cast<size_t>(index.column());
  const QString text = column < row.cells.size() ? row.cells[column] : QString();
  switch (role) {
    case Qt::DisplayRole:
      return QString(text).replace(u'\n', u' ');
    case Qt::ToolTipRole:
      return theme::plain_tip(text);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1 %2").arg(columns_[column].header, text);
    case Qt::DecorationRole:
      if (column == 0 && row.status) return theme::icon(*row.status);
      return {};
    case Qt::FontRole:
      return columns_[column].number ? theme::figure_font() : theme::text_font();
    case Qt::TextAlignmentRole:
      return int((columns_[column].number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant TextModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const TextColumn& column = columns_[static_cast<size_t>(section)];
  if (role == Qt::DisplayRole) return column.header;
  if (role == Qt::ToolTipRole && !column.help.isEmpty()) return theme::plain_tip(column.help);
  if (role == Qt::TextAlignmentRole) return int((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

TextTable::TextTable(const QString& name, std::vector<TextColumn> columns, QWidget* parent)
    : theme::TableView(name, parent), model_(new TextModel(std::move(columns), this)) {
  horizontalHeader()->setSectionsClickable(false);
  setModel(model_);
  for (size_t i = 0; i < model_->columns().size(); i++)
    if (model_->columns()[i].stretch)
      horizontalHeader()->setSectionResizeMode(static_cast<int>(i), QHeaderView::Stretch);
  set_widths([this](int column) {
    const bool icon =
        column == 0 && std::ranges::any_of(model_->rows(), [](const TextRow& row) { return row.status.has_value(); });
    return Width{.icon = icon, .figures = model_->columns()[static_cast<size_t>(column)].number};
  });
  take_theme();
}

void TextTable::set_rows(std::vector<TextRow> rows) {
  set(model_->columns(), std::move(rows));
}

void TextTable::set(std::vector<TextColumn> columns, std::vector<TextRow> rows) {
  model_->set(std::move(columns), std::move(rows));
  take_theme();
}

// Columns that stretch keep their headers where there is little room.
void TextTable::take_theme() {
  const QFontMetrics texts(theme::text_font());
  int least = 0;
  for (const TextColumn& column : model_->columns())
    if (column.stretch) least = std::max(least, texts.horizontalAdvance(column.header) + 3 * theme::kGrid / 2);
  horizontalHeader()->setMinimumSectionSize(least);
  theme::TableView::take_theme();
}

}  // namespace n2nq::ui

#include "moc_text_table.cpp"
