// What the bus of a plan can do, and which of the plan's settings it has no place for: what it does not have is
// refused, so that nobody believes it was in force. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>

#include "app/plan/plan_fields.h"
#include "app/plan/run_plan.h"

namespace n2nq::plan {

bool has_mode(const bus::BusTraits& bus, Mode mode);
// "HTTP/1.1 has no broadcaster; choose another mode, or another bus".
std::string lacks_mode_text(const bus::BusTraits& bus, Mode mode);

// Why the plan's bus cannot do what this field says, and what to do; nothing: it can, or nobody looks at the field.
std::optional<std::string> misfit(const PlanField& field, const RunPlan& plan);

}  // namespace n2nq::plan
