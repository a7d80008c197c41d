// What all senders and all receivers of a run add up to, pulled from its session at each look. UI thread.
#pragma once

#include "app/run/run_session.h"
#include "ui/services/role_aggregates.h"

namespace n2nq::ui {

Over over_of(const run::RunSession& session);  // after the run, what it was as a whole

class RunTotals {
 public:
  explicit RunTotals(QWidget* parent);

  RoleAggregates* senders() { return senders_; }
  RoleAggregates* receivers() { return receivers_; }
  void look_at(const run::RunSession& session);

 private:
  RoleAggregates* senders_;
  RoleAggregates* receivers_;
};

}  // namespace n2nq::ui
