#include "tests/bench/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "tests/bench/now.h"

namespace n2nq::bench {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command, std::optional<int> core, int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<size_t>(*core), &cores);
    if (::sched_setaffinity(0, sizeof cores, &cores) != 0) std::perror("bus_bench: cannot pin a process to its core");
  }
  ::dup2(out, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  std::perror(arguments[0]);
  ::_exit(127);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command, std::optional<int> core) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(std::string("cannot open a pipe: ") + std::strerror(errno), errno);
  Fd out(ends[0]);
  const Fd in(ends[1]);
  const pid_t pid = ::fork();
  if (pid < 0) return fail(std::string("cannot fork: ") + std::strerror(errno), errno);
  if (pid == 0) become(command, core, in.get());
  return ChildProcess(command.front(), pid, std::move(out));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : name_(std::move(other.name_)),
      pid_(std::exchange(other.pid_, -1)),
      out_(std::move(other.out_)),
      unread_(std::move(other.unread_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

Result<bool> ChildProcess::read_more(int64_t deadline_ns) {
  const int64_t left_ms = std::max<int64_t>(0, (deadline_ns - now_ns()) / 1'000'000);
  pollfd readable{.fd = out_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&readable, 1, static_cast<int>(left_ms)) <= 0) return fail(name_ + " said nothing in time");
  char bytes[4096];
  const ssize_t n = ::read(out_.get(), bytes, sizeof bytes);
  if (n > 0) unread_.append(bytes, static_cast<size_t>(n));
  return n > 0;
}

Result<std::string> ChildProcess::read_line(int64_t deadline_ns) {
  for (;;) {
    if (const size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    auto more = read_more(deadline_ns);
    if (!more) return std::unexpected(more.error());
    if (!*more) return fail(name_ + " ended without a line");
  }
}

Result<std::string> ChildProcess::finish(int64_t deadline_ns) {
  for (;;) {
    auto more = read_more(deadline_ns);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
  }
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  if (!WIFEXITED(status)) return fail(name_ + " died of signal " + std::to_string(WTERMSIG(status)));
  while (unread_.ends_with('\n')) unread_.pop_back();
  std::string last = unread_.substr(unread_.rfind('\n') + 1);
  if (WEXITSTATUS(status) != 0)
    return fail(name_ + " exited with " + std::to_string(WEXITSTATUS(status)) + ": " + last);
  return last;
}

}  // namespace n2nq::bench
