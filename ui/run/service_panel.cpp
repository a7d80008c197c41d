#include "ui/run/service_panel.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>

#include "app/plan/plan_fields.h"
#include "ui/run/hosts_field.h"
#include "ui/run/totals_fold.h"
#include "ui/services/role_aggregates.h"
#include "ui/services/service_table.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int64_t kUsualDurationNs = 10'000'000'000;
constexpr const char* kAttached = "by address";

// An attached worker has an address: which source it is, is chosen above.
PlanBinding address_binding(const std::string& key) {
  PlanBinding binding = plain_binding_of(key);
  binding.set = [plain = binding.set](plan::RunPlan& plan, const QString& text) -> Result<void> {
    if (text.trimmed().isEmpty()) return fail("enter the HOST:PORT on which the worker listens (its --control)");
    return plain(plan, text);
  };
  return binding;
}

}  // namespace

struct ServicePanel::Names {
  PlanForm::Name source, address, amount, processes, loops, cpus, memory, ports;

  static const Names& of(Role role) {
    static const Names senders{.source = {"senders.hosts", "Source"},
                               .address = {"senders.attach", "Address"},
                               .amount = {"senders.count", "Amount"},
                               .processes = {"senders.processes", "Processes"},
                               .loops = {"senders.loops", "Loops"},
                               .cpus = {"senders.cpus", "Processors"},
                               .memory = {"senders.memory", "Memory"},
                               .ports = {"senders.source_ports", "Source ports"}};
    static const Names receivers{.source = {"receivers.hosts", "Source"},
                                 .address = {"receivers.attach", "Address"},
                                 .amount = {"receivers.count", "Amount"},
                                 .processes = {"receivers.processes", "Processes"},
                                 .loops = {"receivers.loops", "Loops"},
                                 .cpus = {"receivers.cpus", "Processors"},
                                 .memory = {"receivers.memory", "Memory"},
                                 .ports = {"receivers.source_ports", "Source ports"}};
    return role == Role::sender ? senders : receivers;
  }
};

ServicePanel::ServicePanel(Role role, plan::PlanEditor& editor, QSettings& settings, QWidget* parent)
    : RolePanel(role, editor, settings, parent), names_(Names::of(role)) {
  add_source(names_);
  if (role == Role::sender) {
    add_sender_fields();
  } else {
    form().next_row();
    form().add_choice({"log", "Log"}, {{"every message", "full"}, {"summary", "summary"}, {"off", "off"}});
    form().add_suggestions({"receivers.service_time", "Service"}, service_time_binding(),
                           {"none", "fixed 5 ms", "exponential 5 ms", "busy 5 ms"});
    form().next_row();
    form().add_text({"receivers.reply_size", "Reply size"}, "50 B");
    form().widen();
  }
  add_fleet_fields(names_);
}

void ServicePanel::add_source(const Names& names) {
  source_ = form().add_suggestions(names.source, source_binding(), {hosts::kThisComputer});
  connect(source_, &QComboBox::textActivated, this, [this] {
    on_source();
    source_->setEditText(source_binding().text(editor().plan()));  // what "internal" is now
  });
  connect(source_->lineEdit(), &QLineEdit::editingFinished, this, &ServicePanel::on_source);
  form().set_help(names.source.key, tr("Where the %1 run: this computer, internal (with the queue), hosts from the "
                                       "Hosts page such as vm2, vm3, or a worker started by hand.")
                                        .arg(role_word(role())));
  form().add_count(names.amount);
  form().next_row();
  form().add_text(names.address, address_binding(names.address.key), "HOST:PORT");
  form().show_when(names.address.key,
                   [this](const plan::RunPlan& plan) { return attaching_ || !fleet(plan).attach.empty(); });
  form().widen();
  offer_sources();
}

