#include "ui/results/result_list.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <map>

#include "app/text/quantity.h"
#include "ui/results/result_filter.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/spoken.h"
#include "ui/theme/table_view.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;

constexpr int kStar = 0;                  // the first column
constexpr int kSortMark = 5 * kGrid / 2;  // and the margins

int column_index(ResultColumn column) {
  return static_cast<int>(std::ranges::find(result_columns(), column, &ResultColumnSpec::column) -
                          result_columns().begin());
}

}  // namespace

ResultList::ResultList(QWidget* parent)
    : QWidget(parent),
      model_(new ResultModel(this)),
      filter_(new ResultFilter(model_, this)),
      rows_(new theme::TableView(tr("Results"), this)),
      starred_(new QToolButton(this)),
      campaigns_(new QComboBox(this)),
      edit_(new QLineEdit(this)),
      shown_(new theme::Label({}, theme::TextSize::body, theme::Tone::muted, this)),
      import_(theme::push_button(
          "import", tr("Import…"),
          tr("Adds the results of an archive (.n2nq) of this or another bench. Archives can also be dropped "
             "on the window."),
          this, tr("Import results"))) {
  build_filter();
  build_rows();
  auto* bar = theme::inner_row(kGrid);
  bar->addWidget(starred_);
  bar->addWidget(campaigns_);
  bar->addWidget(edit_, 1);
  bar->addWidget(shown_);
  bar->addWidget(import_);
  auto* column = theme::column_in(this, kGrid);
  column->addLayout(bar);
  column->addWidget(rows_, 1);
  setFocusProxy(rows_);
  take_theme();
  say_what_is_shown();
}

void ResultList::build_filter() {
  edit_->setAccessibleName(tr("Filter results"));
  edit_->setPlaceholderText(tr("Filter: words of plan, verdict, mode, campaign, tags, notes or date"));
  edit_->setToolTip(
      tr("Shows only results with all of these words. Numbers match whole: 10 does not match 100. #12 is the result "
         "with that number, 10:30 or 2026-03 a time."));
  theme::add_clear_button(*edit_, tr("Clear the results filter"));
  shown_->setAccessibleName(tr("Results shown"));
  connect(edit_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->set_words(text);
    on_filter();
  });
  connect(import_, &QPushButton::clicked, this, &ResultList::import_wanted);
  starred_->setIcon(theme::icon("star"));
  starred_->setCheckable(true);
  starred_->setFocusPolicy(Qt::TabFocus);
  starred_->setAccessibleName(tr("Starred only"));
  starred_->setToolTip(tr("Shows only results with a star."));
  connect(starred_, &QToolButton::toggled, this, [this](bool on) {
    starred_->setIcon(theme::icon(on ? "star-filled" : "star"));
    filter_->set_starred_only(on);
    on_filter();
  });
  campaigns_->setAccessibleName(tr("Campaign of the results"));
  campaigns_->setToolTip(tr("Shows only the results of one campaign, or of no campaign."));
  campaigns_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(campaigns_, &QComboBox::currentIndexChanged, this, [this] {
    const QVariant id = campaigns_->currentData();
    filter_->set_campaign(id.isValid() ? std::optional<int64_t>(id.toLongLong()) : std::nullopt);
    on_filter();
  });
  connect(edit_, &QLineEdit::returnPressed, rows_, qOverload<>(&QWidget::setFocus));
}

void ResultList::build_rows() {
  filter_->sort(column_index(ResultColumn::started), Qt::DescendingOrder);
  rows_->setAccessibleDescription(tr(
      "One row per run. Enter opens its details, S stars the selected results, C compares them, Delete deletes them."));
  rows_->setSortingEnabled(true);
  rows_->setModel(filter_);
  rows_->setWordWrap(true);
  rows_->setTextElideMode(Qt::ElideMiddle);
  rows_->horizontalHeader()->setSortIndicator(column_index(ResultColumn::started), Qt::DescendingOrder);
  rows_->horizontalHeader()->setSectionResizeMode(column_index(ResultColumn::name), QHeaderView::Stretch);
  rows_->horizontalHeader()->setSectionResizeMode(kStar, QHeaderView::Fixed);
  build_keys();
  connect(rows_, &theme::TableView::menu_wanted, this, &ResultList::menu_wanted);
  connect(rows_, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
    if (at.column() != kStar) Q_EMIT open_wanted();
  });
  connect(rows_, &QTableView::clicked, this, [this](const QModelIndex& at) {
    if (at.column() == kStar && QApplication::keyboardModifiers() == Qt::NoModifier)
      Q_EMIT star_wanted({at.data(ResultModel::kIdRole).toLongLong()});
  });
  connect(rows_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ResultList::selection_changed);
  connect(rows_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ResultList::current_changed);
}

