#include "ui/results/result_list.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/text/quantity.h"
#include "ui/theme/spoken.h"
#include "ui/theme/whole_header.h"

namespace n2nq::results {
namespace {

using theme::kGrid;

constexpr int kSortMark = 5 * kGrid / 2;  // and the margins

int column_index(Column column) {
  return static_cast<int>(std::ranges::find(result_columns(), column, &ColumnSpec::column) - result_columns().begin());
}

}  // namespace

void ResultFilter::set_words(const QString& text) {
  words_ = text.split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

bool ResultFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (words_.isEmpty()) return true;
  const QString all = sourceModel()->index(row, 0, parent).data(ResultModel::kWordsRole).toString();
  return std::ranges::all_of(words_, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

ResultRows::ResultRows(QWidget* parent) : QTableView(parent) {
  setHorizontalHeader(new theme::WholeHeader(this));
  setAccessibleName(tr("Results"));
  setAccessibleDescription(tr("A row for each run. Enter goes to its details, Delete deletes it."));
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  setSortingEnabled(true);
  connect(this, &QTableView::doubleClicked, this, &ResultRows::open_wanted);
}

void ResultRows::set_empty_text(const QString& text) {
  if (text == empty_text_) return;
  empty_text_ = text;
  viewport()->update();
}

// Copy is the view's while it has the focus, whatever the window's menus say.
bool ResultRows::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Copy)) key->accept();
  }
  return QTableView::event(event);
}

void ResultRows::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy_wanted();
  if (event->key() == Qt::Key_Delete) return delete_wanted();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return open_wanted();
  QTableView::keyPressEvent(event);
}

void ResultRows::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (empty_text_.isEmpty() || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(theme::muted_text());
  const int margin = 2 * kGrid;
  painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap,
                   empty_text_);
}

ResultList::ResultList(QWidget* parent)
    : QWidget(parent),
      model_(new ResultModel(this)),
      filter_(new ResultFilter(this)),
      rows_(new ResultRows(this)),
      edit_(new QLineEdit(this)),
      shown_(new QLabel(this)) {
  build_filter();
  build_rows();
  auto* bar = new QHBoxLayout;
  bar->setSpacing(kGrid);
  bar->addWidget(edit_, 1);
  bar->addWidget(shown_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kGrid);
  column->addLayout(bar);
  column->addWidget(rows_, 1);
  setFocusProxy(rows_);
  take_theme();
  say_what_is_shown();
}

void ResultList::build_filter() {
  edit_->setAccessibleName(tr("Filter results"));
  edit_->setPlaceholderText(tr("Filter: words of plan, verdict, mode or date"));
  edit_->setToolTip(tr("Shows only results that have all of these words."));
  theme::add_clear_button(*edit_, tr("Clear the filter of results"));
  shown_->setAccessibleName(tr("Results shown"));
  connect(edit_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->set_words(text);
    say_what_is_shown();
  });
  connect(edit_, &QLineEdit::returnPressed, rows_, qOverload<>(&QWidget::setFocus));
}

void ResultList::build_rows() {
  filter_->setSourceModel(model_);
  filter_->setSortRole(ResultModel::kSortRole);
  filter_->sort(column_index(Column::started), Qt::DescendingOrder);
  rows_->setModel(filter_);
  rows_->horizontalHeader()->setSortIndicator(column_index(Column::started), Qt::DescendingOrder);
  rows_->horizontalHeader()->setSectionResizeMode(column_index(Column::name), QHeaderView::Stretch);
  connect(rows_, &ResultRows::delete_wanted, this, &ResultList::delete_wanted);
  connect(rows_, &ResultRows::open_wanted, this, &ResultList::open_wanted);
  connect(rows_, &ResultRows::copy_wanted, this, [this] { QApplication::clipboard()->setText(selected_as_tsv()); });
  connect(rows_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ResultList::current_changed);
}

void ResultList::set_listing(ResultListing listing) {
  const std::optional<int64_t> before = current();
  const int place = rows_->currentIndex().row();
  unknown_ = listing.unknown;
  model_->set_rows(std::move(listing.rows));
  fit_columns();
  say_what_is_shown();
  if (current() != before || !before) {
    const int last = filter_->rowCount() - 1;
    if (last >= 0) choose(filter_->index(std::clamp(place, 0, last), 0));
    Q_EMIT current_changed();
  }
}

std::optional<int64_t> ResultList::current() const {
  const QModelIndex at = rows_->currentIndex();
  if (!at.isValid()) return {};
  return at.data(ResultModel::kIdRole).toLongLong();
}

