// What is installed here of the servers that a run can have of its own. Blocks while a program is asked for its
// version.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

}  // namespace n2nq::serve
