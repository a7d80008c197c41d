// What stands in the way of a start: said by the card of its field, and in one line. UI thread.
#pragma once

#include <QObject>
#include <vector>

#include "app/hosts/host_list.h"
#include "app/plan/plan_editor.h"

namespace n2nq::ui {

class RolePanel;

class StartCheck : public QObject {
  Q_OBJECT

 public:
  StartCheck(const plan::PlanEditor& editor, std::vector<RolePanel*> panels, QObject* parent = nullptr);

  void set_hosts(const hosts::HostList& list) { hosts_ = list; }  // look() follows
  void set_locked(const QString& reason);                         // why none is possible, whatever the plan
  void look();

  const QString& blocked() const { return blocked_; }  // why no run can be started; empty: one can
  bool locked() const { return !locked_.isEmpty(); }

 Q_SIGNALS:
  void looked();

 private:
  QString first_reason(const std::vector<plan::PlanProblem>& problems) const;
  QString wrong_run() const;  // of several, each of which differs from the plan in something
  QString name_of(const plan::PlanProblem& problem) const;
  QString said(const plan::PlanProblem& problem) const;

  const plan::PlanEditor& editor_;
  std::vector<RolePanel*> panels_;
  hosts::HostList hosts_;
  QString locked_;
  QString blocked_;
};

}  // namespace n2nq::ui
