// What is installed here of the servers that a run can have of its own. Blocks while a program is asked for its
// version.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::serve {

struct Recipe;

struct Installed {
  std::string file{};     // of its program
  std::string version{};  // empty: it cannot be told
};
// Nothing: its program is not here.
std::optional<Installed> look_for(const Recipe& recipe);

// "7.0.15" of "Redis server v=7.0.15 sha=0": the first numbers with dots between them. Empty: there are none. Pure.
std::string version_in(std::string_view text);
// Starts a program whose output goes there, in a group of its own, so that what it starts itself can be ended with it.
// 0: it cannot be started.
pid_t start_alone(const std::vector<std::string>& command, int output);
// Ends it, and all of its group.
void end_alone(pid_t pid);
// What a program that is started with these words says until it ends; empty where it does not end in time.
std::string said_by(const std::vector<std::string>& command, int patience_ms = 5000);

}  // namespace n2nq::serve
