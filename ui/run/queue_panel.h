// The column of the queue: how it passes messages on, for how long it keeps them, whether receivers confirm and ask,
// and the request they make. UI thread.
#pragma once

#include "ui/run/role_panel.h"

class QButtonGroup;
class QComboBox;

namespace n2nq::ui {

class FilterDraft;
class ProcessList;
class RequestBlock;
class RunsField;

class QueuePanel : public RolePanel {
  Q_OBJECT

 public:
  QueuePanel(plan::PlanEditor& editor, FilterDraft& filters, QSettings& settings, QWidget* parent = nullptr);

  void show_plan(const plan::RunPlan& plan) override;
  void offer_hosts(const hosts::HostList& list) override;
  std::vector<plan::PlanProblem> troubles() const override;
  void set_locked(const QString& reason) override;
  RequestBlock& request() { return *request_; }
  ProcessList& processes() { return *processes_; }

 private:
  void add_host();
  void add_mode();
  void add_rules();
  void add_attach_fields();
  void add_bounds();
  void choose_mode(int index);

  QComboBox* host_ = nullptr;
  QButtonGroup* modes_ = nullptr;
  RequestBlock* request_;
  RunsField* runs_;
  ProcessList* processes_;
  bool attached_ = false;
};

}  // namespace n2nq::ui
