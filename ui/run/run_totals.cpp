#include "ui/run/run_totals.h"

#include "app/hosts/plan_hosts.h"

namespace n2nq::ui {

Over over_of(const run::RunSession& session) {
  return session.state() == run::State::over ? Over::whole_run : Over::last_look;
}

RunTotals::RunTotals(QWidget* parent)
    : senders_(new RoleAggregates(Role::sender, parent)), receivers_(new RoleAggregates(Role::receiver, parent)) {}

void RunTotals::look_at(const run::RunSession& session) {
  const Over over = over_of(session);
  for (auto* totals : {senders_, receivers_}) {
    totals->set_over(over);
    totals->set_told(told_figures(session.plan()));
  }
  receivers_->set_clocks_differ(hosts::clocks_differ(session.plan()));
  const auto run = session.view();
  senders_->show_figures(session.all_of(Role::sender));
  const bool intended = run->intended() && !plan::asks_for_replies(run->plan());
  receivers_->set_intended(intended);
  receivers_->show_figures(session.all_of(Role::receiver), run->summary(record::first_latency(false, intended)),
                           run->clocks().bound_ns);
}

}  // namespace n2nq::ui
