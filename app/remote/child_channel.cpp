#include "app/remote/child_channel.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace n2nq::remote {
namespace {

struct Pipe {
  net::Fd read, write;
};

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  N2NQ_ASSERT(::pipe2(ends, O_CLOEXEC) == 0);
  return {.read = net::Fd(ends[0]), .write = net::Fd(ends[1])};
}

void never_block(const net::Fd& fd) {
  N2NQ_ASSERT(::fcntl(fd.get(), F_SETFL, O_NONBLOCK) == 0);
}

}  // namespace

// In a process group of its own, so that it can be killed with what it started, and Ctrl-C does not reach it.
ChildChannel::ChildChannel(const std::vector<std::string>& arguments) {
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
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
    pid_ = -1;
    end_.text = arguments[0] + " cannot be started on this computer: " + std::strerror(error);
    return;
  }
  reaped_ = false;
  end_.begun = true;
  pidfd_ = net::Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  N2NQ_ASSERT(pidfd_.valid());
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  never_block(in_);
  never_block(out_);
  never_block(err_);
}

ChildChannel::~ChildChannel() {
  in_.reset();
  if (!reaped_) ::kill(-pid_, SIGKILL);
  reap(true);
}

Channel::State ChildChannel::advance() {
  reap(false);
  if (!reaped_) return State::open;
  return State::over;
}

void ChildChannel::reap(bool wait) {
  if (reaped_) return;
  int status = 0;
  const pid_t gone = ::waitpid(pid_, &status, wait ? 0 : WNOHANG);
  if (gone != pid_) return;
  reaped_ = true;
  in_.reset();
  if (WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
}

void ChildChannel::let_end(std::chrono::milliseconds patience) {
  in_.reset();
  out_.reset();
  err_.reset();
  pollfd gone{.fd = exit_fd(), .events = POLLIN, .revents = 0};
  ::poll(&gone, 1, static_cast<int>(patience.count()));
  reap(false);
}

ssize_t ChildChannel::read(Stream stream, char* data, size_t most) {
  net::Fd& fd = stream == Stream::out ? out_ : err_;
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
  if (!reaped_) ::kill(-pid_, number);
}

}  // namespace n2nq::remote
