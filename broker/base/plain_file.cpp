#include "broker/base/plain_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string_view>

namespace n2nq {
namespace {

constexpr std::string_view kForbidden[] = {"/proc/", "/sys/", "/dev/"};

// Wherever these are mounted.
bool is_of_system(const Fd& file, const std::string& path) {
  struct statfs system{};
  if (::fstatfs(file.get(), &system) != 0 || system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC)
    return true;
  return std::ranges::any_of(kForbidden, [&path](std::string_view folder) { return path.starts_with(folder); });
}

}  // namespace

// By a descriptor that only names the file: to open a device or a pipe may do something.
Result<PlainFile> open_plain_file(const std::string& path) {
  const auto by_system = [] { return fail(std::strerror(errno), errno); };
  const Fd named(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status{};
  if (!named.valid() || ::fstat(named.get(), &status) != 0) return by_system();
  if (S_ISDIR(status.st_mode)) return fail("it is not a file but a folder", EISDIR);
  if (!S_ISREG(status.st_mode)) return fail("it is not a file; pipes, devices and sockets are not read");
  const std::string by_number = "/proc/self/fd/" + std::to_string(named.get());
  char real[PATH_MAX];
  const ssize_t length = ::readlink(by_number.c_str(), real, sizeof real);
  if (length < 0) return by_system();
  PlainFile plain{.file = Fd(), .path = std::string(real, static_cast<size_t>(length))};
  if (is_of_system(named, plain.path)) return fail("nothing in /proc, /sys and /dev is read; copy it into a file");
  plain.file = Fd(::open(by_number.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!plain.file.valid()) return by_system();
  return plain;
}

Result<std::string> read_some_of(const Fd& file, size_t most) {
  constexpr size_t kPart = 64 * 1024;
  std::string content;
  for (;;) {
    const size_t had = content.size();
    const size_t wanted = std::min(most + 1 - had, kPart);
    if (wanted == 0) return content;
    content.resize(had + wanted);
    const ssize_t got = ::read(file.get(), content.data() + had, wanted);
    content.resize(had + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) return fail(std::strerror(errno), errno);
    if (got == 0) return content;
  }
}

}  // namespace n2nq
