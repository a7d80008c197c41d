#include "app/run/trial_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace n2nq::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "n2nq-trial-";

// Of this user, no link, and used by nobody; nothing otherwise.
Fd lock_of(const std::string& folder) {
  Fd lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status{};
  const bool mine = lock.valid() && ::fstat(lock.get(), &status) == 0 && status.st_uid == ::geteuid();
  if (!mine || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) lock.reset();
  return lock;
}

void remove_left_behind(const fs::path& parent) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(kPrefix)) found.push_back(at->path().string());
  for (const std::string& folder : found)
    if (const Fd lock = lock_of(folder); lock.valid()) fs::remove_all(folder, error);
}

}  // namespace

TrialFolder::TrialFolder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) return;
  remove_left_behind(parent);
  // Another bench may remove it as one that was left, until it is locked.
  for (int tries = 0; tries < 10; tries++)
    if (make(parent.string())) return;
}

bool TrialFolder::make(const std::string& parent) {
  std::string pattern = parent + "/" + kPrefix + "XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) return false;
  lock_ = lock_of(pattern);
  std::error_code error;
  if (!lock_.valid() || !fs::exists(pattern, error)) return false;
  path_ = pattern;
  return true;
}

bool TrialFolder::remove() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
  if (error) return false;
  lock_.reset();
  path_.clear();
  return true;
}

}  // namespace n2nq::run
