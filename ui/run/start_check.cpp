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
  auto problems = run::problems_of(editor_.plan(), hosts_);
  const QString of_runs = problems.empty() && !locked() ? wrong_run() : QString();
  blocked_ = first_reason(problems);
  if (blocked_.isEmpty()) blocked_ = of_runs;
  if (!of_runs.isEmpty()) problems.push_back({.key = "runs", .text = of_runs.toStdString()});
  for (RolePanel* panel : panels_) panel->show_problems(problems);
  Q_EMIT looked();
}

QString StartCheck::first_reason(const std::vector<plan::PlanProblem>& problems) const {
  if (locked()) return locked_;
  // Of what is typed, which may be keys.
  for (const RolePanel* panel : panels_)
    if (const auto troubles = panel->troubles(); !troubles.empty())
      return name_of(troubles.front()) + ": " + theme::qt(troubles.front().text);
  return problems.empty() ? QString() : said(problems.front());
}

QString StartCheck::wrong_run() const {
  std::vector<plan::RunPlan> runs;
  for (const plan::Overrides& run : editor_.file().runs) {
    auto made = plan::run_of(editor_.file().base, run);
    if (!made) return tr("run %1: %2").arg(runs.size() + 1).arg(theme::qt(figures::with_names(made.error().text)));
    runs.push_back(std::move(*made));
  }
  if (const auto wrong = run::first_problem(runs, hosts_))
    return tr("run %1: %2").arg(wrong->run).arg(said(wrong->problem));
  return {};
}

QString StartCheck::name_of(const plan::PlanProblem& problem) const {
  QString name = QString::fromStdString(problem.key);
  for (const RolePanel* panel : panels_)
    if (const QString known = panel->name_of(problem.key); !known.isEmpty()) name = known;
  return name;
}

QString StartCheck::said(const plan::PlanProblem& problem) const {
  return name_of(problem) + ": " + theme::qt(figures::with_names(problem.text));
}

}  // namespace n2nq::ui

#include "moc_start_check.cpp"
