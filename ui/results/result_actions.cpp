#include "ui/results/result_actions.h"

#include <QEvent>
#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <algorithm>

#include "ui/files/archive_choice.h"
#include "ui/results/log_places.h"
#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/offer.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

constexpr uint32_t kLogsInAMenu = 25;

uint32_t count_of(const record::RunRecord& record, Role role) {
  return static_cast<uint32_t>(record::services_of(record, role).size());
}

}  // namespace

ResultActions::ResultActions(QWidget* parent) : QWidget(parent), logs_(new QMenu(this)) {
  auto* row = theme::row_in(this, theme::kSpace1);
  log_ = add_button("log", tr("Open log…"), tr("Opens the message log of one service."));
  folder_ = add_button("folder", tr("Open folder"), tr("Opens the folder of the run's files."));
  plan_ = add_button("edit-plan", tr("Load plan"), tr("Opens this run's plan on the Run page, to run it again."));
  again_ = add_button("start", tr("Run again"), tr("Runs exactly this plan again, with the same seeds and hosts."));
  report_ =
      add_button("external", tr("Report…"),
                 tr("Writes a report on the selected results, as HTML or PDF: figures, settings, how to repeat them."));
  export_ = add_button("export", tr("Export…"), tr("Writes figures, messages or the whole result to files."));
  command_ =
      add_button("copy", tr("Copy as command"), tr("Copies a shell command that runs the same plan without a window."));
  compare_ = add_button("compare", tr("Compare"), QString());
  row->addStretch(1);
  delete_ =
      add_button("delete", tr("Delete"), tr("Deletes the selected results and their files (Delete). Can be undone."));
  folding_ = {log_, folder_, plan_, command_, delete_};
  for (QPushButton* button : folding_) theme::make_flat(*button);
  log_->setMenu(logs_);
  connect(logs_, &QMenu::aboutToShow, this, &ResultActions::fill_logs);
  build_export_menu();
  connect(again_, &QPushButton::clicked, this, &ResultActions::run_again);
  connect(report_, &QPushButton::clicked, this, &ResultActions::report_wanted);
  connect(folder_, &QPushButton::clicked, this, &ResultActions::open_folder);
  connect(plan_, &QPushButton::clicked, this, &ResultActions::load_plan);
  connect(command_, &QPushButton::clicked, this, &ResultActions::copy_command);
  connect(compare_, &QPushButton::clicked, this, &ResultActions::compare_wanted);
  connect(delete_, &QPushButton::clicked, this, &ResultActions::delete_wanted);
  show_record(nullptr, {});
}

QPushButton* ResultActions::add_button(const char* icon, const QString& text, const QString& help) {
  auto* button = theme::push_button(icon, text, help, this);
  buttons_.push_back(button);
  layout()->addWidget(button);
  return button;
}

// Each button is named as it reads.
void ResultActions::measure() {
  full_width_ = folded_width_ = layout()->spacing() * static_cast<int>(buttons_.size());
  for (QPushButton* button : buttons_) {
    const bool folds = std::ranges::find(folding_, button) != folding_.end();
    if (folds) button->setText(button->accessibleName());
    full_width_ += button->sizeHint().width();
    if (folds) button->setText({});
    folded_width_ += button->sizeHint().width();
  }
  fold();
  updateGeometry();
}

void ResultActions::fold() {
  const bool narrow = width() < full_width_;
  for (QPushButton* button : folding_)
    if (const QString text = narrow ? QString() : button->accessibleName(); text != button->text())
      button->setText(text);
}

QSize ResultActions::minimumSizeHint() const {
  return {folded_width_, layout()->minimumSize().height()};
}

void ResultActions::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fold();
}

void ResultActions::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  measure();
}

void ResultActions::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (isVisible() && (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)) measure();
}

