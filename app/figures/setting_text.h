// How people read a setting of a plan: its name as the forms of the window have it, its value as they would write it.
// Any thread.
#pragma once

#include <string>
#include <string_view>

#include "app/plan/plan_fields.h"

namespace n2nq::figures {

std::string setting_name(std::string_view key);  // "Senders delay"
// With the names of settings in place of their keys: "correct Bus user", "(Bus idempotence off)".
std::string with_names(std::string_view text);
std::string setting_value(const plan::PlanField& field, const plan::RunPlan& plan);  // "20 ms", "on", "6,000", "-"

}  // namespace n2nq::figures