std::vector<int64_t> ResultList::selection() const {
  std::vector<int64_t> ids;
  for (const QModelIndex& index : rows_->selectionModel()->selectedRows())
    ids.push_back(index.data(ResultModel::kIdRole).toLongLong());
  if (ids.empty())
    if (const auto id = current()) ids.push_back(*id);
  return ids;
}

const ResultRow* ResultList::row_of(int64_t id) const {
  const auto row = model_->row_of(id);
  return row ? &model_->row_at(*row) : nullptr;
}

bool ResultList::select(int64_t id) {
  const auto row = model_->row_of(id);
  if (!row) return false;
  if (!filter_->mapFromSource(model_->index(*row, 0)).isValid()) edit_->clear();
  const QModelIndex at = filter_->mapFromSource(model_->index(*row, 0));
  choose(at);
  rows_->scrollTo(at);
  return true;
}

// Not by selectRow(), which takes a Ctrl that is held, as for Ctrl+Z, for the wish to select one more.
void ResultList::choose(const QModelIndex& row) {
  rows_->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void ResultList::select_nothing() {
  rows_->selectionModel()->clear();
}

QString ResultList::selected_as_tsv() const {
  QStringList lines;
  QStringList cells;
  for (int column = 0; column < filter_->columnCount(); column++)
    cells.append(filter_->headerData(column, Qt::Horizontal).toString());
  lines.append(cells.join(u'\t'));
  QModelIndexList picked = rows_->selectionModel()->selectedRows();
  std::ranges::sort(picked, {}, &QModelIndex::row);
  for (const QModelIndex& one : picked) {
    cells.clear();
    for (int column = 0; column < filter_->columnCount(); column++)
      cells.append(one.siblingAtColumn(column).data().toString().replace(u'\t', u' '));
    lines.append(cells.join(u'\t'));
  }
  return lines.join(u'\n') + u'\n';
}

void ResultList::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) take_theme();
}

void ResultList::take_theme() {
  const int height = std::max(QFontMetrics(theme::figure_font()).height(), QFontMetrics(theme::text_font()).height());
  rows_->verticalHeader()->setDefaultSectionSize(height + kGrid / 2 + 2);
  rows_->horizontalHeader()->setMinimumSectionSize(6 * kGrid);
  QPalette muted = QApplication::palette();
  muted.setColor(QPalette::WindowText, theme::muted_text());
  shown_->setPalette(muted);
  fit_columns();
}

// By the widest text that is usual, so that little moves when a result is added; wider where there is a larger number.
void ResultList::fit_columns() {
  const QFontMetrics figures(theme::figure_font());
  const QFontMetrics texts(theme::text_font());
  for (int i = 0; const ColumnSpec& spec : result_columns()) {
    const bool unit = spec.column >= Column::p50;
    const QString header = QString::fromUtf8(spec.header) + (unit ? QStringLiteral(" [MiB]") : QString());
    const int icon = spec.column == Column::verdict ? 3 * kGrid : 0;
    const int cell = std::max(figures.horizontalAdvance(QString::fromUtf8(spec.widest)),
                              figures.horizontalAdvance(model_->largest_text(i)));
    rows_->setColumnWidth(i++, std::max(texts.horizontalAdvance(header) + kSortMark, cell + kGrid + icon));
  }
}

void ResultList::say_what_is_shown() {
  const int all = model_->rowCount();
  const int shown = filter_->rowCount();
  double bytes = 0;
  for (const ResultRow& row : model_->rows())
    bytes += static_cast<double>(row.stored_bytes) + static_cast<double>(row.file_bytes);
  const QString amount = shown == all ? theme::qt(text::count(all))
                                      : tr("%1 of %2").arg(theme::qt(text::count(shown)), theme::qt(text::count(all)));
  const QString unknown = (unknown_ == 1 ? tr("%1 result cannot be shown by this version")
                                         : tr("%1 results cannot be shown by this version"))
                              .arg(theme::qt(text::count(static_cast<int64_t>(unknown_))));
  shown_->setText((all == 1 ? tr("%1 result, %2") : tr("%1 results, %2")).arg(amount, theme::qt(text::bytes(bytes))) +
                  (unknown_ == 0 ? QString() : tr("; %1").arg(unknown)));
  if (all > 0)
    rows_->set_empty_text(tr("No result has all of these words. Clear the filter to see all %1.").arg(all));
  else
    rows_->set_empty_text(unknown_ == 0 ? tr("No results yet. Start a run on the Run page.") : unknown + u'.');
}

}  // namespace n2nq::results
