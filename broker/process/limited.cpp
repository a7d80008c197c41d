#include "broker/process/limited.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "broker/base/clock.h"
#include "broker/base/exit_code.h"
#include "broker/base/fd.h"
#include "broker/process/commands.h"
#include "broker/process/podman.h"
#include "broker/process/processes.h"
#include "broker/process/watcher.h"

namespace n2nq::process {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeld = "N2NQ_HELD";  // in the environment of the process in the container
constexpr int kRemovePatienceMs = 10'000;
constexpr int kNotStarted = 126;

// What podman passes on, from 3 on.
enum Handle : int { kLifeline = 3, kTold, kGo, kInput, kOutput, kErrors, kEnd };
constexpr int kAbove = 64;  // where descriptors are in nobody's way

struct Ends {
  Fd read;
  Fd write;
};

Result<Ends> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(std::string("no pipe: ") + std::strerror(errno), errno);
  return Ends{.read = Fd(ends[0]), .write = Fd(ends[1])};
}

sigset_t passed_on() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) sigaddset(&set, signal);
  return set;
}

// In the container: this process watches, a copy of it goes on once it may.
std::optional<int> be_held() {
  for (int fd = kLifeline; fd < kEnd; fd++) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  const pid_t watcher = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return kNotStarted;
  if (child == 0) {
    end_with(watcher);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(kInput + standard, standard);
    const pid_t self = ::getpid();
    char go = 0;
    if (::write(kTold, &self, sizeof self) != sizeof self || ::read(kGo, &go, 1) != 1) ::_exit(kNotStarted);
    close_between(kLifeline, kEnd - 1);
    ::unsetenv(kHeld);
    return std::nullopt;
  }
  const sigset_t signals = passed_on();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  ::dup2(kErrors, STDERR_FILENO);
  close_between(kTold, kEnd - 1);
  const auto status = wait_for_either(kLifeline, child);
  if (!status) {
    ::kill(child, SIGKILL);
    return kSignalled + SIGKILL;
  }
  if (!WIFSIGNALED(*status)) return WEXITSTATUS(*status);
  if (WTERMSIG(*status) == SIGKILL)
    ::dprintf(STDERR_FILENO, "ended by %s\n", signal_words(SIGKILL, "its limit (memory)").c_str());
  return kSignalled + WTERMSIG(*status);
}

