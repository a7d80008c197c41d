#include "ui/run/start_check.h"

#include "app/figures/setting_text.h"
#include "app/run/run_sequence.h"
#include "ui/run/role_panel.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

StartCheck::StartCheck(const plan::PlanEditor& editor, std::vector<RolePanel*> panels, QObject* parent)
    : QObject(parent), editor_(editor), panels_(std::move(panels)) {
  for (const RolePanel* panel : panels_) connect(panel, &RolePanel::troubles_changed, this, &StartCheck::look);
}

void StartCheck::set_locked(const QString& reason) {
  if (reason == locked_) return;
  locked_ = reason;
  look();
}

void StartCheck::look() {
  const auto problems = run::problems_of(editor_.plan(), hosts_);
  for (RolePanel* panel : panels_) panel->show_problems(problems);
  blocked_ = first_reason(problems);
  Q_EMIT looked();
}

QString StartCheck::first_reason(const std::vector<plan::PlanProblem>& problems) const {
  if (locked()) return locked_;
  for (const RolePanel* panel : panels_)
    if (const auto troubles = panel->troubles(); !troubles.empty()) return said(troubles.front());
  if (!problems.empty()) return said(problems.front());
  const auto runs = plan::runs_of(editor_.file());
  if (!runs) return theme::qt(figures::with_names(runs.error().text));
  if (const auto wrong = run::first_problem(*runs, hosts_))
    return tr("run %1: %2").arg(wrong->run).arg(said(wrong->problem));
  return {};
}

QString StartCheck::said(const plan::PlanProblem& problem) const {
  QString name = QString::fromStdString(problem.key);
  for (const RolePanel* panel : panels_)
    if (const QString known = panel->name_of(problem.key); !known.isEmpty()) name = known;
  return name + ": " + theme::qt(figures::with_names(problem.text));
}

}  // namespace n2nq::ui

#include "moc_start_check.cpp"
