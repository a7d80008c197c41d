#include "ui/results/result_details.h"

#include <QMenu>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <span>

#include "app/figures/figures.h"
#include "app/figures/happened.h"
#include "app/figures/limit_text.h"
#include "app/figures/record_tables.h"
#include "app/figures/setting_text.h"
#include "app/record/date_text.h"
#include "app/record/losses.h"
#include "app/record/outages.h"
#include "app/record/trust.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/figure_view.h"
#include "ui/results/notes_editor.h"
#include "ui/results/result_headlines.h"
#include "ui/results/result_overview.h"
#include "ui/results/shown_rows.h"
#include "ui/results/tags_line.h"
#include "ui/results/text_table.h"
#include "ui/services/service_table.h"
#include "ui/theme/buttons.h"
#include "ui/theme/chip.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"
#include "ui/theme/verdict_status.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

constexpr int kMostOfName = 48 * kGrid;

QSplitter* side_by_side(const std::vector<QWidget*>& widgets) {
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(kGrid);
  for (QWidget* widget : widgets) splitter->addWidget(widget);
  return splitter;
}

}  // namespace

ResultDetails::ResultDetails(store::ResultStore& store, QWidget* parent)
    : QWidget(parent),
      store_(store),
      headlines_(new ResultHeadlines(this)),
      tabs_(new QTabWidget(this)),
      overview_(new ResultOverview) {
  processes_ = new TextTable(tr("Processes of the run"), as_shown(figures::process_columns({})));
  losses_ = new TextTable(tr("Losses by service"), as_shown(figures::loss_columns()));
  losses_->setAccessibleDescription(tr("One row per sender or receiver. Enter or a double click opens its log."));
  losses_->on_key({Qt::Key_Return}, [this] { open_log_of_loss(); });
  connect(losses_, &QTableView::doubleClicked, this, &ResultDetails::open_log_of_loss);
  warnings_ = new TextTable(tr("Warnings of the run"), as_shown(figures::warning_columns()));
  warnings_->set_empty_text(tr("There was nothing to warn of."));
  log_ = new TextTable(tr("Run log"), as_shown(figures::log_columns()));
  notes_ = new NotesEditor(store_);
  for (QWidget* page : {static_cast<QWidget*>(overview_), build_charts(), build_services(),
                        static_cast<QWidget*>(processes_), static_cast<QWidget*>(losses_),
                        static_cast<QWidget*>(warnings_), static_cast<QWidget*>(log_), static_cast<QWidget*>(notes_)})
    tabs_->addTab(page, QString());
  tabs_->setDocumentMode(true);
  theme::make_tabs_flat(*tabs_->tabBar());
  tabs_->setAccessibleName(tr("Details of the result"));
  tabs_->tabBar()->setAccessibleName(tr("Details of the result tabs"));
  name_tabs();
  auto* column = theme::column_in(this, theme::kSpace3);
  column->addWidget(build_verdict());
  column->addWidget(headlines_);
  column->addWidget(tabs_, 1);
  column->addStretch();
  setFocusProxy(tabs_);
  connect(tabs_, &QTabWidget::currentChanged, this, &ResultDetails::fill_current);
  connect(headlines_, &ResultHeadlines::losses_wanted, this, [this] { tabs_->setCurrentIndex(kLosses); });
  connect(headlines_, &ResultHeadlines::figure_wanted, this, &ResultDetails::open_chart);
  connect(notes_, &NotesEditor::trouble, this, &ResultDetails::trouble);
  connect(notes_, &NotesEditor::kept, this, &ResultDetails::notes_kept);
  show_record(nullptr);
}

