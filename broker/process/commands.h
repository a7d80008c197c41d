// Other programs, called for what they say, and ended with all that they started.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::process {

// A program in PATH, in `folder` first, and in /usr/sbin.
std::optional<std::string> find_in_path(std::string_view program, std::string_view folder = {});
// As execv() wants them; they are good as long as those are.
std::vector<char*> argv_of(const std::vector<std::string>& words);
// Starts a program whose output goes there, in a group of its own, so that what it starts itself can be ended with it.
// 0: it cannot be started.
pid_t start_alone(const std::vector<std::string>& command, int output);
// Ends it, and all of its group.
void end_alone(pid_t pid);
// What a program that is started with these words says until it ends; empty where it does not end in time.
std::string said_by(const std::vector<std::string>& command, int patience_ms = 5000);

}  // namespace n2nq::process
