#include "app/results/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "app/results/journal_lines.h"
#include "app/results/journal_lock.h"
#include "app/results/run_folder.h"

namespace n2nq::results {
namespace {

// Room on the disk that no line of the run takes, so that the verdict can be written where the disk is full.
constexpr off_t kKeptForTheEnd = 64 << 10;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int number() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

struct Journal::Impl {
  std::string path;
  int fd = -1;

  ~Impl() {
    if (fd >= 0) ::close(fd);
  }
  Error trouble() const {
    return {.text = path + " cannot be written: " + std::system_category().message(errno) +
                    "; if the bench is killed now, the figures since then are lost. Free some space on its disk",
            .error_number = errno};
  }
  // Nobody sees a journal that is not held yet, or has no first line: it would be taken for one of a bench that is
  // gone.
  Result<void> begin(const std::string& making, const std::string& line) {
    ::unlink(making.c_str());
    // Workers do not inherit it: they would hold the lock after the bench is gone.
    fd = ::open(making.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0 || !hold_journal(fd)) return std::unexpected(trouble());
    return write_line(line, kKeptForTheEnd);
  }
  // False: the disk is known to have no such room. A file system that cannot tell has it.
  bool has_room(off_t from, off_t size) const {
    return ::fallocate(fd, FALLOC_FL_KEEP_SIZE, from, size) == 0 || (errno != ENOSPC && errno != EDQUOT);
  }
  // All of it or nothing.
  Result<void> write_line(const std::string& line, off_t keep) {
    const off_t before = ::lseek(fd, 0, SEEK_END);
    if (before >= 0 && keep > 0 && !has_room(before, static_cast<off_t>(line.size()) + keep))
      return std::unexpected(trouble());
    ssize_t put = 0;
    do put = ::write(fd, line.data(), line.size());
    while (put < 0 && errno == EINTR);
    if (put == static_cast<ssize_t>(line.size())) return {};
    if (put >= 0) errno = ENOSPC;
    const Error error = trouble();
    if (put > 0 && before >= 0 && ::ftruncate(fd, before) != 0) return std::unexpected(error);
    return std::unexpected(error);
  }
};

Journal::Journal(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Journal::~Journal() = default;

Result<std::unique_ptr<Journal>> Journal::create(const RunRecord& start) {
  auto impl = std::make_unique<Impl>();
  impl->path = start.folder + "/" + kJournalName;
  // One that is there already is held until this one has taken its place.
  const Descriptor old(::open(impl->path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (old.number() < 0 && errno != ENOENT) return std::unexpected(impl->trouble());
  if (old.number() >= 0 && !hold_journal(old.number())) return fail(impl->path + " is in use by another bench");
  const std::string making = start.folder + "/" + kJournalInTheMaking;
  auto begun = impl->begin(making, first_journal_line(start));
  if (begun && std::rename(making.c_str(), impl->path.c_str()) != 0) begun = std::unexpected(impl->trouble());
  if (begun) return std::unique_ptr<Journal>(new Journal(std::move(impl)));
  ::unlink(making.c_str());
  return std::unexpected(begun.error());
}

Result<void> Journal::append(const std::string& line) {
  return impl_->write_line(line, kKeptForTheEnd);
}

Result<void> Journal::finish(const RunRecord& record) {
  bool first = true;
  for (const std::string& line : final_journal_lines(record)) {
    auto written = impl_->write_line(line, 0);
    if (!written && first) return written;
    if (!written) break;  // the rest is as the last seconds have it
    first = false;
  }
  ::fdatasync(impl_->fd);
  return {};
}

void Journal::done() {
  ::unlink(impl_->path.c_str());
}

}  // namespace n2nq::results
