#include "ui/run/bus_fields.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <utility>

#include "app/plan/exact_text.h"
#include "ui/run/count_field.h"
#include "ui/run/plan_form.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/command_hints.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using Kind = bus::Setting::Kind;
constexpr const char* kBack = "Reset to the profile";

constexpr std::pair<bus::Setting::Group, const char*> kGroups[] = {{bus::Setting::Group::server, "Server"},
                                                                   {bus::Setting::Group::promises, "Promises"},
                                                                   {bus::Setting::Group::cluster, "Cluster"},
                                                                   {bus::Setting::Group::tuning, "Tuning"}};

bool is_of_tls(const bus::Setting& setting) {
  return setting.key == bus::kTlsCertificateKey || setting.key == bus::kTlsPrivateKey || setting.key == bus::kTlsCaKey;
}

// A server of the run needs no login, one of the user's own has its own companions; limits are of a container, and
// certificates of TLS. A setting that does not fit is there only if it is set, to be set back.
bool is_there(const bus::Setting& setting, const plan::RunPlan& plan) {
  const bus::Setting* of_bus = bus::find_setting(plan.bus.traits(), setting.key);
  if (of_bus == nullptr) return false;
  if (plan.bus.settings.contains(std::string(setting.key))) return true;
  if (std::ranges::find(bus::kContainerLimits, setting.key) != std::end(bus::kContainerLimits) &&
      plan.bus.setting(bus::kImageKey).empty())
    return false;
  if (is_of_tls(setting) && !plan.bus.encrypts_queue()) return false;
  return plan::fits_server(*of_bus, plan.bus);
}

}  // namespace

BusFields::BusFields(plan::PlanEditor& editor, PlanForm& form, QObject* parent)
    : QObject(parent), editor_(editor), form_(form) {
  connect(&editor_, &plan::PlanEditor::opened, this, [this] { choice_.forget(); });
}

void BusFields::add_choice() {
  box_ = new QComboBox;
  for (const bus::BusTraits& bus : bus::all_buses()) {
    box_->addItem(theme::qt(bus.title));
    box_->setItemData(box_->count() - 1, theme::qt(bus.what), Qt::ToolTipRole);
  }
  form_.add_own({"bus.kind", "Bus"}, box_, [this](const plan::RunPlan& plan) {
    const QSignalBlocker quiet(box_);
    box_->setCurrentIndex(static_cast<int>(&plan.bus.traits() - bus::all_buses().data()));
  });
  box_->setProperty(theme::kItemsByName, true);
  connect(box_, &QComboBox::activated, this, &BusFields::choose);
}

void BusFields::choose(int index) {
  choose_bus(std::string(bus::all_buses()[static_cast<size_t>(index)].kind));
}

void BusFields::choose_bus(const std::string& kind) {
  plan::RunPlan plan = editor_.plan();
  if (kind == plan.bus.kind) return;
  choice_.choose(plan, kind);
  editor_.edit("bus", [&plan](plan::PlanFile& file) { file.base = std::move(plan); });
}

QWidget& BusFields::choice_field() const {
  return *box_;
}

void BusFields::add_profile() {
  add_setting(*bus::find_setting(bus::kProfileKey));
  auto* back = new QPushButton(tr("Reset"));
  back->setAutoDefault(false);
  form_.add_own({.key = "bus.profile", .label = "", .own = kBack}, back, {});
  form_.show_when(kBack, [this](const plan::RunPlan& plan) { return !set_here(plan).empty(); });
  form_.next_row();
  connect(back, &QPushButton::clicked, this, &BusFields::leave_to_profile);
}

// All settings that the profile can choose are left to it.
void BusFields::leave_to_profile() {
  plan::RunPlan plan = editor_.plan();
  for (const bus::Setting& setting : plan.bus.traits().settings)
    if (setting.by_profile()) plan.bus.settings.erase(std::string(setting.key));
  editor_.edit("settings of the bus", [&plan](plan::PlanFile& file) { file.base = std::move(plan); });
}

BusFields::Field& BusFields::name(const bus::Setting& setting) {
  const std::string key = "bus." + std::string(setting.key);
  Field& field = fields_.emplace_back(Field{.setting = &setting, .key = key, .label = std::string(setting.title)});
  for (const std::string_view word : setting.words) field.words.emplace_back(word);
  return field;
}

