// How a session gets in. A value.
#pragma once

#include <chrono>
#include <string>

namespace n2nq::ssh {

struct Options {
  std::string known_hosts{};  // file; empty: ~/.ssh/known_hosts
  bool use_agent = true;
  std::string agent_socket{};                         // empty: $SSH_AUTH_SOCK
  bool ask = true;                                    // whether there is somebody to ask
  std::chrono::milliseconds connect_timeout{10'000};  // of each step
  std::chrono::milliseconds silence{10'000};          // of the other side, after which it is lost
};

}  // namespace n2nq::ssh
