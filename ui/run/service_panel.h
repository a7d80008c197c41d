// The column of the senders or of the receivers: where they run and how many, what they send, all of them together, and
// each by itself. UI thread.
#pragma once

#include "ui/run/role_panel.h"

class QComboBox;

namespace n2nq::run {

class ServicePanel : public RolePanel {
  Q_OBJECT

 public:
  ServicePanel(Role role, plan::PlanEditor& editor, QSettings& settings, QWidget* parent = nullptr);

  void show_plan(const plan::RunPlan& plan) override;
  void add_content(QWidget* aggregates, QWidget* table);

 private:
  struct Names;  // of the fields of this role
  const plan::Fleet& fleet(const plan::RunPlan& plan) const;
  void add_source(const Names& names);
  void add_sender_fields();
  void add_fleet_fields(const Names& names);
  void choose_source(bool attached);
  void choose_limit(bool by_time);

  const Names& names_;
  QComboBox* source_ = nullptr;
  QComboBox* limit_ = nullptr;
  bool attaching_ = false;  // an attached worker was chosen, its address is still to come
};

}  // namespace n2nq::run
