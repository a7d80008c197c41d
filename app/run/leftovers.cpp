#include "app/run/leftovers.h"

namespace n2nq::run {

void Leftovers::ended(const Worker& worker, bool joined) {
  const Role role = worker.identity().role;
  if (role == Role::broker || !joined) return;
  lost_last_ = !worker.ended_well();
  lost_receiver_ |= lost_last_ && role == Role::receiver;
}

std::optional<std::string> Leftovers::text(const plan::RunPlan& plan, const std::string& run_id) const {
  const plan::BusPlan& bus = plan.bus;
  const bool each_clears = bus::each_clears(bus.traits(), bus.settings, !plan::balances(plan.queue));
  const bool lost = each_clears ? lost_receiver_ : lost_last_;
  const std::string left = bus::left_behind(bus.traits(), bus.settings, run_id);
  if (!lost || left.empty()) return std::nullopt;
  return "what the run made at " + bus.attached_server() + " may still be there: " + left;
}

}  // namespace n2nq::run
