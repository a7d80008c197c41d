// Processes as /proc shows them: who is below whom, and whose a listening port is. Any
// thread; also for a guard, which is a copy of a process.
#pragma once

#include <sys/types.h>

#include <vector>

#include "broker/base/fd.h"
#include "broker/net/socket.h"

namespace n2nq::process {

// All below this process, the nearest first; also those whose parents are gone, if it is their reaper.
std::vector<pid_t> descendants_of(pid_t process);

// Whoever connects to that place reaches one of these processes and nobody else: sockets that listen there, by name or
// at all addresses, are theirs alone. False also where nobody listens.
bool only_these_listen(const net::Endpoint& place, const std::vector<pid_t>& processes);

// A process by what the kernel knows it by, as its number may become another's. Older systems know none: by its number.
class ProcessHandle {
 public:
  ProcessHandle() = default;
  explicit ProcessHandle(pid_t pid);
  pid_t pid() const { return pid_; }
  // False, with errno: it is gone.
  bool signal(int number) const;

 private:
  pid_t pid_ = 0;
  bool gone_ = false;  // before it could be held
  Fd fd_;
};

}  // namespace n2nq::process
