#include "ui/campaigns/point_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>

#include "ui/theme/theme.h"
#include "ui/theme/whole_header.h"

namespace n2nq::campaigns {
namespace {

using theme::kGrid;

constexpr int kLeastCharacters = 8;
constexpr int kMostCharacters = 60;
constexpr int kRowsMeasured = 200;  // for the width of a column

}  // namespace

PointTable::PointTable(QWidget* parent) : QTableView(parent), model_(new PointModel(this)) {
  setHorizontalHeader(new theme::WholeHeader(this));
  setModel(model_);
  setAccessibleName(tr("Points"));
  setAccessibleDescription(tr("One row per point. A click on a repeat, or Enter, opens its result."));
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollMode(ScrollPerPixel);
  setWordWrap(false);
  setMouseTracking(true);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (model_->is_repeat(index.column())) open(index);
  });
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (!model_->is_repeat(index.column())) open(index);
  });
  take_theme();
}

void PointTable::show_points(std::vector<campaign::PointRow> rows, std::optional<CurrentRun> current) {
  const int columns = model_->columnCount();
  const int count = model_->rowCount();
  const int at = verticalScrollBar()->value();
  model_->set_points(std::move(rows), current);
  if (columns != model_->columnCount() || count != model_->rowCount()) fit_columns();
  verticalScrollBar()->setValue(at);
}

void PointTable::open(const QModelIndex& index) {
  if (const int64_t id = model_->result_at(index); id != 0) Q_EMIT open_result(id);
}

void PointTable::mouseMoveEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->position().toPoint());
  const bool opens = index.isValid() && model_->is_repeat(index.column()) && model_->result_at(index) != 0;
  viewport()->setCursor(opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
  QTableView::mouseMoveEvent(event);
}

bool PointTable::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
    event->accept();
  return QTableView::event(event);
}

void PointTable::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return open(currentIndex());
  if (!event->matches(QKeySequence::Copy)) return QTableView::keyPressEvent(event);
  const auto line = [this](const auto& cell) {
    QStringList cells;
    for (int column = 0; column < model_->columnCount(); column++) cells += cell(column).replace(u'\t', u' ');
    return cells.join(u'\t') + u'\n';
  };
  QString text =
      line([&](int column) { return model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
  QModelIndexList chosen = selectionModel()->selectedRows();
  std::ranges::sort(chosen, {}, &QModelIndex::row);
  for (const QModelIndex& row : chosen)
    text += line([&](int column) { return model_->index(row.row(), column).data().toString(); });
  QApplication::clipboard()->setText(text);
}

void PointTable::fit_columns() {
  const QFontMetrics metrics(theme::text_font());
  const int character = metrics.averageCharWidth();
  for (int column = 0; column < model_->columnCount(); column++) {
    int wanted = metrics.horizontalAdvance(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    if (model_->is_repeat(column)) wanted = std::max(wanted, metrics.horizontalAdvance(tr("to be repeated")));
    for (int row = 0; row < std::min(model_->rowCount(), kRowsMeasured); row++)
      wanted = std::max(wanted, metrics.horizontalAdvance(model_->index(row, column).data().toString()));
    const int least = column == PointModel::number ? 4 : column == PointModel::state ? 16 : kLeastCharacters;
    const int icon = model_->is_repeat(column) ? 3 * kGrid : 0;
    const bool figure = column >= model_->columnCount() - model_->figure_columns();
    setColumnWidth(
        column, std::clamp(wanted, (figure ? 14 : least) * character, kMostCharacters * character) + 2 * kGrid + icon);
  }
}

void PointTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) take_theme();
}

void PointTable::take_theme() {
  verticalHeader()->setDefaultSectionSize(QFontMetrics(theme::text_font()).height() + kGrid / 2 + 2);
  fit_columns();
}

}  // namespace n2nq::campaigns
