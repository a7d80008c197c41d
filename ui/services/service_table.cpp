#include "ui/services/service_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>
#include <chrono>
#include <utility>

#include "ui/services/filter_bar.h"
#include "ui/services/service_delegate.h"
#include "ui/services/service_rows.h"
#include "ui/services/shown_columns.h"
#include "ui/theme/buttons.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

constexpr int64_t kRearrangeEvery = 1'000'000'000;
constexpr int64_t kQuietAfterKey = 2'000'000'000;

int64_t steady_now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

QString heading(Role role) {
  return role == Role::sender ? QStringLiteral("Senders") : QStringLiteral("Receivers");
}

}  // namespace

ServiceTable::ServiceTable(Role role, FiguresSource source, QWidget* parent)
    : QWidget(parent),
      role_(role),
      model_(new ServiceModel(role, std::move(source), this)),
      rows_(new ServiceRows(heading(role), this)),
      delegate_(new ServiceDelegate(*model_, this)),
      filter_(new FilterBar(role, this)),
      clock_(steady_now) {
  build_rows();
  columns_ = new ShownColumns(*rows_, *model_, this);
  connect(columns_, &ShownColumns::changed, this, &ServiceTable::columns_changed);
  connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, &ServiceTable::remember_place);
  connect(model_, &QAbstractItemModel::modelReset, this, &ServiceTable::restore_place);
  auto* layout = theme::column_in(this, 0);
  layout->addWidget(build_bar());
  layout->addWidget(filter_);
  layout->addWidget(rows_, 1);
  setFocusProxy(rows_);
  take_theme();
  say_words();
}

QWidget* ServiceTable::build_bar() {
  auto* bar = new QWidget(this);
  bar_ = theme::row_in(bar, 0, {theme::kSpace1, 0, 0, 0});
  shown_text_ = new theme::Label({}, theme::TextSize::caption, theme::Tone::muted, bar);
  shown_text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  shown_text_->setAccessibleName(heading(role_) + QStringLiteral(": shown"));
  find_button_ = theme::icon_button("search", QStringLiteral("Filter %1").arg(plural(role_)), {}, bar);
  find_button_->setCheckable(true);
  columns_button_ = theme::icon_button("table", QStringLiteral("Columns of %1").arg(plural(role_)), {}, bar);
  for (QToolButton* button : {find_button_, columns_button_}) button->setFocusPolicy(Qt::StrongFocus);
  connect(columns_button_, &QToolButton::clicked, this,
          [this] { columns_menu()->popup(columns_button_->mapToGlobal(QPoint(0, columns_button_->height()))); });
  bar_->addWidget(shown_text_, 1);
  bar_->addWidget(find_button_);
  bar_->addWidget(columns_button_);

  connect(find_button_, &QToolButton::clicked, this, [this](bool on) { on ? filter_->open() : filter_->close(); });
  connect(rows_, &ServiceRows::filter_requested, this, [this] {
    find_button_->setChecked(true);
    filter_->open();
  });
  connect(filter_, &FilterBar::closed, this, [this] {
    find_button_->setChecked(false);
    rows_->setFocus();
  });
  connect(filter_, &FilterBar::left, this, [this] { rows_->setFocus(); });
  connect(filter_, &FilterBar::changed, this, [this](const ServiceFilter& filter) {
    model_->set_filter(filter);
    say_what_is_shown();
  });
  return bar;
}

void ServiceTable::build_rows() {
  rows_->setModel(model_);
  rows_->set_delegate(delegate_);
  QHeaderView* header = rows_->horizontalHeader();
  header->setSectionResizeMode(QHeaderView::Fixed);
  header->setMinimumSectionSize(kGrid);
  header->setSortIndicator(model_->column_of(Column::name), Qt::AscendingOrder);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  rows_->setSortingEnabled(true);
  connect(header, &QHeaderView::customContextMenuRequested, this,
          [this, header](const QPoint& at) { columns_menu()->popup(header->mapToGlobal(at)); });
  connect(header, &QHeaderView::sortIndicatorChanged, this, [this] { arranged_ns_ = clock_(); });
  connect(rows_, &ServiceRows::key_used, this, [this] { key_ns_ = clock_(); });
  connect(rows_, &ServiceRows::log_requested, this, &ServiceTable::request_log);
  rows_->on_key(QKeySequence::keyBindings(QKeySequence::Copy), [this] { copy(); });
  menu_ = new theme::ContextMenu(*rows_, [this](QMenu& menu) { return fill_menu(menu); });
  connect(rows_, &ServiceRows::menu_wanted, this,
          [this](const QPoint& at) { menu_->popup(at, [this](QMenu& menu) { add_rest(menu); }); });
  connect(rows_, &ServiceRows::look_changed, this, &ServiceTable::take_theme);
  connect(rows_, &ServiceRows::selection_moved, this, &ServiceTable::report_selection);
}

