#include "app/journal/folder_writers.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "broker/base/fd.h"

namespace n2nq::journal {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{200};  // at the stop token

// "flags: 0102001" of /proc/PID/fdinfo/N: the last octal digit is how it was opened.
bool opened_to_write(const fs::path& info) {
  std::ifstream file(info);
  std::string word;
  while (file >> word) {
    if (word != "flags:") continue;
    return file >> word && !word.empty() && ((word.back() - '0') & O_ACCMODE) != O_RDONLY;
  }
  return false;
}

bool writes_in(const fs::path& process, const std::string& prefix) {
  std::error_code error;
  fs::directory_iterator at(process / "fd", error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    std::error_code unreadable;
    if (!fs::read_symlink(at->path(), unreadable).string().starts_with(prefix)) continue;
    if (opened_to_write(process / "fdinfo" / at->path().filename())) return true;
  }
  return false;
}

std::vector<pid_t> writers_in(const std::string& folder) {
  std::error_code error;
  const std::string prefix = fs::weakly_canonical(folder, error).string() + "/";
  std::vector<pid_t> writers;
  fs::directory_iterator at("/proc", error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    pid_t pid = 0;
    const auto [rest, wrong] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (wrong != std::errc() || rest != name.data() + name.size() || pid == ::getpid()) continue;
    if (writes_in(at->path(), prefix)) writers.push_back(pid);
  }
  return writers;
}

// Until the process is gone. Where the kernel does not tell of its end, for a moment only.
void wait_for_exit(pid_t pid, const OpenProcess& open, Clock::time_point deadline, const std::stop_token& stop) {
  const int opened = open(pid);
  if (opened == -ESRCH) return;
  const Fd fd(opened);
  int over = 0;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    struct pollfd waited{.fd = fd.get(), .events = POLLIN, .revents = 0};  // of a negative one nothing comes
    over = ::poll(&waited, 1, static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), kLook).count()));
  } while (fd.valid() && over <= 0 && Clock::now() < deadline && !stop.stop_requested());
}

}  // namespace

int open_process(pid_t pid) {
  const auto fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  return fd >= 0 ? fd : -errno;
}

Result<void> wait_for_writers(const std::string& folder, std::chrono::milliseconds patience, std::stop_token stop,
                              const OpenProcess& open) {
  const Clock::time_point deadline = Clock::now() + patience;
  for (;;) {
    const std::vector<pid_t> writers = writers_in(folder);
    if (writers.empty()) return {};
    if (Clock::now() >= deadline || stop.stop_requested())
      return fail("process " + std::to_string(writers.front()) + " still writes to " + folder +
                  "; its run will be listed the next time the bench starts after that process has ended");
    wait_for_exit(writers.front(), open, deadline, stop);
  }
}

}  // namespace n2nq::journal
