#include "ui/theme/table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMetaMethod>
#include <QPainter>
#include <QStyleOptionHeader>
#include <algorithm>

#include "ui/theme/focus_ring.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kRowsMeasured = 200;  // for the width of a column

// Reaches as far as the table does, not only as far as its columns.
class WholeHeader : public QHeaderView {
 public:
  explicit WholeHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) { setSectionsClickable(true); }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QHeaderView::paintEvent(event);
    const int end = length() - offset();
    if (end >= viewport()->width()) return;
    QStyleOptionHeader rest;
    initStyleOption(&rest);
    rest.rect = QRect(end, 0, viewport()->width() - end, viewport()->height());
    QPainter painter(viewport());
    style()->drawControl(QStyle::CE_HeaderSection, &rest, &painter, this);
  }
};

// Both keys that say Enter are one.
QKeySequence sequence_of(const QKeyEvent& event) {
  const auto key = event.key() == Qt::Key_Enter ? Qt::Key_Return : static_cast<Qt::Key>(event.key());
  return {QKeyCombination(event.modifiers() & ~Qt::KeypadModifier, key)};
}

QString as_cell(QString text) {
  return text.replace(u'\t', u' ').replace(u'\n', u' ');
}

}  // namespace

TableView::TableView(const QString& name, QWidget* parent) : QTableView(parent) {
  setHorizontalHeader(new WholeHeader(this));
  setAccessibleName(name);
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  on_key(QKeySequence::keyBindings(QKeySequence::Copy), [this] { QApplication::clipboard()->setText(as_tsv()); });
  TableView::take_theme();
}

void TableView::set_empty_text(const QString& text, Qt::Alignment alignment) {
  empty_alignment_ = alignment;
  if (text == empty_text_) return;
  empty_text_ = text;
  viewport()->update();
}

void TableView::paint_empty_text(QTableView& table, const QString& text, Qt::Alignment alignment) {
  QPainter painter(table.viewport());
  painter.setPen(muted_text());
  const int top = alignment.testFlag(Qt::AlignTop) ? 2 * kGrid : kGrid;
  const QRect area = table.viewport()->rect().adjusted(kGrid, top, -kGrid, -kGrid);
  painter.drawText(area, static_cast<int>(alignment) | Qt::TextWordWrap, text);
}

void TableView::set_widths(std::function<Width(int)> width) {
  width_ = std::move(width);
  fit_columns();
}

void TableView::fit_columns() {
  if (!width_ || model() == nullptr) return;
  const QFontMetrics texts(text_font());
  const QFontMetrics figures(figure_font());
  const int character = texts.averageCharWidth();
  for (int column = 0; column < model()->columnCount(); column++) {
    const Width width = width_(column);
    const QFontMetrics& cells = width.figures ? figures : texts;
    int wanted = std::max(texts.horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString()),
                          cells.horizontalAdvance(QString::fromUtf8(width.sample)));
    for (int row = 0; row < std::min(model()->rowCount(), kRowsMeasured); row++)
      wanted = std::max(wanted, cells.horizontalAdvance(model()->index(row, column).data().toString()));
    setColumnWidth(column, std::clamp(wanted, width.least * character, width.most * character) + 2 * kGrid +
                               (width.icon ? 3 * kGrid : 0));
  }
}

void TableView::on_key(const QList<QKeySequence>& keys, const std::function<void()>& action) {
  for (const QKeySequence& key : keys) actions_[key] = action;
}

std::function<void()> TableView::action_of(const QKeyEvent& event) const {
  const auto found = actions_.find(sequence_of(event));
  return found == actions_.end() || state() == EditingState ? nullptr : found->second;
}

std::vector<size_t> TableView::chosen_rows() const {
  std::vector<size_t> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(static_cast<size_t>(index.row()));
  if (const auto row = current_row(); row && rows.empty()) rows.push_back(*row);
  std::ranges::sort(rows);
  return rows;
}

std::optional<size_t> TableView::current_row() const {
  return currentIndex().isValid() ? std::optional(static_cast<size_t>(currentIndex().row())) : std::nullopt;
}

void TableView::choose_row(size_t row) {
  selectRow(static_cast<int>(row));
  scrollTo(model()->index(static_cast<int>(row), 0));
}

QString TableView::as_tsv() const {
  const auto line = [this](const auto& cell) {
    QStringList cells;
    for (int column = 0; column < model()->columnCount(); column++)
      if (!isColumnHidden(column)) cells += as_cell(cell(column).toString());
    return cells.join(u'\t') + u'\n';
  };
  QString text = line([this](int column) { return model()->headerData(column, Qt::Horizontal); });
  for (int row = 0; row < model()->rowCount(); row++)
    if (!selectionModel()->hasSelection() || selectionModel()->isRowSelected(row))
      text += line([this, row](int column) { return model()->index(row, column).data(); });
  return text;
}

bool TableView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && action_of(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QTableView::event(event);
}

void TableView::keyPressEvent(QKeyEvent* event) {
  const auto action = action_of(*event);
  if (!action) return QTableView::keyPressEvent(event);
  if (!event->isAutoRepeat()) action();
}

// By the keyboard it comes up at the current row.
void TableView::contextMenuEvent(QContextMenuEvent* event) {
  if (!isSignalConnected(QMetaMethod::fromSignal(&TableView::menu_wanted))) return event->ignore();
  const bool at_row = event->reason() == QContextMenuEvent::Keyboard && currentIndex().isValid();
  Q_EMIT menu_wanted(at_row ? viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft()) : event->globalPos());
}

void TableView::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (!empty_text_.isEmpty() && (model() == nullptr || model()->rowCount() == 0))
    paint_empty_text(*this, empty_text_, empty_alignment_);
  if (!hasFocus() || currentIndex().isValid()) return;  // a cell shows it
  QPainter painter(viewport());
  draw_focus_ring(painter, viewport()->rect(), kSmallRadius);
}

void TableView::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange ||
      event->type() == QEvent::StyleChange)
    take_theme();
}

void TableView::take_theme() {
  const int height = std::max(QFontMetrics(figure_font()).height(), QFontMetrics(text_font()).height());
  verticalHeader()->setDefaultSectionSize(height + kGrid / 2 + 2);
  fit_columns();
}

}  // namespace n2nq::ui::theme

#include "moc_table_view.cpp"
