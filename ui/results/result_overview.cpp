#include "ui/results/result_overview.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QWheelEvent>

#include "app/figures/figures.h"
#include "app/figures/headlines.h"
#include "app/figures/record_tables.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_view.h"
#include "ui/results/shown_rows.h"
#include "ui/results/text_table.h"
#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

constexpr int kPictureHeight = 200;  // at least

theme::Card* card_with(const QString& title, QWidget* content, QWidget* parent) {
  auto* card = new theme::Card(parent);
  card->body()->setSpacing(theme::kSpace2);
  card->body()->addWidget(new theme::Label(title, theme::TextSize::title));
  card->body()->addWidget(content, 1);
  return card;
}

// The page is scrolled, not each table in it.
void show_all_rows(TextTable& table) {
  table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const int rows = table.model()->rowCount() * table.verticalHeader()->defaultSectionSize();
  table.setFixedHeight(rows + table.horizontalHeader()->sizeHint().height() + 2 * table.frameWidth() +
                       table.horizontalScrollBar()->sizeHint().height());
}

}  // namespace

ResultOverview::ResultOverview(QWidget* parent)
    : QScrollArea(parent),
      picture_(new charts::FigureView),
      settings_(new TextTable(tr("Changed settings"), as_shown(figures::setting_columns()))),
      more_(new QPushButton) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);  // what is in it has the keys, and is scrolled to
  setAccessibleName(tr("Overview of the result"));
  auto* all = new QWidget;
  auto* column = theme::column_in(all, theme::kCardApart, {0, theme::kSpace3, 0, 0});
  column->addWidget(build_first(), 1);
  more_->setCheckable(true);
  more_->setAutoDefault(false);
  more_->setAccessibleName(tr("All figures of the result"));
  more_->setToolTip(tr("Shows or hides the tables of totals, latencies and computers."));
  theme::make_flat(*more_);
  column->addWidget(more_, 0, Qt::AlignLeft);
  tables_ = build_tables();
  column->addWidget(tables_);
  setWidget(all);
  connect(more_, &QPushButton::toggled, this, &ResultOverview::fold);
  // Once they have their place.
  connect(more_, &QPushButton::clicked, this, [this](bool open) {
    if (open) QTimer::singleShot(0, this, [this] { verticalScrollBar()->setValue(more_->y()); });
  });
  fold(false);
}

QWidget* ResultOverview::build_first() {
  auto* first = new QWidget;
  picture_->tell_apart(tr("overview"));
  picture_->setMinimumHeight(kPictureHeight);
  picture_->canvas().installEventFilter(this);
  settings_->set_empty_text(tr("All settings have their defaults."));
  auto* row = theme::row_in(first, theme::kCardApart);
  auto* picture = new theme::Card(first);
  picture->body()->addWidget(picture_);
  row->addWidget(picture, 3);
  row->addWidget(card_with(tr("Changed settings, and all settings of another bus"), settings_, first), 2);
  return first;
}

QWidget* ResultOverview::build_tables() {
  auto* tables = new QWidget;
  totals_ = new TextTable(tr("Totals"), as_shown(figures::total_columns()));
  latencies_ = new TextTable(tr("Latencies"), as_shown(figures::latency_columns({})));
  machine_ = new TextTable(tr("Computer"), as_shown(figures::machine_columns()));
  auto* row = theme::inner_row(theme::kCardApart);
  row->addWidget(card_with(tr("Totals"), totals_, tables), 2, Qt::AlignTop);
  row->addWidget(card_with(tr("Latencies"), latencies_, tables), 3, Qt::AlignTop);
  auto* column = theme::column_in(tables, theme::kCardApart);
  column->addLayout(row);
  column->addWidget(card_with(tr("Computers"), machine_, tables));
  return tables;
}

void ResultOverview::fold(bool open) {
  more_->setText(open ? tr("Hide totals, latencies and computers") : tr("Show totals, latencies and computers"));
  more_->setIcon(theme::icon(open ? "up" : "down"));
  tables_->setVisible(open);
}

void ResultOverview::show_record(const record::RunRecord& record) {
  picture_->show(figures::figure_of(record, "latency-by-percentile"));
  settings_->set_rows(as_shown(figures::setting_rows(record)));
  totals_->set_rows(as_shown(figures::brief_total_rows(record)));
  latencies_->set(as_shown(figures::latency_columns(record)), as_shown(figures::latency_rows(record)));
  machine_->set_rows(as_shown(figures::machine_rows(record)));
  for (TextTable* table : {totals_, latencies_, machine_}) show_all_rows(*table);
}

// The page is scrolled over its chart too; Ctrl still zooms.
bool ResultOverview::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel || verticalScrollBar()->maximum() == 0)
    return QScrollArea::eventFilter(watched, event);
  const auto& wheel = *static_cast<QWheelEvent*>(event);
  if (wheel.modifiers() & Qt::ControlModifier) return false;
  // Not sent on: Qt hands what goes on scrolling to where it began.
  constexpr int kNotch = 120;
  QScrollBar& bar = *verticalScrollBar();
  bar.setValue(bar.value() - wheel.angleDelta().y() * bar.singleStep() * QApplication::wheelScrollLines() / kNotch);
  return true;
}

void ResultOverview::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
  for (TextTable* table : {totals_, latencies_, machine_})
    if (table != nullptr) show_all_rows(*table);
}

}  // namespace n2nq::ui

#include "moc_result_overview.cpp"
