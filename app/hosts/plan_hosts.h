// The hosts that a plan file names, in all of its runs, and others in their place. Pure; any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/hosts/host_list.h"
#include "app/plan/plan_file.h"

namespace n2nq::hosts {

// Those that are not in the list, each once, in the order of the plan.
std::vector<std::string> unknown_hosts(const plan::PlanFile& file, const HostList& list);
// `places`: by name, another name, or empty for this computer. A role that would have a host twice has it once.
void replace_hosts(plan::PlanFile& file, const std::map<std::string, std::string>& places);
bool clocks_differ(const plan::RunPlan& plan);  // senders and receivers on one computer have one clock

}  // namespace n2nq::hosts
