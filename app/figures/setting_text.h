// How people read a setting of a plan: its name as the forms of the window have it, its value as they would write it.
// Any thread.
#pragma once

#include <string>
#include <string_view>

#include "app/plan/plan_fields.h"

namespace n2nq::figures {

std::string setting_name(std::string_view key);                                      // "Senders delay"
std::string setting_value(const plan::PlanField& field, const plan::RunPlan& plan);  // "20 ms", "on", "6,000", "-"

}  // namespace n2nq::figures
