#include "ui/run/bus_fields.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <utility>

#include "ui/run/count_field.h"
#include "ui/run/plan_form.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using Kind = bus::Setting::Kind;
constexpr const char* kBack = "Reset to the profile";

// Logins, certificates and the like, which few need.
bool is_for_more(const bus::Setting& setting) {
  const bool of_tls = setting.key == bus::kTlsKey;  // beside its certificates
  return of_tls || setting.kind == Kind::file || setting.kind == Kind::text || setting.kind == Kind::names;
}

}  // namespace

BusFields::BusFields(plan::PlanEditor& editor, PlanForm& form, PlanForm& more, QObject* parent)
    : QObject(parent), editor_(editor), form_(form), more_(more) {
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

BusFields::Field& BusFields::name(const bus::Setting& setting, PlanForm& form) {
  const std::string key = "bus." + std::string(setting.key);
  Field& field =
      fields_.emplace_back(Field{.setting = &setting, .key = key, .label = std::string(setting.title), .form = &form});
  for (const std::string_view word : setting.words) field.words.emplace_back(word);
  return field;
}

void BusFields::add_settings() {
  form_.next_row();
  for (const bus::Setting* setting : bus::all_settings())
    if (!is_for_more(*setting) && setting->key != bus::kProfileKey) add_setting(*setting);
}

void BusFields::add_setting(const bus::Setting& setting) {
  const Field& field = name(setting, form_);
  const PlanForm::Name shown{.key = field.key.c_str(), .label = field.label.c_str()};
  std::vector<PlanForm::Choice> choices;
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
      form_.next_row();
      address_ = form_.add_text(shown, plain_binding_of(field.key), "");
      form_.widen();
      form_.next_row();
      break;
    case Kind::image:
      form_.next_row();
      form_.add_text(shown, plain_binding_of(field.key), "no container");
      form_.widen();
      form_.next_row();
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
  field.form->rest_hidden(field.key);
  field.form->show_when(field.key, [&setting = *field.setting](const plan::RunPlan& plan) {
    return bus::find_setting(plan.bus.traits(), setting.key) != nullptr;
  });
}

void BusFields::add_rare() {
  for (const bus::Setting* setting : bus::all_settings()) {
    if (!is_for_more(*setting)) continue;
    const Field& field = name(*setting, more_);
    more_.next_row();
    if (setting->kind == Kind::truth) {
      more_.add_switch({.key = field.key.c_str(), .label = field.label.c_str()});
      rest_hidden(field);
      continue;
    }
    more_.add_text({.key = field.key.c_str(), .label = field.label.c_str()}, plain_binding_of(field.key),
                   setting->kind == Kind::names ? "where the queue is"
                   : setting->initial.empty()   ? "none"
                                                : "");
    more_.widen();
    rest_hidden(field);
  }
}

void BusFields::show_what_there_is(const plan::RunPlan& plan) {
  std::vector<std::string> of_form;
  for (const Field& field : fields_)
    if (field.form == &form_ && field.setting->key != bus::kProfileKey) of_form.push_back(field.key);
  if (std::exchange(shown_of_, &plan.bus.traits()) != &plan.bus.traits()) form_.close_up(of_form);
  address_->setPlaceholderText(plan.bus.traits().meets_directly ? tr("none: no load balancer")
                                                                : tr("one is started for the run"));
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
    field.form->mark(field.key, given);
    field.form->set_help(field.key, help_of(field.key.c_str()) + '\n' +
                                        (given ? tr("Set here. The profile would set %1; empty the field to use that.")
                                               : tr("The profile sets %1."))
                                            .arg(profile));
  }
  form_.set_help(kBack, tr("Set here: %1. This leaves them to the profile again.").arg(set_here(plan).join(", ")));
}

}  // namespace n2nq::ui

#include "moc_bus_fields.cpp"