// A folder with a place for each of the computer's, of this user alone, that is kept: containers come and go in it.
Result<fs::path> make_root(std::vector<std::string>& words) {
  std::error_code error;
  const fs::path root =
      fs::temp_directory_path(error) / ("n2nq-root-" + std::to_string(static_cast<unsigned>(::geteuid())));
  if (::mkdir(root.c_str(), 0700) != 0 && errno != EEXIST)
    return fail(root.string() + " cannot be made: " + std::strerror(errno), errno);
  struct stat found{};
  if (::lstat(root.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() ||
      (found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fail(root.string() + " is no folder of this user alone; remove it");
  for (const auto& entry : fs::directory_iterator("/", error)) {
    const std::string name = entry.path().filename();
    if (entry.is_symlink(error)) {
      fs::create_symlink(fs::read_symlink(entry.path(), error), root / name, error);  // it may be there
    } else if (entry.is_directory(error) && name != "proc" && name != "sys" && name != "dev") {
      words.insert(words.end(), {"--mount", bind_mount(entry.path(), entry.path())});
    }
  }
  return root;
}

Result<std::vector<std::string>> command(const Limits& limits, const std::string& podman, const std::string& name,
                                         char** argv) {
  std::error_code error;
  auto words = podman_run(podman, name, "n2nq=limited", kEnd - kLifeline, limits);
  words.insert(words.end(), {"--sig-proxy=false",
                             "--uts",
                             "host",
                             "--ipc",
                             "host",
                             "--no-hosts",
                             "--cap-add",
                             "all",
                             "--security-opt",
                             "seccomp=unconfined",
                             "--security-opt",
                             "apparmor=unconfined",
                             "--workdir",
                             fs::current_path(error).string(),
                             "--env",
                             std::string(kHeld) + "=1",
                             "--env",
                             "SSL_CERT_FILE",
                             "--env",
                             "SSL_CERT_DIR"});
  const auto root = make_root(words);
  if (!root) return std::unexpected(root.error());
  words.insert(words.end(), {"--rootfs", root->string(), fs::read_symlink("/proc/self/exe", error).string()});
  for (char** word = argv + 1; *word != nullptr; word++) words.emplace_back(*word);
  return words;
}

[[noreturn]] void be_podman(const std::vector<std::string>& words, const std::array<int, kEnd - kLifeline>& passed,
                            pid_t parent) {
  end_with(parent);
  ::setpgid(0, 0);  // a Ctrl-C is for the process that waits for it
  const sigset_t signals = passed_on();
  ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  std::array<int, kEnd - kLifeline> above{};
  for (size_t i = 0; i < passed.size(); i++) above[i] = ::fcntl(passed[i], F_DUPFD, kAbove);
  for (size_t i = 0; i < above.size(); i++) ::dup2(above[i], kLifeline + static_cast<int>(i));
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(nothing, standard);
  close_between(kEnd, ~0U);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(kNotStarted);
}

// The one outside.
class Holder {
 public:
  Holder(const Limits& limits, std::string program) : limits_(limits), program_(std::move(program)) {}

  int run(char** argv) {
    const auto podman = find_in_path("podman");
    if (!podman)
      return complain(
          "podman is not installed here, and limits of processors and memory need it; install it (sudo apt install "
          "podman), or set no limits");
    const std::string name = "n2nq-limited-" + std::to_string(::getpid()) + "-" + std::to_string(now_ns());
    const auto words = command(limits_, *podman, name, argv);
    if (!words) return complain(words.error().text);
    if (auto started = start(*words); !started) return complain(started.error().text);
    const int status = wait();
    if (WIFSIGNALED(status)) {
      lifeline_.reset();
      said_by(podman_remove(*podman, name), kRemovePatienceMs);
    }
    if (refused_) return static_cast<int>(ExitCode::local_trouble);
    if (child_ == 0 && ended_by_ == 0)
      return complain("podman has not started it with its limits; what it says is above");
    return end_like(status);
  }

 private:
  Result<void> start(const std::vector<std::string>& words) {
    auto lifeline = make_pipe(), told = make_pipe(), go = make_pipe();
    if (!lifeline || !told || !go) return std::unexpected((!lifeline ? lifeline : !told ? told : go).error());
    const sigset_t signals = passed_on();
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    signals_ = Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    const pid_t self = ::getpid();
    podman_ = ::fork();
    if (podman_ < 0) return fail(std::string("no process for podman: ") + std::strerror(errno), errno);
    if (podman_ == 0)
      be_podman(words,
                {lifeline->read.get(), told->write.get(), go->read.get(), STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO},
                self);
    lifeline_ = std::move(lifeline->write);
    told_ = std::move(told->read);
    go_ = std::move(go->write);
    return {};
  }

  // How podman ended, which it does with its container.
  int wait() {
    int status = 0;
    while (::waitpid(podman_, &status, WNOHANG) != podman_) {
      std::array<pollfd, 2> waits{{{.fd = signals_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = told_.get(), .events = POLLIN, .revents = 0}}};
      ::poll(waits.data(), waits.size(), kLookMs);
      if (waits[1].revents != 0) take_child();
      signalfd_siginfo info{};
      if (waits[0].revents != 0 && ::read(signals_.get(), &info, sizeof info) == sizeof info)
        pass_on(static_cast<int>(info.ssi_signo));
    }
    return status;
  }

  void take_child() {
    pid_t child = 0;
    const bool told = ::read(told_.get(), &child, sizeof child) == sizeof child;
    told_.reset();
    if (!told) return;
    child_ = child;
    handle_ = ProcessHandle(child);
    if (auto held = check_limits(limits_, child, {.prefix = "", .runner = "it"}); !held) {
      complain("it " + held.error().text);
      refused_ = true;
      lifeline_.reset();
      go_.reset();
      return;
    }
    [[maybe_unused]] const ssize_t gone = ::write(go_.get(), "g", 1);
    go_.reset();
  }

  void pass_on(int signal) {
    ended_by_ = signal;
    if (child_ != 0)
      handle_.signal(signal);
    else
      lifeline_.reset();
  }

  // Whoever waits for it sees the signal itself.
  int end_like(int status) const {
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + SIGKILL;
    if (code <= kSignalled) return code;
    const int signal = code - kSignalled;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    ::signal(signal, SIG_DFL);
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(signal);
    return code;
  }

  int complain(const std::string& text) const {
    std::fprintf(stderr, "%s: %s\n", program_.c_str(), text.c_str());
    return static_cast<int>(ExitCode::local_trouble);
  }

  Limits limits_;
  std::string program_;
  Fd signals_, lifeline_, told_, go_;
  pid_t podman_ = 0;
  pid_t child_ = 0;  // in the container, by its number here
  ProcessHandle handle_;
  int ended_by_ = 0;
  bool refused_ = false;
};

}  // namespace

void add_limit_options(CommandLine& line, Limits& limits) {
  line.option("--cpus", "N", "no limit", "How many processors' time this process may use, such as 0.5; needs podman",
              [&limits](const std::string& text) -> Result<void> {
                const auto thousandths = parse_thousandths(text);
                if (!thousandths || *thousandths < 10) return fail("'" + text + "' is no number from 0.01 on");
                limits.cpus = text;
                return {};
              });
  line.option("--memory", "SIZE", "no limit", "How much memory this process may use before it is ended; needs podman",
              [&limits](const std::string& text) -> Result<void> {
                auto size = parse_size_between(text, 8 << 20, uint64_t{1} << 40);
                if (!size) return std::unexpected(size.error());
                limits.memory_bytes = *size;
                return {};
              });
}

std::optional<int> hold_to(const Limits& limits, const std::string& program, char** argv) {
  if (!limits.any()) return std::nullopt;
  if (std::getenv(kHeld) != nullptr) return be_held();
  if (check_limits(limits, ::getpid(), {})) return std::nullopt;  // as in a pod
  return Holder(limits, program).run(argv);
}

}  // namespace n2nq::process
