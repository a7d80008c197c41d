// What a process does, or all of a role together, or how it ended: a sentence beside it says more, and nothing is read
// out of that.
#pragma once

#include <cstdint>
#include <string>

namespace n2nq::run {

// In the order in which they are: what is further down is worse where processes of a role have ended differently.
enum class Doing : uint8_t {
  not_started,
  preparing,  // what a host or another process has to be ready for
  starting,
  waiting,  // for other roles
  joining,
  joined,
  listening,  // a queue, or a server
  running,
  stopping,
  ending,
  ended,
  ended_with_losses,  // that the plan allows
  stopped,            // early, as it was asked to
  incomplete,
  killed,
  failed,
};

constexpr bool is_over(Doing doing) {
  return doing >= Doing::ended;
}

constexpr bool ended_badly(Doing doing) {
  return doing >= Doing::incomplete;
}

// A word or two.
std::string to_text(Doing doing);

}  // namespace n2nq::run
