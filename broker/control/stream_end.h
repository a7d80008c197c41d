// One direction of a line channel: a descriptor that can be read or written without ever blocking, whatever it is, and
// without touching flags that another process shares. Thread: its owner's.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "broker/base/fd.h"

namespace n2nq::control {

class StreamEnd {
 public:
  enum class Direction { input, output };

  StreamEnd() = default;
  // Borrows `fd`; opens it anew where that gives a non-blocking description of our own.
  StreamEnd(int fd, Direction direction);

  bool valid() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  bool watchable() const { return watchable_; }  // epoll takes it; else it is always ready
  bool socket() const { return socket_; }

  // Like read() and write(): -1 with EAGAIN where they would block.
  ssize_t read(char* to, size_t bytes);
  ssize_t write(const char* from, size_t bytes);
  // Blocks until it can be written or `timeout_ms` has passed.
  void wait_writable(int timeout_ms) const;
  // A socket's other side sees the end of what we send; nothing for other kinds.
  void end_output();

 private:
  Fd own_;
  int fd_ = -1;
  bool socket_ = false;
  bool watchable_ = false;
  bool nonblocking_ = false;
  size_t guarded_bytes_ = 0;  // most that one write may carry after poll() where the description is shared
};

}  // namespace n2nq::control
