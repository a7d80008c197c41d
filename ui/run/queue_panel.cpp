#include "ui/run/queue_panel.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QRadioButton>
#include <QSignalBlocker>
#include <algorithm>

#include "app/figures/setting_text.h"
#include "app/plan/bus_fit.h"
#include "ui/run/bus_fields.h"
#include "ui/run/field_names.h"
#include "ui/run/hosts_field.h"
#include "ui/run/limits_field.h"
#include "ui/run/process_chips.h"
#include "ui/run/queue_flow.h"
#include "ui/run/request_block.h"
#include "ui/run/runs_field.h"
#include "ui/theme/label.h"
#include "ui/theme/offer.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

struct ModeButton {
  plan::Mode mode;
  const char* text;
  const char* name;
  const char* help;
};
constexpr ModeButton kModes[] = {
    {plan::Mode::broadcaster, "(1) broadcaster", "Queue mode broadcaster", "Each message goes to every receiver."},
    {plan::Mode::load_balancer, "(2) load balancer", "Queue mode load balancer",
     "Each message goes to exactly one receiver."},
    {plan::Mode::request_reply, "(3) request-reply", "Queue mode request-reply", "Senders ask, receivers reply."}};

QString text_about(const std::vector<plan::PlanProblem>& problems, const char* key) {
  const auto found = std::ranges::find(problems, key, &plan::PlanProblem::key);
  return found == problems.end() ? QString() : theme::qt(figures::with_names(found->text));
}

}  // namespace

QueuePanel::QueuePanel(plan::PlanEditor& editor, FilterDraft& filters, QSettings& settings, QWidget* parent)
    : RolePanel(Role::broker, editor, settings, parent),
      bus_(new BusFields(editor, form(), this)),
      bus_text_(new theme::Label({}, theme::TextSize::caption, theme::Tone::muted)),
      request_(new RequestBlock(filters)),
      runs_(new RunsField(editor)),
      limits_(new LimitsField(editor)),
      flow_(new QueueFlow),
      no_filters_(
          new theme::Label(tr("No filters in this run: to pin or filter, turn on Receiver requests before the start."),
                           theme::TextSize::caption, theme::Tone::muted)),
      processes_title_(new theme::Label(tr("Processes"), theme::TextSize::caption, theme::Tone::muted)),
      processes_(new ProcessChips) {
  add_bus();
  add_host();
  add_mode();
  add_rules();
  bus_->add_settings();
  add_bounds();
  add_attach_fields();
  middle().addWidget(bus_text_);
  middle().addWidget(runs_);
  middle().addWidget(limits_);
  shared().addWidget(request_);
  content().addWidget(flow_);
  content().addWidget(no_filters_);
  content().addWidget(processes_title_);
  content().addWidget(processes_);
  content().addStretch(1);
  processes_title_->hide();
  no_filters_->setWordWrap(true);
  no_filters_->hide();
  for (const PlanLine* line : lines()) {
    connect(line, &PlanLine::trouble_changed, this, &RolePanel::troubles_changed);
    connect(line, &PlanLine::wrong_changed, this, [this] { show_line(); });
  }
}

std::array<PlanLine*, 2> QueuePanel::lines() const {
  return {runs_, limits_};
}

void QueuePanel::choose_bus(const std::string& kind) {
  bus_->choose_bus(kind);
}

QWidget& QueuePanel::bus_field() const {
  return bus_->choice_field();
}

void QueuePanel::add_bus() {
  bus_->add_choice();
  form().widen();
  form().next_row();
  bus_->add_profile();
  bus_text_->setWordWrap(true);
  bus_text_->setAccessibleName(tr("What the bus is"));
  bus_text_->hide();
}

void QueuePanel::add_host() {
  host_ = form().add_suggestions({"queue.host", "Host"}, queue_host_binding(), {hosts::kThisComputer});
  form().set_help("queue.host", tr("Where the queue runs: this computer, or a host from the Hosts page."));
  form().widen();
}

void QueuePanel::offer_hosts(const hosts::HostList& list) {
  offer(*host_, QStringList(QString::fromUtf8(hosts::kThisComputer)) + fleet_choices(list, {}));
}

