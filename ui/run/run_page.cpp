#include "ui/run/run_page.h"

#include <QKeyEvent>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/run/filter_page.h"
#include "ui/run/layout_fence.h"
#include "ui/run/live_view.h"
#include "ui/run/process_list.h"
#include "ui/run/queue_panel.h"
#include "ui/run/request_block.h"
#include "ui/run/role_columns.h"
#include "ui/run/run_bar.h"
#include "ui/run/run_log.h"
#include "ui/run/service_panel.h"

namespace n2nq::ui {
namespace {

constexpr const char* kLogShownKey = "run/log-shown";

}  // namespace

RunPage::RunPage(plan::PlanEditor& editor, run::RunSequence& sequence, QSettings& settings, QWidget* parent)
    : QWidget(parent),
      editor_(editor),
      sequence_(sequence),
      settings_(settings),
      bar_(new RunBar(this)),
      senders_(new ServicePanel(Role::sender, editor, settings, this)),
      queue_(new QueuePanel(editor, settings, this)),
      receivers_(new ServicePanel(Role::receiver, editor, settings, this)),
      log_(new RunLog(this)),
      filters_(new FilterPage(this)),
      live_(new LiveView(sequence, *bar_, panels(), this)) {
  senders_->add_content(live_->totals().senders(), live_->sender_table());
  receivers_->add_content(live_->totals().receivers(), live_->receiver_table());
  live_->restore(settings_);
  build_layout();
  connect(bar_, &RunBar::start_all, this, &RunPage::start_all);
  connect(bar_, &RunBar::stop_all, this, &RunPage::stop_all);
  connect(bar_, &RunBar::show_result, this, &RunPage::show_result);
  connect(bar_, &RunBar::show_host, this, &RunPage::show_host);
  connect(bar_, &RunBar::move_queue, this, &RunPage::move_queue);
  connect(live_, &LiveView::open_log, this, &RunPage::open_service_log);
  connect_filters();
  for (RolePanel* panel : panels()) connect_panel(*panel);
  connect_sequence();
  connect(&editor_, &plan::PlanEditor::changed, this, &RunPage::show_plan);
  show_plan();
  show_state();
}

RunPage::~RunPage() = default;

std::vector<RolePanel*> RunPage::panels() const {
  return {senders_, queue_, receivers_};
}

void RunPage::connect_panel(RolePanel& panel) {
  const Role role = panel.role();
  connect(&panel.header(), &RoleHeader::start, this,
          [this, role] { take_error(sequence_.start(editor_.file(), role)); });
  connect(&panel.header(), &RoleHeader::stop, this, [this, role] { sequence_.stop(role); });
  connect(&panel, &RolePanel::troubles_changed, this, &RunPage::check_plan);
}

void RunPage::connect_sequence() {
  connect(&sequence_, &run::RunSequence::session_changed, this, [this] {
    for (RolePanel* panel : panels()) panel->clear_warnings();
    show_plan();
    show_state();
    show_notes();
  });
  connect(&sequence_, &run::RunSequence::changed, this, &RunPage::show_state);
  connect(&sequence_, &run::RunSequence::noted, this, &RunPage::show_notes);
  connect(&sequence_, &run::RunSequence::finished, this, [this] {
    show_plan();
    show_state();
  });
}

void RunPage::connect_filters() {
  RequestBlock& request = queue_->request();
  connect(&request, &RequestBlock::make_request, this, &RunPage::make_request);
  connect(&request, &RequestBlock::edit, this, [this] {
    filters_->open(shown_plan());
    filters_->show_filters(queue_->request().draft(), queue_->request().unsent());
    stack_->setCurrentWidget(filters_);
    filters_->setFocus();
  });
  connect(&request, &RequestBlock::draft_changed, this,
          [this] { filters_->show_filters(queue_->request().draft(), queue_->request().unsent()); });
  connect(&request, &RequestBlock::reverted, this,
          [this] { editor_.set_draft(editor_.plan().queue.requests.filters); });
  connect(filters_, &FilterPage::edited, this, [this](const std::vector<plan::ReceiverFilter>& filters) {
    queue_->request().set_draft(filters);
    editor_.set_draft(filters);
  });
  connect(filters_, &FilterPage::done, this, &RunPage::close_filters);
  connect(filters_, &FilterPage::make_request, this, &RunPage::make_request);
  connect(filters_, &FilterPage::revert, &request, &RequestBlock::revert);
}

void RunPage::close_filters() {
  const bool had_focus = filters_->isAncestorOf(focusWidget());
  stack_->setCurrentWidget(columns_);
  if (had_focus) queue_->request().setFocus();
}

void RunPage::build_layout() {
  columns_ = new RoleColumns({.senders = senders_,
                              .queue = queue_,
                              .receivers = receivers_,
                              .charts = new LayoutFence(live_->charts()),
                              .log = log_},
                             settings_, this);
  stack_ = new QStackedWidget(this);
  stack_->addWidget(columns_);
  stack_->addWidget(filters_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(stack_, 1);
  connect(&bar_->log_button(), &QToolButton::toggled, this, [this](bool shown) {
    log_->setVisible(shown);
    settings_.setValue(kLogShownKey, shown);
    if (shown) show_notes();
  });
  connect(log_, &RunLog::closed, this, [this] { bar_->log_button().setChecked(false); });
  const bool shown = settings_.value(kLogShownKey, false).toBool();
  log_->setVisible(shown);
  bar_->log_button().setChecked(shown);
}

const plan::RunPlan& RunPage::shown_plan() const {
  const run::RunSession* session = sequence_.session();
  return sequence_.active() && session != nullptr ? session->plan() : editor_.plan();
}

void RunPage::show_plan() {
  for (RolePanel* panel : panels()) panel->show_plan(shown_plan());
  check_plan();
  if (stack_->currentWidget() != filters_) return;
  if (shown_plan().queue.requests.on)
    filters_->open(shown_plan());
  else
    close_filters();
}

QString RunPage::said(const plan::PlanProblem& problem) const {
  QString name = QString::fromStdString(problem.key);
  for (const RolePanel* panel : panels())
    if (const QString known = panel->name_of(problem.key); !known.isEmpty()) name = known;
  return name + ": " + QString::fromStdString(problem.text);
}

void RunPage::set_hosts(const hosts::HostList& list) {
  hosts_ = list;
  for (RolePanel* panel : panels()) panel->offer_hosts(hosts_);
  show_plan();
}

void RunPage::set_locked(const QString& reason) {
  if (reason == locked_) return;
  locked_ = reason;
  check_plan();
}

// As one step of undo, and in sight.
void RunPage::move_queue(const QString& host) {
  if (sequence_.active()) return;
  editor_.edit("queue host", [&](plan::PlanFile& file) { file.base.queue.host = host.toStdString(); });
}

// What stands in the way of a start, where it is and in one line.
void RunPage::check_plan() {
  const auto problems = run::problems_of(editor_.plan(), hosts_);
  QString reason = locked_;
  for (RolePanel* panel : panels()) {
    panel->show_problems(problems);
    for (const auto& trouble : panel->troubles())
      if (reason.isEmpty()) reason = said(trouble);
  }
  if (reason.isEmpty() && !problems.empty()) reason = said(problems.front());
  if (reason.isEmpty()) {
    const auto runs = plan::runs_of(editor_.file());
    if (!runs) reason = QString::fromStdString(runs.error().text);
    if (const auto wrong = runs ? run::first_problem(*runs, hosts_) : std::nullopt)
      reason = tr("run %1: %2").arg(wrong->run).arg(said(wrong->problem));
  }
  blocked_ = reason;
  bar_->set_blocked(blocked_, !locked_.isEmpty());
  show_state();
}

void RunPage::show_state() {
  const QWidget* had_focus = focusWidget();
  const run::RunSession* session = sequence_.session();
  const bool active = sequence_.active();
  const bool saving = active && session != nullptr && session->state() == run::State::over;
  const QString locked = active ? tr("Cannot be changed during a run.") : QString();
  for (RolePanel* panel : panels()) {
    panel->set_locked(locked);
    const run::RoleStatus status = session != nullptr ? session->role_status(panel->role()) : run::RoleStatus{};
    const QString why =
        status.phase == run::RolePhase::over ? tr("They start again with the next run; this run continues.") : "";
    panel->header().set_blocked(saving ? tr("The result is being saved.") : active ? why : blocked_);
    panel->header().show_status(status);
  }
  queue_->request().set_running(active);
  if (session != nullptr) queue_->processes().show_processes(session->processes());
  bar_->show_state(sequence_);
  live_->follow();
  // Qt hands the keys of what was disabled to its neighbour, which nobody chose: Space would press that.
  if (had_focus != nullptr && had_focus != this && !had_focus->isEnabled()) setFocus(Qt::OtherFocusReason);
}

void RunPage::show_notes() {
  if (log_->isHidden()) return;
  static const std::vector<record::RunNote> kNone;
  log_->show_notes(sequence_.session() != nullptr ? sequence_.session()->notes() : kNone);
}

void RunPage::start_all() {
  if (!sequence_.active() && !blocked_.isEmpty()) return;
  take_error(sequence_.start_all(editor_.file()));
}

void RunPage::stop_all() {
  if (bar_->takes_stop()) sequence_.stop();
}

void RunPage::take_error(const Result<void>& result) {
  if (!result) bar_->set_blocked(QString::fromStdString(result.error().text), false);
}

void RunPage::make_request() {
  const auto filters = queue_->request().draft();
  if (!queue_->request().unsent() || !shown_plan().queue.requests.on) return;
  if (sequence_.active() && sequence_.session() != nullptr) sequence_.session()->make_request(filters);
  editor_.edit("filters", [&](plan::PlanFile& file) { file.base.queue.requests.filters = filters; });
  editor_.set_draft(filters);  // in the plan now, also where it was there already
  show_plan();
  filters_->show_filters(queue_->request().draft(), queue_->request().unsent());
}

// For the table that has the focus; elsewhere, of the one table in which services are selected.
void RunPage::open_selected_log() {
  if (!columns_->isVisible()) return;
  const std::pair<Role, ServiceTable*> tables[] = {{Role::sender, live_->sender_table()},
                                                   {Role::receiver, live_->receiver_table()}};
  for (const auto& [role, table] : tables)
    if (const auto service = table->current_service(); service && table->isAncestorOf(focusWidget()))
      return open_service_log(role, *service);
  const auto senders = live_->sender_table()->selection();
  const auto receivers = live_->receiver_table()->selection();
  if (senders.empty() == receivers.empty()) return;
  const auto& [role, table] = tables[senders.empty() ? 1 : 0];
  const auto& selected = senders.empty() ? receivers : senders;
  const auto current = table->current_service();
  open_service_log(role, current && std::ranges::count(selected, *current) > 0 ? *current : selected.front());
}

bool RunPage::take_key(const QKeyEvent& event) {
  if (event.key() != Qt::Key_Space || event.modifiers() != Qt::NoModifier) return false;
  if (!live_->charts()->isVisible()) return false;
  if (!event.isAutoRepeat()) live_->charts()->set_paused(!live_->charts()->is_paused());
  return true;
}

void RunPage::keyPressEvent(QKeyEvent* event) {
  if (!take_key(*event)) QWidget::keyPressEvent(event);
}

void RunPage::open_service_log(Role role, uint32_t service) {
  const run::RunSession* session = sequence_.session();
  if (session == nullptr) return;
  const QString title = service == 0 ? tr("queue") : theme::qt(to_text(role)) + ' ' + QString::number(service);
  if (const std::string why = session->why_no_log(role, service); !why.empty())
    return no_log(tr("No log of %1: %2.").arg(title, QString::fromStdString(why)));
  const QString path = QString::fromStdString(session->log_path(role, service));
  if (const auto far = session->far_log(role, service); far && sequence_.active())
    return open_far_log(*far, path, tr("%1 on %2").arg(title, QString::fromStdString(far->host)));
  Q_EMIT open_log(path, title);
}

void RunPage::save_layout() {
  columns_->save();
  live_->save(settings_);
}

void RunPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  live_->look();
}

}  // namespace n2nq::ui

#include "moc_run_page.cpp"
