#include "broker/process/commands.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "broker/base/clock.h"
#include "broker/base/fd.h"

namespace n2nq::process {
namespace {

constexpr size_t kMostSaid = 64 * 1024;
constexpr int64_t kNsInMs = 1'000'000;

// Until all who can write have closed; nothing where that takes too long.
std::optional<std::string> read_all(int fd, int64_t until_ns) {
  std::string said;
  while (said.size() < kMostSaid) {
    const int64_t left_ms = (until_ns - now_ns()) / kNsInMs;
    pollfd readable{.fd = fd, .events = POLLIN, .revents = 0};
    if (left_ms <= 0) return std::nullopt;
    if (::poll(&readable, 1, static_cast<int>(left_ms)) <= 0) continue;  // too late, or a signal
    char bytes[4096];
    const ssize_t n = ::read(fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    said.append(bytes, static_cast<size_t>(n));
  }
  return said;
}

}  // namespace

std::optional<std::string> find_in_path(std::string_view program, std::string_view folder) {
  const char* path = std::getenv("PATH");
  // Where servers are that are no commands of everybody.
  const std::string folders =
      std::string(folder) + ":" + (path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin") + ":/usr/sbin";
  for (size_t at = 0; at < folders.size();) {
    const size_t end = std::min(folders.find(':', at), folders.size());
    const std::string file = folders.substr(at, end - at) + "/" + std::string(program);
    if (end > at && ::access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return std::nullopt;
}

std::vector<char*> argv_of(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

pid_t start_alone(const std::vector<std::string>& command, int output) {
  const auto words = argv_of(command);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&how, 0);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, words.front(), &files, &how, words.data(), environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  return error == 0 ? pid : 0;
}

void end_alone(pid_t pid) {
  ::kill(-pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string said_by(const std::vector<std::string>& command, int patience_ms) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const Fd output(ends[0]);
  Fd input(ends[1]);
  const pid_t pid = start_alone(command, input.get());
  input.reset();
  if (pid == 0) return {};
  const auto said = read_all(output.get(), now_ns() + patience_ms * kNsInMs);
  end_alone(pid);
  return said.value_or("");
}

}  // namespace n2nq::process
