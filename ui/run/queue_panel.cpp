#include "ui/run/queue_panel.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QRadioButton>
#include <QSignalBlocker>

#include "app/plan/plan_limits.h"
#include "ui/run/hosts_field.h"
#include "ui/run/limits_field.h"
#include "ui/run/process_chips.h"
#include "ui/run/queue_flow.h"
#include "ui/run/request_block.h"
#include "ui/run/runs_field.h"
#include "ui/theme/label.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

QueuePanel::QueuePanel(plan::PlanEditor& editor, FilterDraft& filters, QSettings& settings, QWidget* parent)
    : RolePanel(Role::broker, editor, settings, parent),
      request_(new RequestBlock(filters)),
      runs_(new RunsField(editor)),
      limits_(new LimitsField(editor)),
      flow_(new QueueFlow),
      no_filters_(
          new theme::Label(tr("No filters in this run: to pin or filter, turn on Receiver requests before the start."),
                           theme::TextSize::caption, theme::Tone::muted)),
      processes_title_(new theme::Label(tr("Processes"), theme::TextSize::caption, theme::Tone::muted)),
      processes_(new ProcessChips) {
  add_host();
  add_mode();
  add_rules();
  add_bounds();
  add_attach_fields();
  middle().addWidget(runs_);
  middle().addWidget(limits_);
  content().addWidget(flow_);
  content().addWidget(no_filters_);
  content().addWidget(request_);
  content().addWidget(processes_title_);
  content().addWidget(processes_);
  content().addStretch(1);
  processes_title_->hide();
  no_filters_->setWordWrap(true);
  no_filters_->hide();
  connect(runs_, &RunsField::trouble_changed, this, &RolePanel::troubles_changed);
  connect(limits_, &LimitsField::trouble_changed, this, &RolePanel::troubles_changed);
}

void QueuePanel::add_host() {
  host_ = form().add_suggestions({"queue.host", "Host", "Queue host"}, queue_host_binding(), {hosts::kThisComputer});
  form().set_help("Queue host", tr("Where the queue runs: this computer, or a host from the Hosts page."));
  form().widen();
}

void QueuePanel::offer_hosts(const hosts::HostList& list) {
  offer(*host_, QStringList(QString::fromUtf8(hosts::kThisComputer)) + fleet_choices(list, {}));
}

void QueuePanel::add_mode() {
  auto* both = new QWidget;
  auto* row = new QHBoxLayout(both);
  row->setContentsMargins(0, 0, 0, 0);
  auto* broadcaster = new QRadioButton(tr("(1) broadcaster"), both);
  auto* balancer = new QRadioButton(tr("(2) load balancer"), both);
  broadcaster->setToolTip(tr("Each message goes to every receiver."));
  broadcaster->setAccessibleName(tr("Queue mode broadcaster"));
  balancer->setToolTip(tr("Each message goes to exactly one receiver."));
  balancer->setAccessibleName(tr("Queue mode load balancer"));
  modes_ = new QButtonGroup(this);
  modes_->addButton(broadcaster, 0);
  modes_->addButton(balancer, 1);
  row->addWidget(broadcaster);
  row->addWidget(balancer);
  row->addStretch(1);
  form().add_own({"queue.mode", "Mode", "Queue mode"}, both, [this](const plan::RunPlan& plan) {
    const QSignalBlocker quiet(modes_);
    modes_->button(plan.queue.mode == plan::Mode::broadcaster ? 0 : 1)->setChecked(true);
  });
  form().widen();
  connect(modes_, &QButtonGroup::idClicked, this, &QueuePanel::choose_mode);
}

void QueuePanel::add_rules() {
  form().next_row();
  form().add_suggestions({"queue.retention", "Remove after", "Remove after"}, retention_binding(),
                         {"1 s", "5 s", "30 s", "60 s", "until collected"});
  form().add_choice({"queue.policy", "Policy", "Queue policy"},
                    {{"random", "random"}, {"round robin", "round-robin"}, {"least outstanding", "least-outstanding"}});
  form().keep_place("Queue policy");
  form().next_row();
  form().add_switch({"queue.responses", "Receiver responses", "Receiver responses"});
  form().add_switch({"queue.requests", "Receiver requests", "Receiver requests"});
  form().next_row();
  form().add_count({"queue.at_a_time", "Ask for", "Ask for at a time"}, 1, plan::kMaxAtATime);
  form().add_note(tr("messages at a time"));
}

