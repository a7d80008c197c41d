#include "ui/hosts/host_list_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "ui/theme/whole_header.h"

namespace n2nq::hosts {
namespace {

using theme::kGrid;

// For a column, in average characters: as wide as its texts within these.
struct Width {
  int least, most;
};
constexpr Width kWidths[HostModel::columns] = {{12, 24}, {40, 64}, {16, 32}, {8, 16},
                                               {8, 16},  {14, 24}, {8, 10},  {10, 80}};

}  // namespace

HostListView::HostListView(HostModel* model, QWidget* parent) : QTableView(parent), model_(model) {
  setHorizontalHeader(new theme::WholeHeader(this));
  setModel(model);
  setAccessibleName(tr("Hosts"));
  setAccessibleDescription(tr("One row per host. Enter goes to its fields, Delete removes it."));
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollMode(ScrollPerPixel);
  setWordWrap(false);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setStretchLastSection(true);
  connect(this, &QTableView::doubleClicked, this, &HostListView::edit_wanted);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &HostListView::current_changed);
  take_theme();
}

std::vector<size_t> HostListView::chosen() const {
  std::vector<size_t> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(static_cast<size_t>(index.row()));
  if (rows.empty())
    if (const auto row = current()) rows.push_back(*row);
  std::ranges::sort(rows);
  return rows;
}

std::optional<size_t> HostListView::current() const {
  if (!currentIndex().isValid()) return {};
  return static_cast<size_t>(currentIndex().row());
}

void HostListView::choose(size_t row) {
  selectRow(static_cast<int>(row));
  scrollTo(model_->index(static_cast<int>(row), HostModel::name));
}

void HostListView::fit_columns() {
  const QFontMetrics metrics(theme::text_font());
  for (int column = 0; column < HostModel::columns; column++) {
    int wanted = metrics.horizontalAdvance(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    for (int row = 0; row < model_->rowCount(); row++)
      wanted = std::max(wanted, metrics.horizontalAdvance(model_->index(row, column).data(Qt::DisplayRole).toString()));
    const int character = metrics.averageCharWidth();
    const int icon = column == HostModel::last_test ? 3 * kGrid : 0;
    setColumnWidth(column, std::clamp(wanted, kWidths[column].least * character, kWidths[column].most * character) +
                               2 * kGrid + icon);
  }
}

// Copy and undo are the page's, whatever the window's menus say.
bool HostListView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
    event->accept();
  return QTableView::event(event);
}

void HostListView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(selected_as_tsv());
  if (event->key() == Qt::Key_Delete && event->isAutoRepeat()) return;  // held, it would take row after row
  if (event->key() == Qt::Key_Delete) return remove_wanted();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return edit_wanted();
  QTableView::keyPressEvent(event);
}

QString HostListView::selected_as_tsv() const {
  const auto line = [](const auto& cell) {
    QStringList cells;
    for (int column = 0; column < HostModel::columns; column++) cells += cell(column).replace(u'\t', u' ');
    return cells.join(u'\t') + u'\n';
  };
  QString text =
      line([&](int column) { return model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
  for (const size_t row : chosen())
    text += line([&](int column) { return model_->index(static_cast<int>(row), column).data().toString(); });
  return text;
}

void HostListView::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (model_->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(theme::muted_text());
  const int margin = 2 * kGrid;
  painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap,
                   tr("No hosts yet: everything runs on this computer. Add one, or import from ~/.ssh/config."));
}

void HostListView::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) take_theme();
}

void HostListView::take_theme() {
  verticalHeader()->setDefaultSectionSize(QFontMetrics(theme::text_font()).height() + kGrid / 2 + 2);
  fit_columns();
}

}  // namespace n2nq::hosts
