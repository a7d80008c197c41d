// A plan's filters as commands for one process of receivers. Pure; any thread.
#pragma once

#include <vector>

#include "app/plan/run_plan.h"
#include "app/run/worker_arguments.h"
#include "workers/control/commands.h"

namespace n2nq::run {

// What these receivers ask for from now on: those that no rule names want everything. Each is named once, others not at
// all, and every command is one that a worker takes.
std::vector<control::RequestCommand> request_commands(const std::vector<plan::ReceiverFilter>& filters,
                                                      const Share& share);

}  // namespace n2nq::run
