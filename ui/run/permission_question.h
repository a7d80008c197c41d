// Asks before a plan reads files of this user and sends them away, unless that is allowed. UI thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/plan/permissions.h"

class QWidget;

namespace n2nq::ui {

struct PermissionQuestion {
  QWidget& area;                   // of which page or window the question is
  plan::Permissions& permissions;  // outlives the area
  bool opens = false;              // the plan is being opened, not started
};

// `then` at once where nothing is missing, or once it was allowed; never where it was not.
void ask_to_send(const PermissionQuestion& question, const std::vector<plan::Reach>& missing,
                 std::function<void()> then);
// What lacks a permission; what files and addresses the user has typed here, since the plan came, is allowed. `file`:
// of the plan.
std::vector<plan::Reach> not_typed(plan::Permissions& permissions, const std::string& file,
                                   const std::vector<plan::RunPlan>& runs, const std::vector<plan::RunPlan>& came);

}  // namespace n2nq::ui