void ServiceTable::take_theme() {
  rows_->setFont(theme::figure_font());
  rows_->horizontalHeader()->setFont(theme::text_font(theme::TextSize::caption));
  rows_->verticalHeader()->setDefaultSectionSize(ServiceDelegate::row_height(rows_->fontMetrics()));
  delegate_->take_theme();
  columns_->fit_anew();
}

void ServiceTable::set_over(Over over) {
  if (over == model_->over()) return;
  model_->set_over(over);
  fit_anew_ = true;  // by the figures and units of the next look; there are no trends any more
}

void ServiceTable::set_actual(bool said) {
  if (model_->set_actual(said)) fit_anew_ = true;
}

void ServiceTable::set_told(const ToldFigures& told) {
  columns_->set_told(told);
  if (told.replies == replies_) return;
  replies_ = told.replies;
  say_words();
}

QString ServiceTable::one() const {
  return QString(singular(role_, replies_));
}

QString ServiceTable::several() const {
  return QString(plural(role_, replies_));
}

// What calls the services by their role; the names that scripts find controls by stay.
void ServiceTable::say_words() {
  find_button_->setToolTip(QStringLiteral("Shows only some of the %1 (Ctrl+F).").arg(several()));
  columns_button_->setToolTip(QStringLiteral("Chooses which columns to show for each %1.").arg(one()));
  rows_->setAccessibleDescription(
      QStringLiteral("One row per %1. Enter opens its log, Ctrl+F filters, Ctrl+C copies.").arg(one()));
  filter_->say_what_it_shows(several());
  say_what_is_shown();
}

void ServiceTable::start_anew() {
  chosen_.clear();
  rows_->clearSelection();
  model_->start_anew();
}

void ServiceTable::refresh() {
  if (!isVisible()) return pass_by();
  put_off_ = false;
  model_->refresh(clock_());
  rearrange_if_due();
  std::exchange(fit_anew_, false) ? columns_->fit_anew() : columns_->fit();
  say_what_is_shown();
}

void ServiceTable::pass_by() {
  put_off_ = true;
  model_->pass_by(clock_());
}

void ServiceTable::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (put_off_) refresh();
}

// Rows that jump away under the pointer, or between two presses of a key, would be the wrong ones.
void ServiceTable::rearrange_if_due() {
  const int64_t now = clock_();
  if (!model_->arrangement_changes() || now - arranged_ns_ < kRearrangeEvery) return;
  if (QApplication::activePopupWidget() != nullptr) return;  // a menu speaks of the row it was opened at
  if (rows_->viewport()->underMouse() || (key_ns_ != 0 && now - key_ns_ < kQuietAfterKey)) return;
  arranged_ns_ = now;
  model_->rearrange();
}

void ServiceTable::say_what_is_shown() {
  const auto all = static_cast<int>(model_->services());
  const int shown = model_->rowCount();
  const QString role = all == 1 ? one() : several();
  QString text = QStringLiteral("%1 %2").arg(qt(text::count(all)), role);
  if (shown != all) text = QStringLiteral("%1 of %2").arg(qt(text::count(shown)), text);
  if (model_->gone() > 0)
    text += QStringLiteral(", %1 disconnected").arg(qt(text::count(static_cast<int64_t>(model_->gone()))));
  if (text != shown_text_->text()) shown_text_->setText(all == 0 ? QString() : text);
  rows_->set_empty_text(all == 0 ? QStringLiteral("A row for each %1 appears here after Start.").arg(one())
                                 : QStringLiteral("No %1 matches the filter; press Esc in it to show all.").arg(one()),
                        Qt::AlignHCenter | Qt::AlignTop);
}

QMenu* ServiceTable::columns_menu() {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  columns_->fill(*menu);
  return menu;
}

// Of the current row; that one may be another one's by the time of the choice.
QString ServiceTable::fill_menu(QMenu& menu) {
  const auto service = current_service();
  QAction* log = menu.addAction(theme::icon("log"), QStringLiteral("Open log\tEnter"));
  log->setEnabled(service.has_value());
  connect(log, &QAction::triggered, this, [this, service] { Q_EMIT open_log(role_, *service); });
  QAction* slowest = menu.addAction(theme::icon("clock"), QStringLiteral("Find its slowest message"));
  slowest->setEnabled(service.has_value());
  connect(slowest, &QAction::triggered, this, [this, service] { Q_EMIT slowest_wanted(role_, *service); });
  QAction* rows = menu.addAction(theme::icon("copy"), QStringLiteral("Copy rows\tCtrl+C"));
  rows->setEnabled(model_->rowCount() > 0);
  connect(rows, &QAction::triggered, this, &ServiceTable::copy);
  return service ? QStringLiteral("%1 %2").arg(one()).arg(*service) : QString();
}

void ServiceTable::add_rest(QMenu& menu) {
  connect(menu.addAction(theme::icon("search"), QStringLiteral("Filter\tCtrl+F")), &QAction::triggered, rows_,
          &ServiceRows::filter_requested);
  if (rows_->currentIndex().isValid()) add_sorting(menu, rows_->currentIndex().column());
  columns_->fill(*menu.addMenu(theme::icon("table"), QStringLiteral("Columns")));
}

