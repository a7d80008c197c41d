// Hosts taken over from OpenSSH's configuration: Host, HostName, Port, User, IdentityFile, ProxyJump, Include. Names
// with wildcards give defaults and are not hosts; of several values the first holds, as there. Reads files; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/hosts/host_list.h"

namespace n2nq::hosts {

struct Imported {
  std::vector<Host> hosts{};         // in the order of the file, jump hosts that it only mentions behind them
  std::vector<std::string> notes{};  // what was passed over, and what to do; for people
};

// `home`: what "~" stands for.
Result<Imported> import_ssh_config(const std::string& path, const std::string& home);

struct Merged {
  std::vector<std::string> added{}, there_already{};
  std::vector<std::string> refused{};  // with the reason
};
// Hosts whose name the list has already stay as they are there.
Merged merge(HostList& list, const std::vector<Host>& hosts);

}  // namespace n2nq::hosts
