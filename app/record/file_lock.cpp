#include "app/record/file_lock.h"

#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>

namespace n2nq::record {
namespace {

constexpr std::chrono::milliseconds kMoment{500};  // at most, on a busy computer

}  // namespace

bool hold_file(int fd) {
  const auto deadline = std::chrono::steady_clock::now() + kMoment;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() >= deadline) return false;
    ::poll(nullptr, 0, 1);  // nobody tells when a lock is free, and to wait for it without a deadline may take for ever
  }
  return true;
}

bool is_free_file(int fd) {
  struct stat status{};
  if (::flock(fd, LOCK_SH | LOCK_NB) != 0) return false;
  // After the lock: a bench that is through with a journal removes it, then lets it go.
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 0;
}

}  // namespace n2nq::record
