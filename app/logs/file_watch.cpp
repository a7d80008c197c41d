#include "app/logs/file_watch.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "broker/base/clock.h"

namespace n2nq::logs {
namespace {

constexpr int64_t kLatelyNs = 5'000'000'000;

int64_t wall_ns_of(const timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileEvent FileWatch::look() {
  struct stat status{};
  if (::stat(path_.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return note_gone();
    return note_unreadable(
        {.text = "cannot access " + path_ + ": " + std::strerror(errno) + "; make sure that you may enter its folder",
         .error_number = errno});
  }
  changed_lately_ = wall_ns() - wall_ns_of(status.st_mtim) < kLatelyNs;
  if (!file_) return open_anew(FileEvent::appeared);
  if (file_->id() != FileId{.device = status.st_dev, .inode = status.st_ino}) return open_anew(FileEvent::replaced);
  const auto size = static_cast<int64_t>(status.st_size);
  if (size < size_) return open_anew(FileEvent::truncated);
  const bool back = std::exchange(gone_, false);
  if (const uint64_t failures = file_->failures(); std::exchange(failures_seen_, failures) != failures)
    return note_unreadable({.text = file_->trouble()});
  trouble_.clear();
  if (size == size_ && !back) return FileEvent::none;
  size_ = size;
  return FileEvent::grew;
}

FileEvent FileWatch::open_anew(FileEvent event) {
  auto opened = OpenFile::open(path_);
  if (!opened) return opened.error().error_number == ENOENT ? note_gone() : note_unreadable(opened.error());
  file_ = std::move(*opened);
  size_ = file_->size();
  failures_seen_ = 0;
  gone_ = false;
  trouble_.clear();
  return event;
}

FileEvent FileWatch::note_gone() {
  trouble_.clear();
  const bool news = file_ && !gone_;
  gone_ = true;
  return news ? FileEvent::vanished : FileEvent::none;
}

FileEvent FileWatch::note_unreadable(const Error& error) {
  if (trouble_ == error.text) return FileEvent::none;
  trouble_ = error.text;
  return FileEvent::unreadable;
}

}  // namespace n2nq::logs
