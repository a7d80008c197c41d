#include "app/remote/child_channel.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "broker/base/assert.h"

namespace n2nq::remote {
namespace {

struct Pipe {
  Fd read, write;
};

constexpr std::chrono::milliseconds kReapPatience{500};

// Not valid where this process may have no more files.
Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  return {.read = Fd(ends[0]), .write = Fd(ends[1])};
}

void never_block(const Fd& fd) {
  N2NQ_ASSERT(::fcntl(fd.get(), F_SETFL, O_NONBLOCK) == 0);
}

std::string why_not_started(const std::string& program, int error) {
  std::string text = program + " cannot be started on this computer: " + std::strerror(error);
  if (error == EMFILE || error == ENFILE)
    text += "; use fewer processes, or allow more open files (ulimit -n) before starting the bench";
  if (error == EAGAIN || error == ENOMEM)
    text += "; this computer has no resources left: end other programs, and try again";
  return text;
}

// Nobody waits for it: it ends by itself, whenever that is, and is taken off the list of processes then.
void leave_behind(pid_t pid) {
  std::thread([pid] { ::waitpid(pid, nullptr, 0); }).detach();
}

}  // namespace

// In a process group of its own, so that it can be killed with what it started, and Ctrl-C does not reach it.
ChildChannel::ChildChannel(const std::vector<std::string>& arguments) {
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
  if (!in.read.valid() || !out.read.valid() || !err.read.valid()) {
    end_.text = why_not_started(arguments[0], errno);
    return;
  }
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int error = ::posix_spawnp(&pid_, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    end_.text = why_not_started(arguments[0], error);
    return;
  }
  pidfd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  if (!pidfd_.valid()) {
    end_.text = why_not_started(arguments[0], errno);
    ::kill(-pid_, SIGKILL);
    leave_behind(pid_);
    return;
  }
  runs_ = true;
  state_ = State::open;
  end_.begun = true;
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  never_block(in_);
  never_block(out_);
  never_block(err_);
}

// What cannot be killed, as it is another user's or hangs in the kernel, is not waited for.
ChildChannel::~ChildChannel() {
  in_.reset();
  if (state_ == State::open && ::kill(-pid_, SIGKILL) == 0) wait_exit(kReapPatience);
  reap();
  if (runs_) leave_behind(pid_);
}

Channel::State ChildChannel::advance() {
  reap();
  return state_;
}

void ChildChannel::reap() {
  if (!runs_) return;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return;
  runs_ = false;
  state_ = State::over;
  in_.reset();
  if (end_.lost) return;
  if (WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
}

void ChildChannel::wait_exit(std::chrono::milliseconds patience) {
  if (until_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until_ - Wire::Clock::now());
    patience = std::clamp(left, std::chrono::milliseconds(0), patience);
  }
  pollfd gone{.fd = exit_fd(), .events = POLLIN, .revents = 0};
  ::poll(&gone, 1, static_cast<int>(patience.count()));
}

void ChildChannel::let_end(std::chrono::milliseconds patience) {
  in_.reset();
  out_.reset();
  err_.reset();
  if (runs_) wait_exit(patience);
  reap();
}

ssize_t ChildChannel::read(Stream stream, char* data, size_t most) {
  Fd& fd = stream == Stream::out ? out_ : err_;
  if (!fd.valid()) return 0;
  const ssize_t n = ::read(fd.get(), data, most);
  if (n > 0) return n;
  if (n == 0 || (errno != EAGAIN && errno != EINTR)) fd.reset();
  return 0;
}

ssize_t ChildChannel::write(const char* data, size_t size) {
  if (!in_.valid()) return -1;
  const ssize_t n = ::write(in_.get(), data, size);
  if (n >= 0) return n;
  return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

void ChildChannel::signal(int number) {
  if (state_ != State::open || ::kill(-pid_, number) == 0 || errno != EPERM || number != SIGKILL) return;
  end_.lost = true;
  end_.text =
      "the process there belongs to another user and cannot be killed from here; it ends by itself once its input has "
      "ended";
  state_ = State::over;
  in_.reset();
  out_.reset();
  err_.reset();
}

}  // namespace n2nq::remote
