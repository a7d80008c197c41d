// The plan in force as one line for a shell, which runs it without a window. Pure; any thread.
#pragma once

#include <string>

#include "app/plan/plan_editor.h"

namespace n2nq::ui {

// Changes that are not in the plan's file follow as --set. The error says what to do where one line cannot say it.
Result<std::string> shell_command(const plan::PlanEditor& editor);

}  // namespace n2nq::ui