void ResultList::build_keys() {
  rows_->on_key({Qt::Key_Delete}, [this] { Q_EMIT delete_wanted(); });
  rows_->on_key({Qt::Key_Return}, [this] { Q_EMIT open_wanted(); });
  rows_->on_key({Qt::Key_Home}, [this] { rows_->choose_row(0); });
  rows_->on_key({Qt::Key_End}, [this] { rows_->choose_row(static_cast<size_t>(rows_->model()->rowCount()) - 1); });
  rows_->on_key({Qt::Key_S}, [this] { Q_EMIT star_wanted(selection()); });
  rows_->on_key({Qt::Key_C}, [this] { Q_EMIT compare_wanted(); });
  rows_->on_key(QKeySequence::keyBindings(QKeySequence::Copy),
                [this] { QApplication::clipboard()->setText(selected_as_tsv()); });
}

void ResultList::set_listing(store::ResultListing listing) {
  const std::optional<int64_t> before = current();
  const int place = rows_->currentIndex().row();
  unknown_ = listing.unknown;
  model_->set_rows(std::move(listing.rows));
  list_campaigns();
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
  QModelIndexList picked = rows_->selectionModel()->selectedRows();
  std::ranges::sort(picked, {}, &QModelIndex::row);
  std::vector<int64_t> ids;
  for (const QModelIndex& index : picked) ids.push_back(index.data(ResultModel::kIdRole).toLongLong());
  if (ids.empty())
    if (const auto id = current()) ids.push_back(*id);
  return ids;
}

const store::ResultRow* ResultList::row_of(int64_t id) const {
  const auto row = model_->row_of(id);
  return row ? &model_->row_at(*row) : nullptr;
}

bool ResultList::select(int64_t id) {
  const auto row = model_->row_of(id);
  if (!row) return false;
  if (!filter_->mapFromSource(model_->index(*row, 0)).isValid()) show_all();
  const QModelIndex at = filter_->mapFromSource(model_->index(*row, 0));
  choose(at);
  rows_->scrollTo(at);
  return true;
}

int64_t ResultList::newest() const {
  int64_t newest = 0;
  for (const store::ResultRow& row : model_->rows()) newest = std::max(newest, row.id);
  return newest;
}

bool ResultList::is_at_newest() const {
  return current() == newest() && selection().size() == 1;
}

bool ResultList::select_newest() {
  const auto row = model_->row_of(newest());
  const QModelIndex at = row ? filter_->mapFromSource(model_->index(*row, 0)) : QModelIndex();
  if (!at.isValid()) return false;
  choose(at);
  rows_->scrollTo(at);
  return true;
}

void ResultList::show_all() {
  edit_->clear();
  starred_->setChecked(false);
  campaigns_->setCurrentIndex(0);
}

void ResultList::change(int64_t id, const std::function<void(store::ResultRow&)>& by) {
  model_->change(id, by);
  fit_columns();
  say_what_is_shown();
}

// The newest first. Where there is none the choice is not there.
void ResultList::list_campaigns() {
  std::map<int64_t, std::pair<std::string, int>, std::greater<>> campaigns;
  int of_none = 0;
  for (const store::ResultRow& row : model_->rows()) {
    if (!row.campaign) {
      of_none++;
      continue;
    }
    auto& [name, runs] = campaigns[row.campaign->campaign];
    name = row.campaign_name;
    runs++;
  }
  const QVariant before = campaigns_->currentData();
  {
    const QSignalBlocker silent(campaigns_);
    const auto add = [&](const QString& text, int runs, const QVariant& id) {
      campaigns_->addItem(tr("%1 (%2)").arg(text, theme::qt(text::count(runs))), id);
    };
    campaigns_->clear();
    campaigns_->addItem(tr("All results"));
    for (const auto& [id, one] : campaigns)
      add(tr("%1, campaign %2").arg(theme::qt(one.first)).arg(id), one.second, QVariant::fromValue<qint64>(id));
    if (of_none > 0) add(tr("No campaign"), of_none, QVariant::fromValue<qint64>(0));
    campaigns_->setCurrentIndex(-1);
  }
  campaigns_->setVisible(!campaigns.empty());
  campaigns_->setCurrentIndex(std::max(0, before.isValid() ? campaigns_->findData(before) : 0));
}

// Where the filter had hidden the chosen one, the first that it shows is chosen: there is always one to look at.
void ResultList::on_filter() {
  if (!rows_->currentIndex().isValid() && filter_->rowCount() > 0) choose(filter_->index(0, 0));
  say_what_is_shown();
}

