#include "broker/base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <random>
#include <system_error>

namespace n2nq {
namespace {

constexpr std::string_view kBefore = ".n2nq-";
constexpr std::string_view kBehind = ".part";

std::string unguessable_name() {
  std::random_device random;  // the system's
  char number[17];
  std::snprintf(number, sizeof number, "%08x%08x", random(), random());
  return std::string(kBefore) + number + std::string(kBehind);
}

const char* advice_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space on its disk, then save again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose another folder, or make sure that you may write to this one";
    case ENOENT:
      return "check that its folder exists";
    default:
      return "choose another folder";
  }
}

}  // namespace

Result<NewFile> NewFile::create(const std::string& path, NewFileOptions options) {
  NewFile file(path, std::move(options));
  struct stat before{};
  file.replaces_ = ::lstat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode);
  const mode_t as_before = file.replaces_ ? before.st_mode & 0777 : 0666;
  if (!file.open_beside(file.options_.mode.value_or(as_before))) return file.trouble(errno);
  // The umask is for files that are new. A disk that knows no modes has one for all.
  if (file.replaces_ && !file.options_.mode) ::fchmod(file.fd(), as_before);
  return file;
}

bool NewFile::open_beside(mode_t mode) {
  constexpr int kMostNames = 10;
  const std::string folder = path_.substr(0, path_.rfind('/') + 1);  // of a bare name: here
  for (int i = 0; i < kMostNames; i++) {
    beside_ = folder + unguessable_name();
    file_ = Fd(::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (file_.valid() || errno != EEXIST) break;
  }
  return file_.valid();
}

NewFile::~NewFile() {
  if (file_.valid() && !finished_) ::unlink(beside_.c_str());
}

Result<void> NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return trouble(errno);
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return {};
}

Result<void> NewFile::finish() {
  if (options_.sync && ::fsync(fd()) != 0) return trouble(errno);
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) return trouble(errno);
  finished_ = true;
  return {};
}

std::unexpected<Error> NewFile::trouble(int error_number) const {
  const std::string advice = options_.advice.empty() ? advice_for(error_number) : options_.advice;
  return fail(path_ + " cannot be written: " + std::system_category().message(error_number) + "; " + advice +
                  (replaces_ && !finished_ ? ". What was there before is unchanged" : ""),
              error_number);
}

bool is_unfinished_file(std::string_view name) {
  return name.starts_with(kBefore) && name.ends_with(kBehind);
}

}  // namespace n2nq
