// Another computer that processes of a run can be started on, and how it is reached. A value; any thread.
// Nothing secret is in it: passwords and passphrases are asked for when they are needed.
#pragma once

#include <cstdint>
#include <string>

#include "broker/base/port_range.h"

namespace n2nq::hosts {

struct Host {
  // ssh: by a session of our own. command: by any program that takes stdin and stdout there, such as docker exec -i.
  enum class Kind { ssh, command };
  std::string name{};
  Kind kind = Kind::ssh;
  std::string address{};
  uint16_t port = 22;
  std::string user{};          // empty: as on this computer
  std::string key_file{};      // empty: the agent and the usual keys
  std::string jump{};          // name of another host of the list to go through; empty: straight
  std::string data_address{};  // where other hosts reach a queue there; empty: address
  PortRange data_ports{};      // that a queue there may listen on
  std::string work_folder{};   // empty: kWorkFolder
  std::string command{};       // command hosts: with {command} where the command to run there goes
  // How long processes there go on by themselves after the link is lost; 0: as long as any (10 s).
  int64_t survive_ns = 0;
  std::string notes{};
  bool operator==(const Host&) const = default;
};

inline constexpr int64_t kLeastSurviveNs = 10'000'000'000;
inline constexpr int64_t kMostSurviveNs = 24 * 3600 * int64_t{1'000'000'000};
inline constexpr const char* kWorkFolder = ".cache/n2nq-bench";  // below the login's home

}  // namespace n2nq::hosts
