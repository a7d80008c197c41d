#include "broker/process/watcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

#include "broker/base/clock.h"
#include "broker/process/processes.h"

namespace n2nq::process {
namespace {

constexpr int64_t kPatienceNs = 1'000'000'000;  // after TERM, and after KILL

// Of the container, not only of the computer: it has a limit, by either version of control groups.
bool memory_is_limited() {
  constexpr uint64_t kNone = uint64_t{1} << 60;  // and more, of version 1
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream in(file);
    uint64_t bytes = 0;
    if (in >> bytes && bytes < kNone) return true;
  }
  return false;
}

bool out_of_memory() {
  for (const char* file : {"/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"}) {
    std::ifstream in(file);
    uint64_t number = 0;
    for (std::string word; in >> word >> number;)
      if (word == "oom_kill" && number > 0) return true;
  }
  return false;
}

}  // namespace

Result<PipeEnds> make_pipe(const std::string& whose) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail("no pipe for " + whose + ": " + std::strerror(errno), errno);
  return PipeEnds{.read = Fd(ends[0]), .write = Fd(ends[1])};
}

bool reap_all() {
  while (true) {
    const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) return pid < 0;  // no child is left
  }
}

void end_descendants() {
  for (const int signal : {SIGTERM, SIGKILL}) {
    const int64_t until_ns = now_ns() + kPatienceNs;
    std::set<pid_t> told;
    while (!reap_all() && now_ns() < until_ns) {
      for (const pid_t pid : descendants_of(::getpid()))
        if (signal == SIGKILL || told.insert(pid).second) ::kill(pid, signal);
      ::poll(nullptr, 0, kLookMs);
    }
  }
}

void close_between(unsigned first, unsigned last) {
  if (::close_range(first, last, 0) == 0) return;
  const auto most = static_cast<unsigned>(std::max(0L, ::sysconf(_SC_OPEN_MAX)));
  for (unsigned fd = first; fd <= std::min(last, most); fd++) ::close(static_cast<int>(fd));
}

void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
}

std::optional<int> wait_for_either(int pipe, pid_t child) {
  const int over = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));  // -1 on older systems: looked at instead
  std::array<pollfd, 2> waits{
      {{.fd = pipe, .events = POLLIN, .revents = 0}, {.fd = over, .events = POLLIN, .revents = 0}}};
  while (true) {
    ::poll(waits.data(), waits.size(), over >= 0 ? -1 : kLookMs);
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) return status;
    if (waits[0].revents != 0) return std::nullopt;
  }
}

std::string signal_words(int signal, const std::string& setting) {
  const std::string text = "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  if (signal != SIGKILL || !out_of_memory()) return text;
  if (memory_is_limited()) return text + ": it wanted more memory than " + setting + " allows; give more";
  return text + ": the computer had no memory left";
}

}  // namespace n2nq::process
