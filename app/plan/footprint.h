// What a run leaves on the disk of the bench, by its plan alone: estimates, and rather too high. Pure; any thread.
#pragma once

#include <optional>

#include "app/plan/run_plan.h"

namespace n2nq::plan {

// That all senders send at most; nothing where they go by time as fast as the bus takes them.
std::optional<double> most_messages(const RunPlan& plan);
// In the logs, for a message and its deliveries.
double bytes_per_message(const RunPlan& plan);
// Of logs, master file and result; without messages what comes with any run of this plan.
double most_bytes(const RunPlan& plan, std::optional<double> messages);

}  // namespace n2nq::plan
