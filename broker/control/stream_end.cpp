#include "broker/control/stream_end.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace n2nq::control {
namespace {

// A terminal promises less room than a pipe when poll() says "writable".
constexpr size_t kGuardedTerminalBytes = 256;
constexpr size_t kGuardedPipeBytes = PIPE_BUF;

bool epoll_takes(int fd) {
  const Fd probe(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
  return ::epoll_ctl(probe.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

// An open file description of our own, so that its O_NONBLOCK is nobody else's. Invalid where the system refuses: a
// pipe of another user, no /proc, nobody at the other end.
Fd open_anew(int fd, StreamEnd::Direction direction) {
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  const int access = direction == StreamEnd::Direction::input ? O_RDONLY : O_WRONLY;
  return Fd(::open(path.c_str(), access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

bool ready(int fd, short what, int timeout_ms) {
  pollfd wait{.fd = fd, .events = what, .revents = 0};
  return ::poll(&wait, 1, timeout_ms) > 0;
}

template <class Call>
ssize_t uninterrupted(Call call) {
  ssize_t n = call();
  while (n < 0 && errno == EINTR) n = call();
  return n;
}

ssize_t would_block() {
  errno = EAGAIN;
  return -1;
}

}  // namespace

StreamEnd::StreamEnd(int fd, Direction direction) : fd_(fd) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) {  // closed by whoever started us
    fd_ = -1;
    return;
  }
  socket_ = S_ISSOCK(status.st_mode);
  if (S_ISFIFO(status.st_mode) || ::isatty(fd) == 1) {
    own_ = open_anew(fd, direction);
    nonblocking_ = own_.valid();
    if (nonblocking_) fd_ = own_.get();
  }
  guarded_bytes_ = S_ISFIFO(status.st_mode) ? kGuardedPipeBytes : kGuardedTerminalBytes;
  watchable_ = epoll_takes(fd_);
}

ssize_t StreamEnd::read(char* to, size_t bytes) {
  if (socket_) return uninterrupted([&] { return ::recv(fd_, to, bytes, MSG_DONTWAIT); });
  if (watchable_ && !nonblocking_ && !ready(fd_, POLLIN, 0)) return would_block();
  return uninterrupted([&] { return ::read(fd_, to, bytes); });
}

ssize_t StreamEnd::write(const char* from, size_t bytes) {
  if (socket_) return uninterrupted([&] { return ::send(fd_, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL); });
  if (watchable_ && !nonblocking_) {
    if (!ready(fd_, POLLOUT, 0)) return would_block();
    bytes = std::min(bytes, guarded_bytes_);
  }
  return uninterrupted([&] { return ::write(fd_, from, bytes); });
}

void StreamEnd::wait_writable(int timeout_ms) const {
  ready(fd_, POLLOUT, timeout_ms);
}

void StreamEnd::end_output() {
  if (socket_) ::shutdown(fd_, SHUT_WR);
}

}  // namespace n2nq::control
