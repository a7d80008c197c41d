// What podman is told of each container of ours: on the host's network and among its processes, so that what is
// measured is the program and not a way to it; removed with its end. Any thread.
#pragma once

#include <string>
#include <vector>

#include "broker/process/control_groups.h"

namespace n2nq::process {

// `handles`: so many descriptors from 3 on are passed on. What it is to have else, and what it starts, follows.
std::vector<std::string> podman_run(const std::string& podman, const std::string& name, const std::string& label,
                                    int handles, const Limits& limits);
// Of what --mount takes.
std::string bind_mount(const std::string& from, const std::string& to, const char* more = "");
// What removes whatever is left of that container, and how long that may take.
std::vector<std::string> podman_remove(const std::string& podman, const std::string& name);
constexpr int kRemovePatienceMs = 10'000;

}  // namespace n2nq::process
