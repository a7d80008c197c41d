// The column of the senders or of the receivers: where they run and how many, what they send, all of them together, and
// each by itself. UI thread.
#pragma once

#include "ui/run/role_panel.h"

class QComboBox;

namespace n2nq::ui {

class RoleAggregates;
class ServiceTable;
class TotalsFold;

class ServicePanel : public RolePanel {
  Q_OBJECT

 public:
  ServicePanel(Role role, plan::PlanEditor& editor, QSettings& settings, QWidget* parent = nullptr);

  void show_plan(const plan::RunPlan& plan) override;
  void offer_hosts(const hosts::HostList& list) override;
  void add_content(RoleAggregates& totals, ServiceTable& table);
  void show_figures(bool shown) override;

 private:
  struct Names;  // of the fields of this role
  const plan::Fleet& fleet(const plan::RunPlan& plan) const;
  void add_source(const Names& names);
  void add_sender_fields();
  void add_phase();
  void add_fleet_fields(const Names& names);
  plan::Fleet& fleet(plan::RunPlan& plan) const;
  PlanBinding source_binding();
  void offer_sources();
  void on_source();
  void choose_limit(bool by_time);

  const Names& names_;
  QComboBox* source_ = nullptr;
  QComboBox* limit_ = nullptr;
  hosts::HostList hosts_;
  ServiceTable* table_ = nullptr;
  TotalsFold* totals_ = nullptr;
  bool attaching_ = false;  // an attached worker was chosen, its address is still to come
};

}  // namespace n2nq::ui
