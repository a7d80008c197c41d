#include "ui/files/file_job.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

#include "ui/theme/theme.h"

namespace n2nq::files {
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

Result<void> write_text(const std::string& path, const std::string& text) {
  return write_whole(path, [&](int fd) -> Result<void> {
    if (!write_all(fd, text)) return trouble(path, "written");
    return {};
  });
}

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

FileJob::FileJob(QObject* parent) : QObject(parent) {}
FileJob::~FileJob() = default;

void FileJob::start(Task task) {
  busy_ = true;
  thread_ = std::jthread([this, task = std::move(task)](const std::stop_token& stop) {
    box_.put([this, outcome = task(stop)] { report(outcome); });
  });
}

void FileJob::report(const Result<std::string>& outcome) {
  busy_ = false;
  Q_EMIT done(outcome.has_value(), theme::qt(outcome ? *outcome : outcome.error().text));
}

}  // namespace n2nq::files
