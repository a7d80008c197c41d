#include "ui/results/text_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <set>

#include "ui/theme/plain_tip.h"
#include "ui/theme/whole_header.h"

namespace n2nq::results {
namespace {

using theme::kGrid;

constexpr int kRowsLookedAt = 200;  // for the widths of columns

}  // namespace

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
    : QTableView(parent), model_(new TextModel(std::move(columns), this)) {
  setHorizontalHeader(new theme::WholeHeader(this));
  horizontalHeader()->setSectionsClickable(false);
  setModel(model_);
  setAccessibleName(name);
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setWordWrap(false);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  for (size_t i = 0; i < model_->columns().size(); i++)
    if (model_->columns()[i].stretch)
      horizontalHeader()->setSectionResizeMode(static_cast<int>(i), QHeaderView::Stretch);
  fit();
}

void TextTable::set_rows(std::vector<TextRow> rows) {
  set(model_->columns(), std::move(rows));
}

void TextTable::set(std::vector<TextColumn> columns, std::vector<TextRow> rows) {
  model_->set(std::move(columns), std::move(rows));
  fit();
}

QString TextTable::as_tsv() const {
  std::set<int> picked;
  for (const QModelIndex& index : selectionModel()->selectedRows()) picked.insert(index.row());
  QStringList cells;
  for (const TextColumn& column : model_->columns()) cells.append(column.header);
  QString text = cells.join(u'\t') + u'\n';
  for (int i = 0; const TextRow& row : model_->rows()) {
    if (!picked.empty() && !picked.contains(i++)) continue;
    cells.clear();
    for (QString cell : row.cells) cells.append(cell.replace(u'\t', u' ').replace(u'\n', u' '));
    text += cells.join(u'\t') + u'\n';
  }
  return text;
}

bool TextTable::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Copy)) key->accept();
  }
  return QTableView::event(event);
}

void TextTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(as_tsv());
  QTableView::keyPressEvent(event);
}

void TextTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (empty_text_.isEmpty() || model_->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(theme::muted_text());
  painter.drawText(viewport()->rect().adjusted(kGrid, kGrid, -kGrid, -kGrid), Qt::AlignCenter | Qt::TextWordWrap,
                   empty_text_);
}

void TextTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) fit();
}

// The rows do not change while they are looked at, so that the widths may be those of what is there.
void TextTable::fit() {
  const QFontMetrics figures(theme::figure_font());
  const QFontMetrics texts(theme::text_font());
  verticalHeader()->setDefaultSectionSize(std::max(figures.height(), texts.height()) + kGrid / 2 + 2);
  const auto& columns = model_->columns();
  int least = 0;  // of columns that stretch, where there is little room
  for (const TextColumn& column : columns)
    if (column.stretch) least = std::max(least, texts.horizontalAdvance(column.header) + 3 * kGrid / 2);
  horizontalHeader()->setMinimumSectionSize(least);
  for (size_t i = 0; i < columns.size(); i++) {
    const QFontMetrics& metrics = columns[i].number ? figures : texts;
    int width = texts.horizontalAdvance(columns[i].header);
    for (int row = 0; row < std::min(model_->rowCount(), kRowsLookedAt); row++) {
      const auto& cells = model_->rows()[static_cast<size_t>(row)].cells;
      if (i < cells.size()) width = std::max(width, metrics.horizontalAdvance(cells[i].left(80)));
    }
    const bool icon =
        i == 0 && std::ranges::any_of(model_->rows(), [](const TextRow& row) { return row.status.has_value(); });
    setColumnWidth(static_cast<int>(i), width + 3 * kGrid / 2 + (icon ? 3 * kGrid : 0));
  }
}

}  // namespace n2nq::results
