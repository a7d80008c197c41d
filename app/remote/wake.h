// Wakes a thread that sits in poll(). Any thread may call wake(); the sleeper polls fd() for reading.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include "broker/base/fd.h"

namespace n2nq::remote {

inline constexpr const char* kNoFiles =
    "this bench has too many files open for another link; use fewer hosts, or allow more open files (ulimit -n) before "
    "starting the bench";

class Wake {
 public:
  Wake() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

  bool valid() const { return fd_.valid(); }  // false: this process may have no more files
  int fd() const { return fd_.get(); }
  void wake() const {
    const uint64_t one = 1;
    // A counter that is full wakes as well.
    [[maybe_unused]] const ssize_t written = ::write(fd_.get(), &one, sizeof one);
  }
  void clear() const {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t taken = ::read(fd_.get(), &count, sizeof count);
  }

 private:
  Fd fd_;
};

}  // namespace n2nq::remote
