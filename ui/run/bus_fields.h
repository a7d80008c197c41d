// The bus of the plan as fields of the queue's card: which one, and its settings, made from the table of buses. What
// another bus lacks is set aside, and comes back, half-typed or not, with a bus that has it. UI thread.
#pragma once

#include <QObject>
#include <deque>
#include <string>
#include <vector>

#include "app/plan/bus_fit.h"
#include "app/plan/plan_editor.h"
#include "ui/run/plan_form.h"

class QComboBox;

namespace n2nq::ui {

class BusFields : public QObject {
  Q_OBJECT

 public:
  BusFields(plan::PlanEditor& editor, PlanForm& form, QObject* parent);

  // Each at the place that the form is at.
  void add_choice();
  void add_profile();
  void add_settings();  // by what they decide

  // `kind`: as if it had been chosen in the field.
  void choose_bus(const std::string& kind);
  QWidget& choice_field() const;

  // What there is with this plan's bus, once the forms show it.
  void show_what_there_is(const plan::RunPlan& plan);

 private:
  struct Field {
    const bus::Setting* setting = nullptr;
    std::string key{}, label{};
    std::vector<std::string> words{};
  };
  Field& name(const bus::Setting& setting);
  void add_setting(const bus::Setting& setting);
  void rest_hidden(const Field& field);
  QStringList set_here(const plan::RunPlan& plan) const;  // by their titles, in place of what the profile says
  void choose(int index);
  void show_profile(const plan::RunPlan& plan);
  void leave_to_profile();

  plan::PlanEditor& editor_;
  PlanForm& form_;
  QComboBox* box_ = nullptr;
  PlanLineEdit* address_ = nullptr;
  std::deque<Field> fields_;  // whose texts the forms refer to
  plan::BusChoice choice_;
};

}  // namespace n2nq::ui