void ResultActions::build_export_menu() {
  auto* menu = new QMenu(this);
  menu->addAction(theme::icon("chart"), tr("Figures as CSV files…"), this, &ResultActions::export_figures);
  master_ = menu->addAction(theme::icon("table"), tr("All messages as one CSV file…"), this,
                            &ResultActions::export_master_file);
  menu->addAction(theme::icon("save"), tr("Whole result as JSON…"), this, &ResultActions::export_record);
  menu->addAction(theme::icon("chart"), tr("Latencies for HdrHistogram (.hgrm)…"), this,
                  &ResultActions::export_distribution);
  menu->addAction(theme::icon("chart"), tr("Latencies over time for HdrHistogram (.hlog)…"), this,
                  &ResultActions::export_interval_log);
  menu->addSeparator();
  archive_ = new ArchiveChoice(menu);
  connect(archive_, &ArchiveChoice::chosen, this, &ResultActions::export_archive);
  show_choice(1, 0);
  connect(menu, &QMenu::aboutToShow, this, &ResultActions::about_to_export);
  export_->setMenu(menu);
}

void ResultActions::show_choice(size_t results, uint64_t file_bytes) {
  archive_->show(results == 1 ? tr("Result as one file") : tr("%1 results as one file").arg(results), file_bytes);
}

void ResultActions::show_record(const record::RunRecord* record, const QString& read_only) {
  record_ = record;
  for (QPushButton* button : buttons_) button->setEnabled(record != nullptr);
  theme::offer(*delete_, tr("Deletes the selected results and their files (Delete). Can be undone."),
               record == nullptr ? tr("Select a result first.") : read_only);
  set_selected(selected_);
  folder_->setEnabled(record != nullptr && !record->folder.empty());
  const bool master = record != nullptr && !record->master_file.empty();
  master_->setEnabled(master);
  master_->setToolTip(master ? QString() : tr("Not available: only runs with full logs have it."));
}

void ResultActions::set_selected(size_t results) {
  selected_ = results;
  theme::make_primary(*compare_, results >= 2);
  theme::make_primary(*report_, results < 2);
  theme::offer(*compare_, tr("Compares the selected results (C): repeats of one plan form a side."),
               results >= 2 ? QString() : tr("Select two or more results in the list to compare them."));
}

void ResultActions::fill_logs() {
  logs_->clear();
  if (record_ == nullptr) return;
  add_log(*logs_, Role::broker, 0, tr("Queue"));
  const uint32_t servers = record_->plan.bus.servers();
  for (uint32_t i = 1; i <= servers; i++)
    add_log(*logs_, Role::broker, i, servers == 1 ? tr("Server") : tr("Server %1").arg(i));
  add_logs(Role::sender, tr("Senders"), count_of(*record_, Role::sender));
  add_logs(Role::receiver, tr("Receivers"), count_of(*record_, Role::receiver));
}

// For many services a menu for each few, filled when it is opened.
void ResultActions::add_logs(Role role, const QString& title, uint32_t services) {
  QMenu* all = logs_->addMenu(title);
  all->setEnabled(services > 0);
  if (services <= kLogsInAMenu) return add_logs(*all, role, 1, services);
  for (uint32_t first = 1; first <= services; first += kLogsInAMenu) {
    const uint32_t last = std::min(services, first + kLogsInAMenu - 1);
    QMenu* part = all->addMenu(QStringLiteral("%1-%2").arg(first).arg(last));
    connect(part, &QMenu::aboutToShow, this, [this, part, role, first, last] {
      if (part->actions().isEmpty()) add_logs(*part, role, first, last);
    });
  }
}

void ResultActions::add_logs(QMenu& menu, Role role, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i <= last; i++) add_log(menu, role, i, theme::qt(to_text(role) + " " + std::to_string(i)));
}

void ResultActions::add_log(QMenu& menu, Role role, uint32_t service, const QString& text) {
  const bool there = !log_path(*record_, role, service).isEmpty();
  QAction* action = menu.addAction(there ? text : tr("%1 (no log)").arg(text));
  action->setEnabled(there);
  connect(action, &QAction::triggered, this, [this, role, service] { Q_EMIT open_log(role, service); });
}

}  // namespace n2nq::ui

#include "moc_result_actions.cpp"
