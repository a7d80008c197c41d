#include "app/results/copy_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string_view>
#include <system_error>

namespace n2nq::results {
namespace {

constexpr size_t kPartBytes = 1 << 20;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int number() const { return fd_; }

 private:
  int fd_;
};

std::unexpected<Error> trouble(const std::string& path, const char* what) {
  return fail(path + " cannot be " + what + ": " + std::system_category().message(errno), errno);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

// Writes through `path`.part; `fill` gets its descriptor.
Result<void> write_whole(const std::string& path, const std::function<Result<void>(int)>& fill) {
  const std::string temporary = path + ".part";
  Result<void> done;
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (file.number() < 0) return trouble(path, "written");
    done = fill(file.number());
    if (done && ::fsync(file.number()) != 0) done = trouble(path, "written");
  }
  if (done && std::rename(temporary.c_str(), path.c_str()) != 0) done = trouble(path, "written");
  if (!done) ::unlink(temporary.c_str());
  return done;
}

}  // namespace

Result<void> copy_whole(const std::string& from, const std::string& to, const std::stop_token& stop) {
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.number() < 0) return trouble(from, "read");
  return write_whole(to, [&](int fd) -> Result<void> {
    std::string part(kPartBytes, '\0');
    for (;;) {
      if (stop.stop_requested()) return fail("told to stop");
      const ssize_t got = ::read(source.number(), part.data(), part.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return trouble(from, "read");
      if (got == 0) return {};
      if (!write_all(fd, std::string_view(part).substr(0, static_cast<size_t>(got)))) return trouble(to, "written");
    }
  });
}

}  // namespace n2nq::results