// Beyond this computer workers must know where the queue is and what lets them in.
void QueuePanel::add_attach_fields() {
  more().next_row();
  more().add_text({"queue.listen", "Listen on", "Queue listen"}, plain_binding_of("queue.listen"), "HOST:PORT");
  more().widen();
  more().next_row();
  more().add_text({"queue.token_file", "Token file", "Queue token file"}, plain_binding_of("queue.token_file"),
                  "a new token for each run");
  more().widen();
}

void QueuePanel::add_bounds() {
  more().add_text({"queue.max_memory", "Memory limit", "Queue memory limit"}, "256 MiB");
  more().next_row();
  more().add_text({"queue.max_message", "Largest message", "Queue largest message"}, "1 MiB");
  more().next_row();
  more().add_count({"queue.tries", "Tries", "Queue tries"}, 1, plan::kMaxTries);
  more().next_row();
  more().add_count({"queue.response_window", "Response window", "Queue response window"}, 1, plan::kMaxResponseWindow);
  more().next_row();
  more().add_text({"queue.drain_timeout", "Drain timeout", "Queue drain timeout"}, "10 s");
  more().next_row();
  more().add_text({"queue.stall_timeout", "Stall timeout", "Queue stall timeout"}, "10 s");
  more().next_row();
  more().add_text({"join_timeout", "Join timeout", "Join timeout"}, "60 s");
  more().next_row();
  more().add_switch({"look.path", "Trace path first", "Trace path first"});
  more().next_row();
  more().add_switch({"look.bandwidth", "Measure bandwidth first", "Measure bandwidth first"});
  more().next_row();
  more().add_switch({"recorder.on", "Record hosts", "Record hosts"});
  more().next_row();
  more().add_text({"recorder.period", "Time between readings", "Time between readings"}, "1 s");
  more().next_row();
  more().add_text({"queue.seed", "Seed", "Queue seed"}, "1");
}

void QueuePanel::choose_mode(int index) {
  form().edit("queue.mode", tr("mode"),
              plan::to_text(index == 0 ? plan::Mode::broadcaster : plan::Mode::load_balancer));
}

void QueuePanel::show_plan(const plan::RunPlan& plan) {
  RolePanel::show_plan(plan);
  form().set_shown("Queue policy", plan.queue.mode == plan::Mode::load_balancer);
  form().set_shown("Ask for at a time", plan.queue.requests.on);
  requests_on_ = plan.queue.requests.on;
  request_->setVisible(requests_on_);
  no_filters_->setVisible(is_locked() && !requests_on_);
  request_->show_mode(plan.queue.mode);
  runs_->show_file(editor().file());
  limits_->show_plan(plan);
  const bool attached = !plan.senders.fleet.attach.empty() || !plan.receivers.fleet.attach.empty();
  if (attached && !attached_) set_more_open(true);
  attached_ = attached;
}

void QueuePanel::show_processes(std::vector<run::ProcessStatus> processes) {
  processes_title_->setVisible(!processes.empty());
  processes_->show_processes(std::move(processes));
}

std::vector<plan::PlanProblem> QueuePanel::troubles() const {
  auto troubles = RolePanel::troubles();
  if (const auto trouble = runs_->trouble()) troubles.push_back(*trouble);
  if (const auto trouble = limits_->trouble()) troubles.push_back(*trouble);
  return troubles;
}

void QueuePanel::set_locked(const QString& reason) {
  RolePanel::set_locked(reason);
  no_filters_->setVisible(is_locked() && !requests_on_);
  runs_->set_locked(reason);
  limits_->set_locked(reason);
}

}  // namespace n2nq::ui

#include "moc_queue_panel.cpp"
