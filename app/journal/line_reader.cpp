#include "app/journal/line_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace n2nq::journal {
namespace {

constexpr size_t kBufferBytes = 256 << 10;

}  // namespace

Result<LineReader> LineReader::open(const std::string& path, size_t keep, std::stop_token stop) {
  // Not waiting: a pipe in the file's place has no writer.
  Fd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return fail(path + " cannot be read: " + std::system_category().message(errno), errno);
  LineReader reader(std::move(file), path, keep, std::move(stop));
  struct stat status{};
  if (::fstat(reader.file_.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return fail(path + " is not a regular file");
  return reader;
}

LineReader::LineReader(Fd file, std::string path, size_t keep, std::stop_token stop)
    : file_(std::move(file)), path_(std::move(path)), keep_(keep), stop_(std::move(stop)), buffer_(kBufferBytes) {}

Result<bool> LineReader::fill() {
  if (stop_.stop_requested()) return fail(path_ + " was not read to the end: cancelled", ECANCELED);
  ssize_t got = 0;
  do got = ::read(file_.get(), buffer_.data(), buffer_.size());
  while (got < 0 && errno == EINTR);
  if (got < 0) return fail(path_ + " cannot be read: " + std::system_category().message(errno), errno);
  at_ = 0;
  end_ = static_cast<size_t>(got);
  return got > 0;
}

Result<bool> LineReader::next(Line& line) {
  line = Line{};
  kept_.clear();
  while (!line.ended) {
    if (at_ == end_) {
      const auto more = fill();
      if (!more) return more;
      if (!*more) break;
    }
    const char* from = buffer_.data() + at_;
    const auto* newline = static_cast<const char*>(std::memchr(from, '\n', end_ - at_));
    const size_t size = newline != nullptr ? static_cast<size_t>(newline - from) : end_ - at_;
    kept_.append(from, std::min(size, keep_ - std::min(keep_, kept_.size())));
    line.bytes += size;
    line.ended = newline != nullptr;
    at_ += size + (line.ended ? 1 : 0);
  }
  line.text = kept_;
  return line.ended || line.bytes > 0;
}

}  // namespace n2nq::journal
