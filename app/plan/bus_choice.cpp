#include "app/plan/bus_choice.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "app/plan/bus_fit.h"
#include "app/plan/plan_fields.h"
#include "broker/base/assert.h"

namespace n2nq::plan {
namespace {

void put(RunPlan& plan, const PlanField& field, const std::string& value) {
  const auto set = field.set(plan, nlohmann::json(value));
  N2NQ_ASSERT(set);  // it was in a plan before, or is in every new one
}

// In place of what the bus has not: what a new plan has, of modes the first one that there is.
std::string substitute(const PlanField& field, const RunPlan& plan) {
  if (field.key != "queue.mode") return text_of(field, RunPlan());
  for (const Mode mode : {Mode::broadcaster, Mode::load_balancer, Mode::request_reply})
    if (has_mode(plan.bus.traits(), mode)) return to_text(mode);
  return text_of(field, plan);
}

}  // namespace

void BusChoice::choose(RunPlan& plan, const std::string& kind) {
  // Whatever else was chosen meanwhile stays.
  for (const auto& [key, aside] : std::exchange(aside_, {})) {
    const PlanField& field = *find_field(key);
    if (text_of(field, plan) == aside.instead) put(plan, field, aside.value);
  }
  plan.bus.kind = kind;
  for (const PlanField& field : plan_fields()) {
    if (!misfit(field, plan)) continue;
    const Aside aside{.value = text_of(field, plan), .instead = substitute(field, plan)};
    aside_.emplace(field.key, aside);
    put(plan, field, aside.instead);
  }
}

}  // namespace n2nq::plan