PlanBinding ServicePanel::source_binding() {
  return {.key = names_.source.key,
          .text =
              [this](const plan::RunPlan& plan) {
                const plan::Fleet& now = fleet(plan);
                return attaching_ || !now.attach.empty() ? tr(kAttached) : text_of_hosts(now.hosts);
              },
          .set = [this](plan::RunPlan& plan, const QString& text) -> Result<void> {
            plan::Fleet& now = fleet(plan);
            const bool attached = text.trimmed().compare(tr(kAttached), Qt::CaseInsensitive) == 0;
            attaching_ = attached && now.attach.empty();
            if (attached) {
              now.hosts.clear();
              return {};
            }
            auto set = set_hosts(plan, names_.source.key, now, text);
            if (set) now.attach.clear();
            return set;
          }};
}

void ServicePanel::offer_hosts(const hosts::HostList& list) {
  hosts_ = list;
  offer_sources();
}

void ServicePanel::offer_sources() {
  QStringList choices{QString::fromUtf8(hosts::kThisComputer)};
  if (!hosts_.hosts.empty()) choices += QString::fromUtf8(kInternal);
  choices += fleet_choices(hosts_, fleet(editor().plan()).hosts);
  // Workers that were started by hand keep to their bus.
  if (editor().plan().bus.traits().own_queue || !fleet(editor().plan()).attach.empty()) choices += tr(kAttached);
  offer(*source_, choices);
}

// The plan has what was chosen already; what it means shows.
void ServicePanel::on_source() {
  const bool was_asked = form().is_shown(names_.address.key);
  show_plan(editor().plan());
  if (attaching_ && !was_asked) form().ask_for(names_.address.key);
  Q_EMIT troubles_changed();
}

void ServicePanel::add_sender_fields() {
  limit_ = new QComboBox;
  limit_->addItems({tr("messages"), tr("for a duration")});
  form().add_own({"senders.messages", "Send", "Senders send"}, limit_, [this](const plan::RunPlan& plan) {
    const QSignalBlocker quiet(limit_);
    limit_->setCurrentIndex(plan.senders.duration_ns != 0 ? 1 : 0);
  });
  connect(limit_, &QComboBox::activated, this, [this](int index) { choose_limit(index == 1); });
  form().set_help("Senders send", tr("Whether senders stop after a number of messages or after a duration."));
  // A load shape says how much, how long and how often.
  form().add_count({"senders.messages", "Messages"});
  form().show_when("senders.messages", [](const plan::RunPlan& plan) {
    return !plan.senders.shape.exists() && plan.senders.duration_ns == 0;
  });
  form().share_cell();
  form().add_text({"senders.duration", "Duration"}, "10 s");
  form().show_when("senders.duration", [](const plan::RunPlan& plan) {
    return !plan.senders.shape.exists() && plan.senders.duration_ns != 0;
  });
  form().next_row();
  form().add_range({"senders.size", "Size", "Senders smallest size"}, smallest_size_binding(),
                   {"senders.size", "\u2026", "Senders largest size"}, largest_size_binding());
  form().widen();
  form().next_row();
  form().add_text({"senders.delay", "Delay"}, "20 ms");
  add_phase();
  form().next_row();
  form().add_suggestions(
      {"senders.shape", "Load"}, binding_of("senders.shape"),
      {"constant", "ramp 100/s..1000/s over 30 s", "steps 100/s..1000/s in 10 over 30 s",
       "spike 100/s..1000/s at 10 s for 1 s over 30 s", "burst 100/s..1000/s every 5 s for 1 s over 30 s"});
  form().show_when("senders.shape", [](const plan::RunPlan& plan) {
    return plan::closed_loop(plan) == 0 || plan.senders.shape.exists();
  });
  form().widen();
  form().next_row();
  form().add_text({"senders.seed", "Seed"}, "1");
  form().add_text({"warmup", "Warm-up"}, "0 s");
  form().next_row();
  form().add_text({"senders.timeout", "Timeout"}, "5 s");
  form().add_count({"senders.outstanding", "Outstanding"});
}