// Not by selectRow(), which takes a Ctrl that is held, as for Ctrl+Z, for the wish to select one more.
void ResultList::choose(const QModelIndex& row) {
  // The star has no text for the ring to stand around.
  rows_->selectionModel()->setCurrentIndex(row.siblingAtColumn(column_index(ResultColumn::started)),
                                           QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void ResultList::select_nothing() {
  rows_->selectionModel()->clear();
}

QString ResultList::cell_of(const QModelIndex& at) const {
  if (at.column() != kStar) return at.data().toString();
  return model_->row_at(filter_->mapToSource(at).row()).starred ? tr("starred") : QString();
}

QString ResultList::selected_as_tsv() const {
  QStringList lines;
  QStringList cells;
  for (int column = 0; column < filter_->columnCount(); column++)
    cells.append(column == kStar ? tr("Star") : filter_->headerData(column, Qt::Horizontal).toString());
  lines.append(cells.join(u'\t'));
  QModelIndexList picked = rows_->selectionModel()->selectedRows();
  std::ranges::sort(picked, {}, &QModelIndex::row);
  for (const QModelIndex& one : picked) {
    cells.clear();
    for (int column = 0; column < filter_->columnCount(); column++)
      cells.append(cell_of(one.siblingAtColumn(column)).replace(u'\t', u' '));
    lines.append(cells.join(u'\t'));
  }
  return lines.join(u'\n') + u'\n';
}

void ResultList::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) take_theme();
}

void ResultList::take_theme() {
  rows_->horizontalHeader()->setMinimumSectionSize(7 * kGrid / 2);
  fit_columns();
}

// By the widest text that is usual, so that little moves when a result is added; wider where there is a larger number.
// A column in which no result has anything is not there.
void ResultList::fit_columns() {
  const QFontMetrics figures(theme::figure_font());
  const QFontMetrics texts(theme::text_font());
  const int margins =
      2 * (rows_->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, rows_) + 2);  // and what is rounded
  for (int i = 0; const ResultColumnSpec& spec : result_columns()) {
    const bool unit = scale_of(spec.column, {}) != nullptr;
    const QString header = QString::fromUtf8(spec.header) + (unit ? QStringLiteral(" [MiB]") : QString());
    const bool has_icon =
        spec.column == ResultColumn::verdict || spec.column == ResultColumn::trust || spec.column == ResultColumn::star;
    const int icon = has_icon ? (spec.column == ResultColumn::trust ? 4 : 3) * kGrid : 0;
    const int cell = std::max(figures.horizontalAdvance(QString::fromUtf8(spec.widest)),
                              figures.horizontalAdvance(model_->largest_text(i)));
    const int sort_mark = spec.column == ResultColumn::star ? 0 : kSortMark;
    rows_->setColumnWidth(i, std::max(texts.horizontalAdvance(header) + sort_mark, cell + margins + icon));
    const auto used = [&](const store::ResultRow& row) { return has_something(spec.column, row); };
    rows_->setColumnHidden(i++, spec.where_used && std::ranges::none_of(model_->rows(), used));
  }
  fit_name();
}

// What the others leave, and enough to tell names apart: then the list is scrolled.
void ResultList::fit_name() {
  const int name = column_index(ResultColumn::name);
  const QFontMetrics texts(theme::text_font());
  const int usual = texts.horizontalAdvance(QStringLiteral("thesis 1 (quick): 100B, 100")) + kGrid;
  const int least = std::clamp(texts.horizontalAdvance(model_->largest_text(name)) + 2 * kGrid, usual, usual * 4 / 3);
  QHeaderView* header = rows_->horizontalHeader();
  int others = 0;
  for (int i = 0; i < header->count(); i++) others += i == name ? 0 : header->sectionSize(i);
  const bool narrow = rows_->viewport()->width() - others < least;
  header->setSectionResizeMode(name, narrow ? QHeaderView::Interactive : QHeaderView::Stretch);
  if (narrow) header->resizeSection(name, least);
}

void ResultList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_name();
}

void ResultList::say_what_is_shown() {
  const int all = model_->rowCount();
  const int shown = filter_->rowCount();
  double bytes = 0;
  for (const store::ResultRow& row : model_->rows())
    bytes += static_cast<double>(row.stored_bytes) + static_cast<double>(row.file_bytes);
  const QString amount = shown == all ? theme::qt(text::count(all))
                                      : tr("%1 of %2").arg(theme::qt(text::count(shown)), theme::qt(text::count(all)));
  const QString unknown = (unknown_ == 1 ? tr("%1 result cannot be shown by this version")
                                         : tr("%1 results cannot be shown by this version"))
                              .arg(theme::qt(text::count(static_cast<int64_t>(unknown_))));
  shown_->setText((all == 1 ? tr("%1 result, %2") : tr("%1 results, %2")).arg(amount, theme::qt(text::bytes(bytes))) +
                  (unknown_ == 0 ? QString() : tr("; %1").arg(unknown)));
  if (all > 0)
    rows_->set_empty_text(
        tr("No result matches the filter. Clear the words, the star and the campaign above to see all %1.").arg(all));
  else
    rows_->set_empty_text(unknown_ == 0 ? tr("No results yet.") : unknown + u'.');
}

}  // namespace n2nq::ui

#include "moc_result_list.cpp"
