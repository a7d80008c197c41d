// The search for the slowest message of a run: in which logs, and why there are none. UI thread.
#pragma once

#include <functional>

#include "app/figures/moment.h"
#include "app/logs/slowest_search.h"
#include "app/plan/run_plan.h"

namespace n2nq::ui {

struct LogSource {
  std::function<std::string(uint32_t receiver)> path{};   // empty: not on this computer
  std::function<std::string(uint32_t receiver)> title{};  // "receiver 7"
};
logs::SlowestWish slowest_wish(const plan::RunPlan& plan, size_t receivers, const LogSource& source);
// What a figure shows at that second; nothing: it shows no moment.
std::optional<logs::SlowestAim> aim_at(const figures::Figure& figure, double second);

}  // namespace n2nq::ui
