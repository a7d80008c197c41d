#include "app/logs/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace n2nq::logs {
namespace {

std::string advice(int error) {
  if (error == EACCES) return "; make sure that you may read it, or open it as its owner";
  return "; check that the folder exists and can be read";
}

}  // namespace

Result<std::shared_ptr<const OpenFile>> OpenFile::open(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid()) return fail("cannot read " + path + ": " + std::strerror(errno) + advice(errno), errno);
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return fail(path + " is not a file: name the log file itself", EINVAL);
  return std::shared_ptr<const OpenFile>(
      new OpenFile(std::move(fd), {.device = status.st_dev, .inode = status.st_ino}, path));
}

size_t OpenFile::read_at(int64_t offset, std::span<char> into) const {
  size_t have = 0;
  while (have < into.size()) {
    const ssize_t got = ::pread(fd_.get(), into.data() + have, into.size() - have, offset + static_cast<int64_t>(have));
    if (got > 0) {
      have += static_cast<size_t>(got);
    } else if (got == 0) {
      break;
    } else if (errno != EINTR) {
      error_.store(errno, std::memory_order_relaxed);
      failures_.fetch_add(1, std::memory_order_release);
      break;
    }
  }
  return have;
}

std::string OpenFile::trouble() const {
  return path_ + " cannot be read further: " + std::strerror(error_.load(std::memory_order_relaxed)) +
         "; check that its disk is available, then open it again";
}

int64_t OpenFile::size() const {
  struct stat status{};
  return ::fstat(fd_.get(), &status) == 0 ? static_cast<int64_t>(status.st_size) : 0;
}

}  // namespace n2nq::logs
