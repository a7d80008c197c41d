// The card of the queue: how it passes messages on, for how long it keeps them, whether receivers confirm and ask; in a
// run the messages as they flow, the request that the receivers make, and the processes. UI thread.
#pragma once

#include <array>

#include "ui/run/role_panel.h"

class QButtonGroup;
class QComboBox;

namespace n2nq::ui {

class BusFields;
class FilterDraft;
class ProcessChips;
class QueueFlow;
class RequestBlock;
class LimitsField;
class PlanLine;
class RunsField;

class QueuePanel : public RolePanel {
  Q_OBJECT

 public:
  QueuePanel(plan::PlanEditor& editor, FilterDraft& filters, QSettings& settings, QWidget* parent = nullptr);

  void show_plan(const plan::RunPlan& plan) override;
  void offer_hosts(const hosts::HostList& list) override;
  std::vector<plan::PlanProblem> troubles() const override;
  void show_problems(const std::vector<plan::PlanProblem>& problems) override;
  QString name_of(const std::string& key) const override;
  void set_locked(const QString& reason) override;
  void choose_bus(const std::string& kind);
  QWidget& bus_field() const;
  LimitsField& limits() { return *limits_; }
  RequestBlock& request() { return *request_; }
  ProcessChips& processes() { return *processes_; }
  QueueFlow& flow() { return *flow_; }
  void show_processes(std::vector<run::ProcessStatus> processes);

 private:
  void add_bus();
  void add_host();
  void add_mode();
  void add_rules();
  void add_attach_fields();
  void add_bounds();
  void choose_mode(int index);
  void show_what_there_is(const plan::RunPlan& plan);
  void show_modes(const bus::BusTraits& bus);
  QStringList wrong() const override;
  std::array<PlanLine*, 2> lines() const;

  BusFields* bus_ = nullptr;
  theme::Label* bus_text_;  // of another bus than our own: what it is
  QComboBox* host_ = nullptr;
  QButtonGroup* modes_ = nullptr;
  RequestBlock* request_;
  RunsField* runs_;
  LimitsField* limits_;
  QueueFlow* flow_;
  theme::Label* no_filters_;  // in a run without requests
  theme::Label* processes_title_;
  ProcessChips* processes_;
  bool attached_ = false;
  bool requests_on_ = false;
  bool may_request_ = true;
};

}  // namespace n2nq::ui