void QueuePanel::add_mode() {
  auto* both = new QWidget;
  auto* rows = new QGridLayout(both);
  rows->setContentsMargins(0, 0, 0, 0);
  modes_ = new QButtonGroup(this);
  for (const ModeButton& mode : kModes) {
    auto* button = new QRadioButton(tr(mode.text), both);
    button->setAccessibleName(tr(mode.name));
    modes_->addButton(button, static_cast<int>(mode.mode));
  }
  // Three beside each other would make the card wider than a column of a small window.
  rows->addWidget(modes_->button(static_cast<int>(plan::Mode::broadcaster)), 0, 0);
  rows->addWidget(modes_->button(static_cast<int>(plan::Mode::load_balancer)), 0, 1);
  rows->addWidget(modes_->button(static_cast<int>(plan::Mode::request_reply)), 1, 0, 1, 2);
  rows->setColumnStretch(2, 1);
  form().add_own({"queue.mode", "Mode"}, both, [this](const plan::RunPlan& plan) {
    const QSignalBlocker quiet(modes_);
    modes_->button(static_cast<int>(plan.queue.mode))->setChecked(true);
  });
  form().widen();
  connect(modes_, &QButtonGroup::idClicked, this, &QueuePanel::choose_mode);
}

void QueuePanel::add_rules() {
  form().next_row();
  form().add_suggestions({"queue.retention", "Remove after"}, retention_binding(),
                         {"1 s", "5 s", "30 s", "60 s", "until collected"});
  form().add_choice({"queue.policy", "Policy"},
                    {{"random", "random"}, {"round robin", "round-robin"}, {"least outstanding", "least-outstanding"}});
  form().show_when("queue.policy",
                   [](const plan::RunPlan& plan) { return plan.bus.traits().own_queue && plan::balances(plan.queue); });
  form().next_row();
  form().add_choice({"queue.reply_from", "Reply from"},
                    {{"one replier", "one"}, {"first of all", "first"}, {"all repliers", "all"}});
  form().show_when("queue.reply_from", [](const plan::RunPlan& plan) {
    const bool more_than_one = plan.bus.traits().reply_from_all || plan.queue.reply_from != plan::ReplyFrom::one;
    return plan::asks_for_replies(plan) && more_than_one;
  });
  form().next_row();
  // What does not go with replies is there only to be turned off.
  form().add_switch({"queue.responses", "Receiver responses"});
  form().show_when("queue.responses", [](const plan::RunPlan& plan) {
    return plan.bus.traits().own_queue && (!plan::asks_for_replies(plan) || plan.queue.responses);
  });
  form().add_switch({"queue.requests", "Receiver requests"});
  form().show_when("queue.requests", [](const plan::RunPlan& plan) {
    return plan.bus.traits().own_queue && (!plan::asks_for_replies(plan) || plan.queue.requests.on);
  });
  form().next_row();
  form().add_count({"queue.at_a_time", "Ask for"});
  form().add_note(tr("messages at a time"));
}

// Beyond this computer workers must know where the queue is and what lets them in.
void QueuePanel::add_attach_fields() {
  more().add_heading(tr("Place"));
  more().add_text({"queue.listen", "Listen on"}, plain_binding_of("queue.listen"), "HOST:PORT");
  more().widen();
  more().next_row();
  more().add_text({"queue.token_file", "Token file"}, plain_binding_of("queue.token_file"), "a new token for each run");
  more().widen();
}

void QueuePanel::add_bounds() {
  more().add_heading(tr("Bounds"));
  more().add_text({"queue.max_memory", "Memory limit"}, "256 MiB");
  more().next_row();
  more().add_text({"queue.max_message", "Largest message"}, "1 MiB");
  more().next_row();
  more().add_text({"queue.cpus", "Processors"}, "none");
  more().next_row();
  more().add_text({"queue.memory", "Process memory"}, "none");
  more().add_heading(tr("Delivery"));
  more().add_count({"queue.tries", "Tries"});
  more().next_row();
  more().add_count({"queue.response_window", "Response window"});
  more().next_row();
  more().add_text({"queue.take_over", "Take over after"}, "never");
  more().add_heading(tr("Timeouts"));
  more().add_text({"queue.drain_timeout", "Drain timeout"}, "10 s");
  more().next_row();
  more().add_text({"queue.stall_timeout", "Stall timeout"}, "10 s");
  more().next_row();
  more().add_text({"join_timeout", "Join timeout"}, "60 s");
  more().add_heading(tr("Network"));
  more().add_switch({"look.path", "Trace path first"});
  more().next_row();
  more().add_switch({"look.bandwidth", "Measure bandwidth first"});
  more().next_row();
  more().add_text({"tcp.congestion", "Workers' congestion control"}, "host's own");
  more().next_row();
  more().add_switch({"tcp.no_delay", "Workers' TCP_NODELAY"});
  more().show_when("tcp.no_delay",
                   [](const plan::RunPlan& plan) { return !plan::is_idle(*plan::find_field("tcp.no_delay"), plan); });
  more().next_row();
  more().add_text({"tcp.send_buffer", "Workers' send buffer"}, "none");
  more().next_row();
  more().add_text({"tcp.receive_buffer", "Workers' receive buffer"}, "none");
  more().add_heading(tr("Measuring"));
  more().add_switch({"recorder.on", "Record hosts"});
  more().next_row();
  more().add_text({"recorder.period", "Time between readings"}, "1 s");
  more().next_row();
  more().add_text({"recorder.hosts", "Also record"}, "vm3");
  more().next_row();
  more().add_switch({"awake", "Keep cores awake"});
  more().next_row();
  more().add_text({"background", "Background load"}, "vm1 to vm2 at 5 s for 10 s");
  more().next_row();
  more().add_text({"queue.seed", "Seed"}, "1");
}

