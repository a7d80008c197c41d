#include "ui/run/run_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

#include "app/figures/figures.h"
#include "ui/run/layout_fence.h"
#include "ui/run/live_view.h"
#include "ui/run/permission_question.h"
#include "ui/run/process_chips.h"
#include "ui/run/queue_flow.h"
#include "ui/run/queue_panel.h"
#include "ui/run/repeats_field.h"
#include "ui/run/request_block.h"
#include "ui/run/requests.h"
#include "ui/run/role_columns.h"
#include "ui/run/run_log.h"
#include "ui/run/run_tiles.h"
#include "ui/run/service_logs.h"
#include "ui/run/service_panel.h"
#include "ui/run/start_check.h"
#include "ui/run/start_forecast.h"
#include "ui/run/tile_limits.h"
#include "ui/services/filter_editor.h"
#include "ui/theme/command_hints.h"
#include "ui/theme/focus_hold.h"

namespace n2nq::ui {
namespace {

constexpr const char* kLogShownKey = "run/log-shown";

}  // namespace

RunPage::RunPage(plan::PlanEditor& editor, run::RunSequence& sequence, plan::Permissions& permissions,
                 QSettings& settings, QWidget* parent)
    : QWidget(parent),
      editor_(editor),
      sequence_(sequence),
      permissions_(permissions),
      settings_(settings),
      bar_(new RunBar(this)),
      tiles_(new RunTiles(this)),
      repeats_(new RepeatsField(settings, this)),
      requests_(new Requests(editor, sequence, this)),
      senders_(new ServicePanel(Role::sender, editor, settings, this)),
      queue_(new QueuePanel(editor, requests_->draft(), settings, this)),
      receivers_(new ServicePanel(Role::receiver, editor, settings, this)),
      log_(new RunLog(this)),
      filters_(new FilterEditor(requests_->draft(), this)),
      limits_(new TileLimits(*tiles_, queue_->limits(), this)),
      live_(new LiveView(
          sequence, {.bar = *bar_, .tiles = *tiles_, .limits = *limits_, .flow = queue_->flow(), .panels = panels()},
          this)),
      logs_(new ServiceLogs(sequence, *live_, this)),
      check_(new StartCheck(editor, panels(), this)),
      forecast_(new StartForecast(sequence.options().runs_folder, this)),
      pin_(new QAction(theme::icon("pin"), tr("Pin senders to receivers, or filter"), this)) {
  senders_->add_content(*live_->totals().senders(), *live_->sender_table());
  receivers_->add_content(*live_->totals().receivers(), *live_->receiver_table());
  live_->restore(settings_);
  bar_->add_before_start(*repeats_);
  build_layout();
  connect(bar_, &RunBar::start_all, this, &RunPage::start_all);
  connect(bar_, &RunBar::stop_all, this, &RunPage::stop_all);
  connect(bar_, &RunBar::make_request, requests_, &Requests::make);
  connect(bar_, &RunBar::show_result, this, &RunPage::show_result);
  connect(bar_, &RunBar::compare_results, this, &RunPage::compare_results);
  connect(bar_, &RunBar::show_host, this, &RunPage::show_host);
  connect(bar_, &RunBar::move_queue, this, &RunPage::move_queue);
  connect(check_, &StartCheck::looked, this, [this] {
    bar_->set_blocked(check_->blocked(), check_->locked());
    show_state();
  });
  connect(repeats_, &RepeatsField::changed, this, &RunPage::show_forecast);
  connect(forecast_, &StartForecast::changed, this, [this] { bar_->set_forecast(forecast_->forecast()); });
  connect(tiles_, &RunTiles::chart_wanted, this, &RunPage::show_chart);
  connect(&queue_->processes(), &ProcessChips::kill_server, this, [this](const std::string& server) {
    if (sequence_.session() != nullptr) sequence_.session()->kill_server(server);
  });
  connect(&queue_->processes(), &ProcessChips::open_queue_log, logs_,
          [this](uint32_t number) { logs_->open(Role::broker, number); });
  connect_filters();
  connect_views();
  for (RolePanel* panel : panels()) connect_panel(*panel);
  connect_sequence();
  // Found by its name also where there are no filters, with what is missing.
  pin_->setEnabled(false);
  addAction(pin_);
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
  connect(&panel.header(), &RoleHeader::start, this, [this, role] {
    take_filters();
    if_allowed([this, role] { return sequence_.start(editor_.file(), role, repeats_->repeats()); });
  });
  connect(&panel.header(), &RoleHeader::stop, this, [this, role] { sequence_.stop(role); });
  connect(&panel, &RolePanel::edit, this, [this] { go_to(RunView::plan); });
}

void RunPage::connect_sequence() {
  connect(&sequence_, &run::RunSequence::session_changed, this, [this] {
    if (sequence_.active() && sequence_.index() == 0) show_view(RunView::figures);
    if (sequence_.index() == 0) started_ = editor_.file();
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

void RunPage::connect_views() {
  connect(bar_, &RunBar::view_chosen, this, &RunPage::go_to);
  connect(&editor_, &plan::PlanEditor::opened, this, [this] {
    if (!sequence_.active()) show_view(RunView::plan);
  });
  QAbstractButton* figures = &bar_->button_of(RunView::figures);
  theme::set_opened_by(*tiles_, figures);
  columns_->set_charts_opened_by(figures);
  for (RolePanel* panel : panels()) panel->set_figures_opened_by(figures);
  show_view(bar_->view());
}

void RunPage::go_to(RunView view) {
  if (view != bar_->view()) show_view(view);
}

void RunPage::change_view() {
  go_to(bar_->view() == RunView::plan ? RunView::figures : RunView::plan);
}

void RunPage::show_view(RunView view) {
  // What is being typed is taken first, as it is when the keys go elsewhere: that may say what is wrong.
  const QWidget* focus = focusWidget();
  if (view != bar_->view() && columns_->isAncestorOf(focus) && !filters_->isAncestorOf(focus))
    setFocus(Qt::OtherFocusReason);
  const theme::FocusHold hold(*this);
  bar_->show_view(view);
  for (RolePanel* panel : panels()) {
    panel->show_fields(view == RunView::plan);
    show_role(*panel);
  }
  columns_->set_with_charts(view == RunView::figures);
  tiles_->setVisible(view == RunView::figures);
  live_->look();
}

void RunPage::connect_filters() {
  connect(&queue_->request(), &RequestBlock::edit, this, &RunPage::open_filters);
  connect(filters_, &FilterEditor::closed, this, &RunPage::close_filters);
  connect(live_, &LiveView::second_passed, filters_, &FilterEditor::show_rates);
  connect(requests_, &Requests::made, this, [this] {
    if (sequence_.active()) {
      queue_->flow().request_changed();
      started_ = editor_.file();  // which has the request that the run makes now
    }
    show_plan();
  });
  for (const auto changed : {&FilterDraft::changed, &FilterDraft::asked_changed})
    connect(&requests_->draft(), changed, this, &RunPage::show_request);
}

void RunPage::pin_baseline(const record::RunRecord& record) {
  const std::string name = "result " + std::to_string(record.id);
  live_->charts()->offer_baseline({.name = name, .figures = figures::figures_of(record)});
  live_->charts()->choose_baseline(name);
}

void RunPage::open_filters() {
  requests_->draft().set_size(shown_plan().senders.fleet.count, shown_plan().receivers.fleet.count);
  columns_->set_with_filters(true);
  queue_->request().set_open(true);
  filters_->setFocus();
}

void RunPage::close_filters() {
  const bool had_focus = filters_->isAncestorOf(focusWidget());
  columns_->set_with_filters(false);
  queue_->request().set_open(false);
  if (had_focus) queue_->request().setFocus();
}

void RunPage::build_layout() {
  columns_ = new RoleColumns({.senders = senders_,
                              .queue = queue_,
                              .receivers = receivers_,
                              .charts = new LayoutFence(live_->charts()),
                              .log = log_,
                              .filters = filters_},
                             settings_, this);
  theme::set_opened_by(*filters_, queue_->request().findChild<QAbstractButton*>("edit filters"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(theme::kSpace3);
  layout->addWidget(bar_);
  auto* tiles = new QHBoxLayout;
  tiles->setContentsMargins(theme::kSpace3, 0, theme::kSpace3, 0);
  tiles->addWidget(tiles_);
  layout->addLayout(tiles);
  layout->addWidget(columns_, 1);
  connect(&bar_->log_button(), &QPushButton::toggled, this, [this](bool shown) {
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

// Figures stay until the next run; once the plan is another one than they are of, that is said. The sentences are above
// the figures, and of the same run.
void RunPage::say_whose() {
  const theme::FocusHold hold(*this);
  const run::RunSession* session = sequence_.session();
  if (session == nullptr || !started_) return bar_->set_whose({});
  const bool of_last_run = !sequence_.active() && *started_ != editor_.file();
  const std::string& name = started_->base.name;
  if (!of_last_run)
    bar_->set_whose({});
  else if (name == editor_.plan().name)
    bar_->set_whose(tr("The figures are those of the last run, before the plan was changed."));
  else
    bar_->set_whose(tr("The figures are those of the last run, of plan \"%1\".").arg(theme::qt(name)));
  for (RolePanel* panel : panels()) {
    panel->say_plan(session->plan(), of_last_run);
    show_role(*panel);
  }
}

void RunPage::show_plan() {
  const plan::RunPlan& plan = shown_plan();
  for (RolePanel* panel : panels()) panel->show_plan(plan);
  columns_->show_mode(plan.queue.mode);
  say_whose();
  requests_->show_plan(plan);
  filters_->set_plan(plan);
  live_->show_plan(plan);
  if (sequence_.session() == nullptr) tiles_->show_mode(plan::asks_for_replies(plan));
  show_request();
  check_->look();
  show_forecast();
  if (plan.queue.requests.on && requests_->draft().senders() > 0)
    requests_->draft().set_size(plan.senders.fleet.count, plan.receivers.fleet.count);
  if (columns_->with_filters() && !plan.queue.requests.on) close_filters();
}

void RunPage::show_forecast() {
  forecast_->show_plan(editor_.file(), repeats_->repeats());
}

void RunPage::set_hosts(const hosts::HostList& list) {
  check_->set_hosts(list);
  for (RolePanel* panel : panels()) panel->offer_hosts(list);
  show_plan();
}

void RunPage::put_plan_control(QWidget* control) {
  bar_->put_first(control);
}

void RunPage::set_repeats(uint32_t repeats) {
  repeats_->set_repeats(repeats);
}

void RunPage::set_locked(const QString& reason) {
  check_->set_locked(reason);
}

// As one step of undo, and in sight.
void RunPage::move_queue(const QString& host) {
  if (sequence_.active()) return;
  go_to(RunView::plan);
  editor_.edit("queue host", [&](plan::PlanFile& file) { file.base.queue.host = host.toStdString(); });
}

void RunPage::show_state() {
  const theme::FocusHold hold(*this);
  const run::RunSession* session = sequence_.session();
  const bool active = sequence_.active();
  for (RolePanel* panel : panels()) {
    panel->set_locked(active ? tr("Cannot be changed during a run.") : QString());
    panel->show_figures(session != nullptr);
    show_role(*panel);
  }
  forecast_->set_watching(!active && isVisible());
  repeats_->set_locked(active ? tr("Cannot be changed during a run.") : QString());
  if (session != nullptr) queue_->show_processes(session->processes());
  bar_->show_state(sequence_);
  show_request();
  live_->follow();
}

void RunPage::show_role(RolePanel& panel) {
  const run::RunSession* session = sequence_.session();
  const bool active = sequence_.active();
  const bool saving = active && session != nullptr && session->state() == run::State::over;
  const run::RoleStatus status =
      session != nullptr && bar_->tells_of_run() ? session->role_status(panel.role()) : run::RoleStatus{};
  const QString why =
      status.phase == run::RolePhase::over ? tr("They start again with the next run; this run continues.") : "";
  panel.header().set_blocked(saving ? tr("The result is being saved.") : active ? why : check_->blocked());
  uint32_t services = 0;
  if (panel.role() == Role::sender) services = shown_plan().senders.fleet.count;
  if (panel.role() == Role::receiver) services = shown_plan().receivers.fleet.count;
  panel.header().show_status(status, services - std::min(services, status.away));
}

void RunPage::show_request() {
  bar_->show_request(shown_plan().queue.requests.on, requests_->draft().unsent(), sequence_.active());
  pin_->setVisible(!shown_plan().queue.requests.on);
  const bus::BusTraits& bus = shown_plan().bus.traits();
  pin_->setToolTip(bus.own_queue
                       ? tr("Turn on Receiver requests in the settings of the queue, before the start.")
                       : tr("%1 has no requests: for filters choose the bus N2NQ.").arg(theme::qt(bus.title)));
}

// In the first pane, wherever the charts are in this size of window.
void RunPage::show_chart(const std::string& figure_id) {
  go_to(RunView::figures);
  columns_->show_charts();
  live_->charts()->show_figure(figure_id);
}

void RunPage::show_notes() {
  if (log_->isHidden()) return;
  static const std::vector<record::RunNote> kNone;
  log_->show_notes(sequence_.session() != nullptr ? sequence_.session()->notes() : kNone);
}

void RunPage::choose_bus(const std::string& kind) {
  queue_->choose_bus(kind);
}

QWidget& RunPage::open_bus() {
  go_to(RunView::plan);
  columns_->show_column(1);
  return queue_->bus_field();
}

void RunPage::start_all() {
  start_all_and({});
}

void RunPage::start_all_and(const std::function<void()>& then) {
  take_filters();
  if (sequence_.active() || check_->blocked().isEmpty())
    if_allowed([this] { return sequence_.start_all(editor_.file(), repeats_->repeats()); }, then);
  else if (then)
    then();
}

// What is seen in the plan is what runs, asked for or not.
void RunPage::take_filters() {
  // A field that is being typed gives its text when the keys go elsewhere.
  if (QWidget* typed = focusWidget(); qobject_cast<QLineEdit*>(typed) != nullptr && filters_->isAncestorOf(typed))
    typed->clearFocus();
  if (!sequence_.active()) requests_->make();
}

void RunPage::if_allowed(const std::function<Result<void>()>& start, const std::function<void()>& then) {
  const auto begin = [this, start, then] {
    take_error(start());
    if (then) then();
  };
  const auto runs = plan::runs_of(editor_.file());
  if (sequence_.active() || !runs) return begin();
  const auto came = plan::runs_of(editor_.came());
  const auto missing = not_typed(permissions_, editor_.path(), *runs, came ? *came : *runs);
  // Nothing is missing any more once the answer is there: so the sequence takes it.
  ask_to_send({.area = *this, .permissions = permissions_}, missing, [this, begin, runs = *runs] {
    (void)permissions_.keep(runs, {.file = editor_.path()});
    begin();
  });
}

void RunPage::stop_all() {
  if (bar_->takes_stop()) sequence_.stop();
}

void RunPage::take_error(const Result<void>& result) {
  if (!result) bar_->set_blocked(QString::fromStdString(result.error().text), false);
}

void RunPage::make_request() {
  requests_->make();
}

void RunPage::open_selected_log() {
  if (columns_->isVisible()) logs_->open_selected();
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

void RunPage::save_layout() {
  columns_->save();
  live_->save(settings_);
}

void RunPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  live_->look();
  forecast_->set_watching(!sequence_.active());
}

void RunPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  forecast_->set_watching(false);
}

}  // namespace n2nq::ui

#include "moc_run_page.cpp"