// With Poisson pacing there are no phases: one list has both.
void ServicePanel::add_phase() {
  static constexpr const char* kPoisson = "poisson";
  auto* box = new QComboBox;
  const std::pair<QString, QString> choices[] = {
      {tr("even"), "even"}, {tr("together"), "together"}, {tr("random"), "random"}, {tr("Poisson"), kPoisson}};
  for (const auto& [label, value] : choices) box->addItem(label, value);
  form().add_own({"senders.phase", "Phase"}, box, [box](const plan::RunPlan& plan) {
    const QSignalBlocker quiet(box);
    const bool poisson = plan.senders.pacing == plan::Pacing::poisson;
    box->setCurrentIndex(
        box->findData(poisson ? QString(kPoisson) : QString::fromStdString(plan::to_text(plan.senders.phase))));
  });
  form().show_when("senders.phase", [](const plan::RunPlan& plan) {
    return plan::closed_loop(plan) == 0 || plan.senders.pacing == plan::Pacing::poisson;
  });
  form().set_help("senders.phase", tr("How the senders are staggered within the delay; or Poisson: exponentially "
                                      "distributed delays, as from independent users."));
  connect(box, &QComboBox::activated, this, [this, box] {
    const std::string chosen = box->currentData().toString().toStdString();
    plan::RunPlan plan = editor().plan();
    const bool poisson = chosen == kPoisson;
    plan.senders.pacing = poisson ? plan::Pacing::poisson : plan::Pacing::fixed;
    if (auto set = plan::set_field(plan, "senders.phase=" + (poisson ? plan::to_text(plan.senders.phase) : chosen));
        !set)
      qFatal("%s", set.error().text.c_str());
    if (plan == editor().plan()) return;
    editor().edit("phase", [&plan](plan::PlanFile& file) { file.base = std::move(plan); });
  });
}

void ServicePanel::add_fleet_fields(const Names& names) {
  more().add_count(names.processes);
  more().add_count(names.loops);
  more().next_row();
  more().add_text(names.cpus, "none");
  more().add_text(names.memory, "none");
  more().next_row();
  more().add_text(names.ports, "any");
  if (role() != Role::sender) {
    more().next_row();
    more().add_text({"receivers.seed", "Seed"}, "1");
    more().add_text({"receivers.pause", "Pause"}, "2 s to 5 s");
    more().next_row();
    more().add_suggestions({"receivers.shared_limit", "Shared limit"}, binding_of("receivers.shared_limit"),
                           {"none", "pool:4", "rate:200/s"});
    more().next_row();
    more().add_text({"receivers.away", "Away"}, "2-4: 0 s to 5 s");
    more().widen();
    more().next_row();
    more().add_suggestions({"receivers.scaling", "Scaling"}, binding_of("receivers.scaling"),
                           {"none", "from 1 above 1000 below 10 every 2s"});
    more().widen();
    return;
  }
  more().next_row();
  more().add_suggestions({"senders.payload", "Content"}, binding_of("senders.payload"),
                         {"random", "repeated", "text 30%"});
}

const plan::Fleet& ServicePanel::fleet(const plan::RunPlan& plan) const {
  return plan::fleet_of(plan, role());
}

plan::Fleet& ServicePanel::fleet(plan::RunPlan& plan) const {
  return role() == Role::sender ? plan.senders.fleet : plan.receivers.fleet;
}

void ServicePanel::show_plan(const plan::RunPlan& plan) {
  const bool attached = !fleet(plan).attach.empty();
  if (attached) attaching_ = false;
  RolePanel::show_plan(plan);
  offer_sources();
}

void ServicePanel::choose_limit(bool by_time) {
  const auto planned = plan::planned_duration_ns(editor().plan());
  const int64_t duration_ns = planned.value_or(0) > 0 ? *planned : kUsualDurationNs;
  form().edit("senders.duration", tr("send"), by_time ? std::to_string(duration_ns) + "ns" : "0s");
}

void ServicePanel::add_content(RoleAggregates& totals, ServiceTable& table) {
  content().addWidget(&totals);
  content().addWidget(&table, 1);
  table_ = &table;
  totals_ = new TotalsFold(role(), {.totals = totals, .table = table}, *content().parentWidget(), settings());
}

void ServicePanel::show_figures(bool shown) {
  table_->setVisible(shown);
  totals_->set_shown(shown);
}

}  // namespace n2nq::ui

#include "moc_service_panel.cpp"
