#include "app/journal/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "app/journal/journal_lines.h"
#include "app/record/file_lock.h"
#include "app/record/run_folder.h"
#include "broker/base/fd.h"
#include "broker/base/new_file.h"

namespace n2nq::journal {
namespace {

// Room on the disk that no line of the run takes, so that the verdict can be written where the disk is full.
constexpr off_t kKeptForTheEnd = 64 << 10;
constexpr char kAdvice[] = "if the bench is killed now, the figures since then are lost. Free some space on its disk";

}  // namespace

struct Journal::Impl {
  std::string path;
  NewFile file;
  bool finished = false;  // once: its verdict is written

  Error trouble(int error_number) const { return file.trouble(error_number).error(); }
  // Nobody sees a journal that is not held yet, or has no first line: it would be taken for one of a bench that is
  // gone. Workers do not inherit its descriptor: they would hold the lock after the bench is gone.
  Result<void> begin(const std::string& line) {
    if (!record::hold_file(file.fd())) return std::unexpected(trouble(errno));
    if (auto written = write_line(line, kKeptForTheEnd); !written) return written;
    return file.finish();
  }
  // False: the disk is known to have no such room. A file system that cannot tell has it.
  bool has_room(off_t from, off_t size) const {
    return ::fallocate(file.fd(), FALLOC_FL_KEEP_SIZE, from, size) == 0 || (errno != ENOSPC && errno != EDQUOT);
  }
  // All of it or nothing.
  Result<void> write_line(const std::string& line, off_t keep) {
    const off_t before = ::lseek(file.fd(), 0, SEEK_END);
    if (before >= 0 && keep > 0 && !has_room(before, static_cast<off_t>(line.size()) + keep))
      return std::unexpected(trouble(errno));
    ssize_t put = 0;
    do put = ::write(file.fd(), line.data(), line.size());
    while (put < 0 && errno == EINTR);
    if (put == static_cast<ssize_t>(line.size())) return {};
    if (put >= 0) errno = ENOSPC;
    const Error error = trouble(errno);
    if (put > 0 && before >= 0 && ::ftruncate(file.fd(), before) != 0) return std::unexpected(error);
    return std::unexpected(error);
  }
};

Journal::Journal(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Journal::~Journal() = default;

Result<std::unique_ptr<Journal>> Journal::create(const record::RunRecord& start) {
  const std::string path = start.folder + "/" + record::kJournalName;
  // One that is there already is held until this one has taken its place.
  const Fd old(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!old.valid() && errno != ENOENT)
    return fail(path + " cannot be read: " + std::system_category().message(errno), errno);
  if (old.valid() && !record::hold_file(old.get())) return fail(path + " is in use by another bench");
  auto file = NewFile::create(path, {.mode = 0644, .advice = kAdvice});
  if (!file) return std::unexpected(file.error());
  auto impl = std::make_unique<Impl>(path, std::move(*file));
  if (auto begun = impl->begin(first_journal_line(start)); !begun) return std::unexpected(begun.error());
  return std::unique_ptr<Journal>(new Journal(std::move(impl)));
}

Result<void> Journal::append(const std::string& line) {
  return impl_->write_line(line, kKeptForTheEnd);
}

Result<void> Journal::finish(const record::RunRecord& record, Fetch fetch) {
  // What is kept free is for the end that counts.
  const auto keep = fetch == Fetch::to_come ? kKeptForTheEnd : 0;
  for (const std::string& line : final_journal_lines(record, fetch)) {
    auto written = impl_->write_line(line, keep);
    if (!written && !impl_->finished) return written;
    if (!written) break;  // the rest is as the last seconds, or the end before, have it
    impl_->finished = true;
  }
  ::fdatasync(impl_->file.fd());
  return {};
}

void Journal::done() {
  ::unlink(impl_->path.c_str());
}

}  // namespace n2nq::journal