void QueuePanel::choose_mode(int index) {
  form().edit("queue.mode", tr("mode"), plan::to_text(static_cast<plan::Mode>(index)));
  const plan::RunPlan& plan = editor().file().base;
  const char* from = "queue.reply_from";  // in the same step of undo
  if (plan::misfit(*plan::find_field(from), plan))
    form().edit(from, tr("mode"), plan::to_text(plan::usual_reply_from(plan.bus.traits())));
}

void QueuePanel::show_plan(const plan::RunPlan& plan) {
  RolePanel::show_plan(plan);
  show_what_there_is(plan);
  request_->setVisible(requests_on_);
  no_filters_->setVisible(is_locked() && may_request_ && !requests_on_);
  request_->show_mode(plan.queue.mode);
  runs_->show_file(editor().file());
  limits_->show_plan(plan);
  const bool attached = plan::has_attached(plan);
  if (attached && !attached_) set_more_open(true);
  attached_ = attached;
}

void QueuePanel::show_what_there_is(const plan::RunPlan& plan) {
  const bus::BusTraits& bus = plan.bus.traits();
  const bool queue = bus.own_queue;
  bus_->show_what_there_is(plan);
  show_modes(bus);
  form().keep_place("queue.policy", queue);
  requests_on_ = plan.queue.requests.on;
  may_request_ = queue;
  bus_text_->setVisible(!queue);
  bus_text_->setText(
      theme::qt(bus.what) + ' ' +
      (bus.server.empty()
           ? tr("The queue process only begins and ends the run: no policy, retention, requests or responses.")
           : tr("The queue process begins and ends the run, and starts a server for it where none is given: no policy, "
                "retention, requests or responses.")));
}

void QueuePanel::show_modes(const bus::BusTraits& bus) {
  for (const ModeButton& mode : kModes) {
    QAbstractButton* button = modes_->button(static_cast<int>(mode.mode));
    theme::offer(*button, tr(mode.help),
                 plan::has_mode(bus, mode.mode) ? QString() : theme::qt(plan::lacks_mode_text(bus, mode.mode)) + '.');
  }
}

void QueuePanel::show_processes(std::vector<run::ProcessStatus> processes) {
  processes_title_->setVisible(!processes.empty());
  processes_->show_processes(std::move(processes));
}

std::vector<plan::PlanProblem> QueuePanel::troubles() const {
  auto troubles = RolePanel::troubles();
  for (const PlanLine* line : lines())
    if (const auto trouble = line->trouble()) troubles.push_back(*trouble);
  return troubles;
}

void QueuePanel::show_problems(const std::vector<plan::PlanProblem>& problems) {
  for (PlanLine* line : lines()) line->show_problem(text_about(problems, line->key()));
  RolePanel::show_problems(problems);
}

QString QueuePanel::name_of(const std::string& key) const {
  if (key == "runs") return tr("Runs");
  if (key == "limits") return field_name("limits");
  return RolePanel::name_of(key);
}

QStringList QueuePanel::wrong() const {
  QStringList all = RolePanel::wrong();
  for (const PlanLine* line : lines())
    if (!line->wrong().isEmpty()) all << tr("%1: %2").arg(name_of(line->key()), line->wrong());
  return all;
}

void QueuePanel::set_locked(const QString& reason) {
  RolePanel::set_locked(reason);
  no_filters_->setVisible(is_locked() && may_request_ && !requests_on_);
  for (PlanLine* line : lines()) line->set_locked(reason);
}

}  // namespace n2nq::ui

#include "moc_queue_panel.cpp"