QWidget* ResultDetails::build_verdict() {
  auto* bar = new QWidget(this);
  number_ = new theme::Label({}, theme::TextSize::title, theme::Tone::muted, bar);
  number_->setAccessibleName(tr("Number of the result"));
  number_->setToolTip(tr("The number of the result in commands, as in n2nq-bench report 12."));
  number_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  plan_ = new theme::Label({}, theme::TextSize::title, theme::Tone::plain, bar);
  plan_->setAccessibleName(tr("Plan of the result"));
  verdict_ = new theme::Chip(bar);
  verdict_->setAccessibleName(tr("Verdict"));
  exceeded_ = new theme::Chip(bar);
  exceeded_->setAccessibleName(tr("Limits exceeded"));
  doubtful_ = new theme::Chip(bar);
  doubtful_->setAccessibleName(tr("Trust"));
  reason_ = new theme::Label({}, theme::TextSize::body, theme::Tone::muted, bar);
  reason_->setAccessibleName(tr("Reason of the verdict"));
  reason_->setWordWrap(true);
  reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* row = theme::row_in(bar, theme::kSpace2);
  row->addWidget(number_);
  row->addWidget(plan_);
  row->addWidget(verdict_);
  row->addWidget(exceeded_);
  row->addWidget(doubtful_);
  row->addWidget(reason_, 1);
  tags_ = new TagsLine(bar);
  row->addWidget(tags_);
  connect(tags_, &TagsLine::wanted, this, &ResultDetails::tags_wanted);
  return bar;
}

QWidget* ResultDetails::build_charts() {
  charts_ = new charts::ChartPanel(tr("Figure of the result"));
  charts_->set_source([this](const std::string& id, double, double) {
    return record_ != nullptr ? figures::figure_of(*record_, id) : figures::Figure{};
  });
  charts_->set_moments([this](double at_x) {
    if (record_ == nullptr) return std::string();
    const figures::RecordView run(*record_);
    return figures::happened_at(run, figures::context_of(run), static_cast<int64_t>(at_x));
  });
  QMenu* menu = charts_->view().menu();
  menu->addSeparator();
  menu->addAction(theme::icon("pin"), tr("Pin as baseline"), this, [this] {
    if (record_ == nullptr) return;
    Q_EMIT pin_baseline(*record_);
    charts_->view().say(tr("The charts of the Run page have result %1 behind theirs now.").arg(record_->id), false);
  });
  connect(charts_, &charts::ChartPanel::moment_clicked, this, &ResultDetails::moment_clicked);
  return charts_;
}

QWidget* ResultDetails::build_services() {
  const auto table = [this](Role role) {
    auto* made = new ServiceTable(role, [this, role] {
      return record_ != nullptr ? record::services_of(*record_, role) : std::span<const live::ServiceFigures>();
    });
    made->set_over(Over::whole_run);
    connect(made, &ServiceTable::open_log, this, &ResultDetails::open_log);
    connect(made, &ServiceTable::slowest_wanted, this, &ResultDetails::slowest_wanted);
    return made;
  };
  senders_ = table(Role::sender);
  receivers_ = table(Role::receiver);
  return side_by_side({senders_, receivers_});
}

void ResultDetails::name_tabs() {
  const std::pair<QString, QString> names[kTabs] = {
      {tr("Overview"), tr("Latencies, changed settings; below them totals and computers.")},
      {tr("Charts"), tr("The figures of the run as charts or tables.")},
      {tr("Services"), tr("The figures of each sender and receiver over the whole run; Enter opens a log.")},
      {tr("Processes"), tr("Where each process ran, and how it ended.")},
      {tr("Losses"), tr("What was lost, not accepted or received twice, by sender and receiver; Enter opens a log.")},
      {tr("Warnings"),
       tr("What makes the figures doubtful, and what else was to be known of them while the run went on.")},
      {tr("Run log"), tr("Events of the run.")},
      {tr("Notes"), tr("Your notes on the run.")}};
  for (int i = 0; i < kTabs; i++) {
    tabs_->setTabText(i, names[i].first);
    tabs_->setTabToolTip(i, names[i].second);
  }
}

void ResultDetails::show_record(const record::RunRecord* record) {
  record_ = record;
  filled_.fill(false);
  for (auto* table : {senders_, receivers_}) {
    table->set_told(record != nullptr ? told_figures(record->plan) : ToldFigures());
    table->start_anew();
  }
  charts_->start_anew();
  charts_->set_replies(record != nullptr && plan::asks_for_replies(record->plan));
  show_verdict();
  headlines_->show_record(record);
  headlines_->setVisible(record != nullptr);
  tabs_->setVisible(record != nullptr);
  notes_->show_notes(record != nullptr ? std::optional(record->id) : std::nullopt);
  fill_current();
}