void BusFields::add_settings() {
  for (const auto& [group, title] : kGroups) {
    form_.add_heading(tr(title));
    for (const bus::Setting* setting : bus::all_settings())
      if (setting->group == group && setting->key != bus::kProfileKey) add_setting(*setting);
  }
}

void BusFields::add_setting(const bus::Setting& setting) {
  const Field& field = name(setting);
  const PlanForm::Name shown{.key = field.key.c_str(), .label = field.label.c_str()};
  std::vector<PlanForm::Choice> choices;
  const auto add_wide = [&](const char* placeholder) {
    PlanLineEdit* edit = form_.add_text(shown, plain_binding_of(field.key), placeholder);
    form_.widen();
    return edit;
  };
  form_.next_row();
  switch (setting.kind) {
    case Kind::truth:
      form_.add_switch(shown);
      break;
    case Kind::word:
      for (const std::string& word : field.words) choices.push_back({.label = word.c_str(), .value = word.c_str()});
      form_.add_choice(shown, choices);
      break;
    case Kind::whole:
      form_.add_count(shown);
      break;
    case Kind::address:
      address_ = add_wide("");
      break;
    case Kind::image:
      add_wide("no container");
      break;
    case Kind::names:
      add_wide("where the queue is");
      break;
    case Kind::file:
      add_wide(setting.key == bus::kPasswordFileKey ? "none, or ask to type it at the start" : "none");
      break;
    case Kind::text:
      add_wide(setting.initial.empty() ? "none" : "");
      break;
    case Kind::kills:
      form_.add_text(shown, plain_binding_of(field.key), "none");
      break;
    default:
      form_.add_text(shown, std::string(setting.initial).c_str());
  }
  rest_hidden(field);
}

void BusFields::rest_hidden(const Field& field) {
  form_.rest_hidden(field.key);
  form_.show_when(field.key,
                  [&setting = *field.setting](const plan::RunPlan& plan) { return is_there(setting, plan); });
}

void BusFields::show_what_there_is(const plan::RunPlan& plan) {
  address_->setPlaceholderText(plan.bus.traits().meets_directly ? tr("none: no load balancer")
                                                                : tr("one is started for the run"));
  const auto in_force = plan::settings_in_force(plan.bus);
  for (const Field& field : fields_) {
    const std::string key(field.setting->key);
    const bus::Setting* of_bus = bus::find_setting(plan.bus.traits(), key);
    if (of_bus == nullptr) continue;
    const auto forced = in_force.find(key);
    form_.say_beside(field.key, forced != in_force.end() && forced->second != plan.bus.setting(key)
                                    ? tr("%1 in these runs").arg(theme::qt(plan::told(forced->second)))
                                    : theme::qt(bus::makers_name_of(*of_bus, plan.bus.traits())));
  }
  show_profile(plan);
}

QStringList BusFields::set_here(const plan::RunPlan& plan) const {
  QStringList titles;
  for (const Field& field : fields_) {
    const bus::Setting& setting = *field.setting;
    const bool has = bus::find_setting(plan.bus.traits(), setting.key) != nullptr;
    if (has && setting.by_profile() && plan.bus.settings.contains(std::string(setting.key)))
      titles << theme::qt(setting.title);
  }
  return titles;
}

// Which settings are as the profile says, and which are not for it to choose.
void BusFields::show_profile(const plan::RunPlan& plan) {
  for (const Field& field : fields_) {
    if (!field.setting->by_profile() || bus::find_setting(plan.bus.traits(), field.setting->key) == nullptr) continue;
    plan::RunPlan left = plan;
    left.bus.settings.erase(std::string(field.setting->key));
    const bool given = plan.bus.settings.contains(std::string(field.setting->key));
    const QString profile = binding_of(field.key).text(left);
    form_.mark(field.key, given);
    form_.set_help(field.key, help_of(field.key.c_str()) + '\n' +
                                  (given ? tr("Set here. The profile would set %1; empty the field to use that.")
                                         : tr("The profile sets %1."))
                                      .arg(profile));
  }
  form_.set_help(kBack, tr("Set here: %1. This leaves them to the profile again.").arg(set_here(plan).join(", ")));
}

}  // namespace n2nq::ui

#include "moc_bus_fields.cpp"
