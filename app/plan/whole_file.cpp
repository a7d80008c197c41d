#include "app/plan/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace n2nq::plan {
namespace {

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

enum class Use { reading, writing };

// What the user can do about it; empty: the error says all there is.
const char* advice(Use use, int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space on its disk, then save again";
    case EACCES:
    case EPERM:
    case EROFS:
      return use == Use::reading ? "; make sure that you may read it"
                                 : "; choose another folder, or make sure that you may write to this one";
    case ENOENT:
      return use == Use::reading ? "; check that it exists" : "; check that its folder exists";
    default:
      return "";
  }
}

std::unexpected<Error> trouble(Use use, const std::string& path, const char* what, int error) {
  return fail(path + ": " + what + ": " + std::strerror(error) + advice(use, error), error);
}

// 0, or errno.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return ::fsync(fd) == 0 ? 0 : errno;
}

// Where a link leads to, so that the link itself stays one.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

bool is_store(const std::string& path) {
  return behind_links(path).ends_with("/results.sqlite");  // see place::DataFolder
}

}  // namespace

Result<std::string> read_whole_file(const std::string& path) {
  if (is_store(path)) return fail(path + ": is a results store; choose another file");
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return trouble(Use::reading, path, "cannot be opened", errno);
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) return trouble(Use::reading, path, "cannot be read", errno);
  if (!S_ISREG(status.st_mode)) return fail(path + ": is not a file; choose a file");
  std::string text;
  char part[64 * 1024];
  while (true) {
    const ssize_t got = ::read(file.number(), part, sizeof part);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return trouble(Use::reading, path, "cannot be read", errno);
    if (got == 0) return text;
    text.append(part, static_cast<size_t>(got));
    if (text.size() > kLargestPlanFile) return fail(path + ": is too large for a plan; choose another file");
  }
}

Result<void> write_whole_file(const std::string& path, std::string_view text) {
  const std::string target = behind_links(path);
  if (is_store(target)) return fail(path + ": is a results store; choose another name");
  const std::string temporary = target + ".new-" + std::to_string(::getpid());
  struct stat status{};
  const mode_t mode = ::stat(target.c_str(), &status) == 0 ? status.st_mode & 0777 : 0666;
  int error = 0;
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode));
    if (file.number() < 0) return trouble(Use::writing, path, "cannot be written", errno);
    error = write_all(file.number(), text);
  }
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(temporary.c_str());
  return trouble(Use::writing, path, "cannot be written; what was there before is unchanged", error);
}

bool lies_in(const std::string& file, const std::string& folder) {
  std::error_code error;
  const auto real = [&error](const std::string& given) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(given, error), error);
  };
  const std::filesystem::path outer = real(folder);
  return std::ranges::mismatch(outer, real(file)).in1 == outer.end();
}

}  // namespace n2nq::plan