void ResultDetails::show_tags(const std::vector<std::string>& tags, const QString& read_only) {
  tags_->setVisible(record_ != nullptr);
  tags_->show_tags(record_ != nullptr ? std::optional(record_->id) : std::nullopt, tags, read_only);
}

void ResultDetails::show_verdict() {
  for (QWidget* widget :
       {static_cast<QWidget*>(number_), static_cast<QWidget*>(plan_), static_cast<QWidget*>(verdict_)})
    widget->setVisible(record_ != nullptr);
  const QString exceeded = record_ != nullptr ? qt(figures::warned_text(record_->passed_limits)) : QString();
  exceeded_->show_text(theme::Tone::warning, exceeded.section(u';', 0, 0), true);
  exceeded_->setToolTip(theme::plain_tip(exceeded));
  exceeded_->setVisible(!exceeded.isEmpty());
  const bool doubtful = record_ != nullptr && record_->trust == record::Trust::doubtful;
  const QString doubts = doubtful ? qt(record::doubts_text(*record_)) : QString();
  doubtful_->show_text(theme::Tone::warning, tr("doubtful"), true);
  doubtful_->setToolTip(theme::plain_tip(doubts));
  doubtful_->setVisible(doubtful);
  if (record_ == nullptr) return reason_->setText(tr("Select a result to see its details."));
  number_->setText(tr("#%1").arg(record_->id));
  const QString name = qt(record_->plan.name);
  plan_->setText(plan_->fontMetrics().elidedText(name, Qt::ElideMiddle, kMostOfName));
  plan_->setToolTip(theme::plain_tip(name));
  verdict_->show_text(theme::tone_of(theme::status_of(record_->verdict)), qt(to_text(record_->verdict)), true);
  const std::string outages = record::first_outage_text(*record_);
  const bool passed = record_->verdict == record::Verdict::passed;
  std::string reason = passed && doubtful ? first_doubt(*record_) : record_->reason;
  if (passed && !outages.empty()) reason.clear();  // the chip has the doubts
  reason_->setText(qt(figures::with_names(outages + (outages.empty() || reason.empty() ? "" : "; ") + reason)));
}

// The tile of a figure was clicked.
void ResultDetails::open_chart(const std::string& id) {
  tabs_->setCurrentIndex(kCharts);
  charts_->show_figure(id);
}

void ResultDetails::open_log_of_loss() {
  const auto row = losses_->current_row();
  if (record_ == nullptr || !row) return;
  const record::ServiceLosses one = record::losses_by_service(*record_).at(*row);
  Q_EMIT open_log(one.role, one.number);
}

void ResultDetails::fill_current() {
  const int tab = tabs_->currentIndex();
  if (record_ == nullptr || filled_[static_cast<size_t>(tab)]) return;
  filled_[static_cast<size_t>(tab)] = true;
  const record::RunRecord& record = *record_;
  switch (tab) {
    case kOverview:
      return overview_->show_record(record);
    case kCharts:
      if (charts_->is_seen()) charts_->pull();  // else it does so by itself once it is
      return;
    case kServices:
      senders_->refresh();
      return receivers_->refresh();
    case kProcesses:
      return processes_->set(as_shown(figures::process_columns(record)), as_shown(figures::process_rows(record)));
    case kLosses:
      losses_->set_empty_text(qt(figures::no_losses_text(record)));
      return losses_->set_rows(as_shown(figures::loss_rows(record)));
    case kWarnings:
      return warnings_->set_rows(as_shown(figures::warning_rows(record)));
    case kLog:
      return log_->set_rows(as_shown(figures::log_rows(record, record::local_time)));
    default:
      return;
  }
}

}  // namespace n2nq::ui

#include "moc_result_details.cpp"
