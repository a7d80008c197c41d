// A program that may use only so much of the processors and of the memory (--cpus, --memory). Unless it is held to that
// already, as in a pod that has those limits, it starts itself again in a container of podman, with the network,
// processes, files and rights that it has, looks in the kernel for the limits before that one may go on, passes signals
// on, and ends as that one does. Killed, it takes that one with it. stdin, stdout and stderr are the same in both. Main
// thread, before any other starts.
#pragma once

#include <optional>
#include <string>

#include "broker/process/command_line.h"
#include "broker/process/control_groups.h"

namespace n2nq::process {

void add_limit_options(CommandLine& line, Limits& limits);
// Nothing: go on; there are no limits, or this process is held to them. Else the exit code.
std::optional<int> hold_to(const Limits& limits, const std::string& program, char** argv);

}  // namespace n2nq::process
