#include "workers/log/log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace n2nq::log {
namespace {

std::string open_advice(int error) {
  if (error == EMFILE || error == ENFILE)
    return "too few file descriptors; raise the limit with ulimit -n, or use --log off";
  if (error == EACCES || error == EPERM || error == EROFS) return "not allowed; choose another folder with --log-dir";
  if (error == EISDIR) return "a folder of that name is in the way; remove it, or choose another folder with --log-dir";
  if (error == ENOSPC) return "the disk is full; free some space, or choose another folder with --log-dir";
  return std::string(std::strerror(error)) + "; choose another folder with --log-dir";
}

// Returns how many bytes the system took; all of them, unless errno says why not.
size_t write_all(int fd, std::string_view text) {
  size_t taken = 0;
  while (taken < text.size()) {
    const ssize_t n = ::write(fd, text.data() + taken, text.size() - taken);
    if (n > 0)
      taken += static_cast<size_t>(n);
    else if (n == 0)
      errno = EIO;
    if (n == 0 || (n < 0 && errno != EINTR)) break;
  }
  return taken;
}

}  // namespace

Result<LogFile> LogFile::open(std::string path) {
  // O_NONBLOCK: a pipe in the file's place is an error, not a wait for its reader. It means nothing to a file.
  Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0644));
  if (!file.valid()) return n2nq::fail("cannot write the log file " + path + ": " + open_advice(errno), errno);
  return LogFile(std::move(path), std::move(file));
}

void LogFile::count_line() {
  lines_++;
  if (failed()) lines_not_written_++;
}

void LogFile::flush() {
  if (!failed() && !buffer_.empty()) {
    const size_t taken = write_all(file_.get(), buffer_);
    if (taken > 0) mid_line_ = buffer_[taken - 1] != '\n';
    if (taken < buffer_.size()) fail(errno, taken);
  }
  buffer_.clear();
  lines_flushed_ = lines_;
  if (buffer_.capacity() > 4 * kBufferBytes) buffer_.shrink_to_fit();
}

void LogFile::fail(int error_number, size_t bytes_taken) {
  error_number_ = error_number;
  const auto rest = std::string_view(buffer_).substr(bytes_taken);
  const auto newlines = static_cast<uint64_t>(std::count(rest.begin(), rest.end(), '\n'));
  // The lines of messages are the last ones; what is before them may be the header.
  lines_not_written_ += std::min(newlines, lines_ - lines_flushed_);
}

void LogFile::write_last(std::string_view text) {
  flush();
  const std::string whole = (mid_line_ ? "\n" : "") + std::string(text);
  const size_t taken = write_all(file_.get(), whole);
  if (taken == whole.size() || failed()) return;
  error_number_ = errno;
}

}  // namespace n2nq::log