// As a click on the header, for who has no mouse: by the column of the current cell, again in the other order.
void ServiceTable::add_sorting(QMenu& menu, int column) {
  const ColumnSpec& spec = model_->spec(column);
  if (spec.kind == Kind::icon) return;
  const QHeaderView* header = rows_->horizontalHeader();
  const bool sorted = header->sortIndicatorSection() == column;
  const bool falling = sorted ? header->sortIndicatorOrder() == Qt::AscendingOrder : has_figure(spec.kind);
  QAction* sort = menu.addAction(
      theme::icon("sort"), QStringLiteral("Sort by %1, %2 first")
                               .arg(qt(spec.spoken), falling ? QStringLiteral("largest") : QStringLiteral("smallest")));
  connect(sort, &QAction::triggered, this,
          [this, column, falling] { rows_->sortByColumn(column, falling ? Qt::DescendingOrder : Qt::AscendingOrder); });
}

void ServiceTable::request_log(int row) {
  if (const live::ServiceFigures* figures = model_->figures_at(row)) Q_EMIT open_log(role_, figures->number);
}

std::optional<uint32_t> ServiceTable::current_service() const {
  const live::ServiceFigures* figures = model_->figures_at(rows_->currentIndex().row());
  return figures != nullptr ? std::optional(figures->number) : std::nullopt;
}

std::vector<uint32_t> ServiceTable::selection() const {
  std::vector<uint32_t> numbers;
  for (const QItemSelectionRange& range : rows_->selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom(); row++) {
      if (const live::ServiceFigures* figures = model_->figures_at(row)) numbers.push_back(figures->number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void ServiceTable::select(const std::vector<uint32_t>& services) {
  QItemSelection chosen;
  for (const uint32_t number : services) {
    if (const auto row = model_->row_of(number))
      chosen.select(model_->index(*row, 0), model_->index(*row, model_->columnCount() - 1));
  }
  rows_->selectionModel()->select(chosen, QItemSelectionModel::ClearAndSelect);
}

void ServiceTable::report_selection() {
  if (restoring_) return;
  std::vector<uint32_t> now = selection();
  if (now == reported_) return;
  chosen_ = reported_ = std::move(now);
  Q_EMIT selected(reported_);
}

void ServiceTable::remember_place() {
  restoring_ = true;
  place_ = {.current = current_service(),
            .current_column = rows_->currentIndex().column(),
            .scrolled = rows_->verticalScrollBar()->value()};
}

void ServiceTable::restore_place() {
  select(chosen_);
  const auto row = place_.current ? model_->row_of(*place_.current) : std::nullopt;
  if (row)
    rows_->selectionModel()->setCurrentIndex(model_->index(*row, place_.current_column), QItemSelectionModel::NoUpdate);
  rows_->verticalScrollBar()->setValue(place_.scrolled);
  restoring_ = false;
  columns_->fit_anew();
  if (std::vector<uint32_t> now = selection(); now != reported_) {
    reported_ = std::move(now);
    Q_EMIT selected(reported_);
  }
}

QString ServiceTable::selected_as_tsv() const {
  std::vector<int> rows;
  for (const QModelIndex& index : rows_->selectionModel()->selectedRows()) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  if (rows.empty()) {
    for (int row = 0; row < model_->rowCount(); row++) rows.push_back(row);
  }
  QStringList lines;
  const auto add_line = [&](const auto& cell) {
    QStringList cells;
    for (int column = 0; column < model_->columnCount(); column++) {
      const Kind kind = model_->spec(column).kind;
      if (kind != Kind::icon && kind != Kind::trend && !rows_->isColumnHidden(column))
        cells << qt(cell(model_->spec(column)));
    }
    lines << cells.join(u'\t');
  };
  add_line([](const ColumnSpec& spec) { return plain_header(spec); });
  for (const int row : rows) {
    if (const live::ServiceFigures* figures = model_->figures_at(row))
      add_line([figures](const ColumnSpec& spec) { return plain_text(spec, *figures); });
  }
  return lines.join(u'\n') + u'\n';
}

void ServiceTable::copy() const {
  if (model_->rowCount() > 0) QApplication::clipboard()->setText(selected_as_tsv());
}

void ServiceTable::add_to_bar(QWidget& widget) {
  bar_->insertWidget(bar_->indexOf(find_button_), &widget);
}

int ServiceTable::height_for(int rows) const {
  return bar_->sizeHint().height() + filter_->sizeHint().height() + rows_->height_for(rows);
}

QStringList ServiceTable::shown_columns() const {
  return columns_->keys();
}

void ServiceTable::show_columns(const QStringList& keys) {
  columns_->set_keys(keys);
}

}  // namespace n2nq::ui

#include "moc_service_table.cpp"
