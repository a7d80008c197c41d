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

// `fill` gets its descriptor.
Result<void> write_whole(const std::string& path, const std::function<Result<void>(int)>& fill) {
  const auto beside = make_beside(path);
  if (!beside) return std::unexpected(beside.error());
  Result<void> done;
  {
    const Descriptor file(beside->fd);
    done = fill(file.number());
    if (done && ::fsync(file.number()) != 0) done = trouble(path, "written");
  }
  if (done && std::rename(beside->name.c_str(), path.c_str()) != 0) done = trouble(path, "written");
  if (!done) ::unlink(beside->name.c_str());
  return done;
}

}  // namespace

Result<FileBeside> make_beside(const std::string& path) {
  constexpr int kMostNames = 100;
  const std::string folder = path.substr(0, path.rfind('/') + 1);  // of a bare name: here
  for (int i = 0; i < kMostNames; i++) {
    FileBeside file{.name = folder + ".n2nq-" + std::to_string(::getpid()) + "-" + std::to_string(i) + ".part"};
    file.fd = ::open(file.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file.fd >= 0) return file;
    if (errno != EEXIST) break;
  }
  return trouble(path, "written");
}

Result<void> copy_whole(const std::string& from, const std::string& to, const std::stop_token& stop) {
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.number() < 0) return trouble(from, "read");
  return write_whole(to, [&](int fd) -> Result<void> {
    std::string part(kPartBytes, '\0');
    for (;;) {
      if (stop.stop_requested()) return fail("cancelled");
      const ssize_t got = ::read(source.number(), part.data(), part.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return trouble(from, "read");
      if (got == 0) return {};
      if (!write_all(fd, std::string_view(part).substr(0, static_cast<size_t>(got)))) return trouble(to, "written");
    }
  });
}

}  // namespace n2nq::results
