#include "app/ssh/forward.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace n2nq::ssh {
namespace {

constexpr size_t kForwardPartBytes = 32 * 1024;
constexpr int kMostAtLast = 64;  // times that

}  // namespace

Forward::Forward(ssh_session session, std::string address, uint16_t port)
    : session_(session), address_(std::move(address)), port_(port), channel_(ssh_channel_new(session)) {}

std::optional<Result<Fd>> Forward::take_outcome() {
  return std::exchange(outcome_, std::nullopt);
}

short Forward::events() const {
  if (!opened_ || over_) return 0;
  return static_cast<short>((to_channel_.empty() ? POLLIN : 0) | (to_socket_.empty() ? 0 : POLLOUT));
}

bool Forward::open() {
  const int result = ssh_channel_open_forward(channel_.get(), address_.c_str(), port_, "127.0.0.1", 0);
  if (result == SSH_AGAIN) return false;
  if (result != SSH_OK) {
    outcome_ = fail("nothing answers at " + address_ + " port " + std::to_string(port_) + ": " + error_of(session_));
    over_ = true;
    return false;
  }
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) {
    outcome_ = fail("cannot create a socket pair: too many open files", errno);
    over_ = true;
    return false;
  }
  fd_ = Fd(ends[0]);
  outcome_ = Result<Fd>(Fd(ends[1]));
  opened_ = true;
  return true;
}

bool Forward::turn() {
  if (over_ || (!opened_ && !open())) return false;
  const bool moved = carry_in();
  return carry_out() || moved;
}

void Forward::carry_last() {
  for (int i = 0; i < kMostAtLast && opened_ && carry_out(); i++) {
  }
}

bool Forward::carry_in() {
  if (over_) return false;
  if (to_socket_.empty()) {
    to_socket_.resize(kForwardPartBytes);
    const int n = ssh_channel_read_nonblocking(channel_.get(), to_socket_.data(), kForwardPartBytes, 0);
    to_socket_.resize(static_cast<size_t>(std::max(n, 0)));
    if (n < 0 && n != SSH_AGAIN) over_ = true;
  }
  if (to_socket_.empty()) return false;
  const ssize_t n = ::send(fd_.get(), to_socket_.data(), to_socket_.size(), MSG_NOSIGNAL);
  if (n < 0) {
    over_ = over_ || (errno != EAGAIN && errno != EINTR);
    return false;
  }
  to_socket_.erase(to_socket_.begin(), to_socket_.begin() + n);
  return true;
}

bool Forward::carry_out() {
  if (over_) return false;
  if (to_channel_.empty()) {
    to_channel_.resize(kForwardPartBytes);
    const ssize_t n = ::recv(fd_.get(), to_channel_.data(), kForwardPartBytes, 0);
    to_channel_.resize(static_cast<size_t>(std::max<ssize_t>(n, 0)));
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) over_ = true;
  }
  const size_t window = ssh_channel_window_size(channel_.get());
  const size_t most = std::min(to_channel_.size(), window);
  if (most == 0) return false;
  const int n = ssh_channel_write(channel_.get(), to_channel_.data(), static_cast<uint32_t>(most));
  if (n < 0) {
    over_ = over_ || n != SSH_AGAIN;
    return false;
  }
  to_channel_.erase(to_channel_.begin(), to_channel_.begin() + n);
  return n > 0;
}

}  // namespace n2nq::ssh
