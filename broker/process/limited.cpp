#include "broker/process/limited.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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
constexpr int kNotStarted = 126;
constexpr int kPodmansOwn = 125;  // exit codes from there on may be its own, and it may have left something

// What podman passes on, from 3 on.
enum Handle : int { kLifeline = 3, kTold, kGo, kInput, kOutput, kErrors, kEnd };
constexpr int kAbove = 64;  // where descriptors are in nobody's way

// What nohup, and shells for what they start in the background, have let this process ignore stays ignored; TERM and
// INT our programs take all the same.
sigset_t passed_on() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
    struct sigaction now{};
    const bool ignored = ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    if (!ignored || signal == SIGTERM || signal == SIGINT) sigaddset(&set, signal);
  }
  return set;
}

int code_of(pid_t child) {
  const auto status = wait_for_either(kLifeline, child);
  if (!status) ::kill(child, SIGKILL);
  if (!status) return kSignalled + SIGKILL;
  if (!WIFSIGNALED(*status)) return WEXITSTATUS(*status);
  if (WTERMSIG(*status) == SIGKILL)
    ::dprintf(STDERR_FILENO, "ended by %s\n", signal_words(SIGKILL, "its limit (memory)").c_str());
  return kSignalled + WTERMSIG(*status);
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
  close_between(kGo, kEnd - 1);
  const int code = code_of(child);
  [[maybe_unused]] const ssize_t told = ::write(kTold, &code, sizeof code);  // unless the one outside is gone
  return code;
}

void keep_link(const fs::path& from, const fs::path& to) {
  std::error_code error;
  const fs::path target = fs::read_symlink(from, error);
  if (fs::read_symlink(to, error) == target) return;
  fs::remove(to, error);
  fs::create_symlink(target, to, error);
}

// A folder with a place for each of the computer's, of this user alone, that is kept: containers come and go in it.
Result<fs::path> make_root(std::vector<std::string>& words) {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (error) return fail("there is no folder for temporary files: " + error.message() + "; see TMPDIR", error.value());
  const fs::path root = temporary / ("n2nq-root-" + std::to_string(::geteuid()));
  if (::mkdir(root.c_str(), 0700) != 0 && errno != EEXIST)
    return fail(root.string() + " cannot be made: " + std::strerror(errno), errno);
  struct stat found{};
  if (::lstat(root.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() ||
      (found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fail(root.string() + " is no folder of this user alone; remove it");
  for (const auto& entry : fs::directory_iterator("/", error)) {
    const std::string name = entry.path().filename();
    if (entry.is_symlink(error)) {
      keep_link(entry.path(), root / name);
    } else if (entry.is_directory(error) && name != "proc" && name != "sys" && name != "dev") {
      if (fs::is_symlink(root / name, error)) fs::remove(root / name, error);
      words.insert(words.end(), {"--mount", bind_mount(entry.path(), entry.path())});
    }
  }
  return root;
}

std::string umask_text() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%04o", static_cast<unsigned>(mask));
  return text.data();
}

// Rootless, the system lets nobody pass them on.
void add_groups(std::vector<std::string>& words) {
  if (::geteuid() != 0) return;
  std::vector<gid_t> groups(static_cast<size_t>(std::max(0, ::getgroups(0, nullptr))));
  const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  for (int i = 0; i < count; i++)
    words.insert(words.end(), {"--group-add", std::to_string(groups[static_cast<size_t>(i)])});
}

struct Command {
  std::vector<std::string> words{};
  fs::path root{};
};

Result<Command> command(const Limits& limits, const std::string& podman, const std::string& name, char** argv) {
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
                             "--read-only",
                             "--read-only-tmpfs=false",
                             "--umask",
                             umask_text(),
                             "--workdir",
                             fs::current_path(error).string(),
                             "--env-host",
                             "--env",
                             std::string(kHeld) + "=1"});
  add_groups(words);
  const auto root = make_root(words);
  if (!root) return std::unexpected(root.error());
  words.insert(words.end(), {"--rootfs", root->string(), fs::read_symlink("/proc/self/exe", error).string()});
  for (char** word = argv + 1; *word != nullptr; word++) words.emplace_back(*word);
  return Command{.words = std::move(words), .root = *root};
}

// It outlives this process if that is killed: in the midst of its start it would leave what nobody knows how to end.
// What it has started ends with the pipe, and then so does it.
[[noreturn]] void be_podman(const Command& command, const std::array<int, kEnd - kLifeline>& passed,
                            const sigset_t& blocked) {
  if (::chdir(command.root.c_str()) != 0) ::_exit(kNotStarted);  // its monitor leaves a file "oom" where it was started
  ::setpgid(0, 0);                                               // a Ctrl-C is for the process that waits for it
  ::sigprocmask(SIG_UNBLOCK, &blocked, nullptr);
  std::array<int, kEnd - kLifeline> above{};
  for (size_t i = 0; i < passed.size(); i++) above[i] = ::fcntl(passed[i], F_DUPFD, kAbove);
  for (size_t i = 0; i < above.size(); i++) ::dup2(above[i], kLifeline + static_cast<int>(i));
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(nothing, standard);
  close_between(kEnd, ~0U);
  const auto argv = argv_of(command.words);
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
    const auto run = command(limits_, *podman, name, argv);
    if (!run) return complain(run.error().text);
    if (auto started = start(*run); !started) return complain(started.error().text);
    const bool well = wait();
    lifeline_.reset();
    if (!well) said_by(podman_remove(*podman, name), kRemovePatienceMs);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (refused_) return static_cast<int>(ExitCode::local_trouble);
    if (child_ != 0) return end_like(code_);
    if (told_to_end_ != 0) return end_like(kSignalled + told_to_end_);
    return complain("podman has not started it with its limits; what it says is above");
  }

 private:
  Result<void> start(const Command& command) {
    auto lifeline = make_pipe("podman"), told = make_pipe("podman"), go = make_pipe("podman");
    if (!lifeline || !told || !go) return std::unexpected((!lifeline ? lifeline : !told ? told : go).error());
    const sigset_t signals = passed_on();
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGCHLD, SIG_DFL);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // of what podman leaves
    signals_ = Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    podman_ = ::fork();
    if (podman_ < 0) return fail(std::string("no process for podman: ") + std::strerror(errno), errno);
    if (podman_ == 0)
      be_podman(command,
                {lifeline->read.get(), told->write.get(), go->read.get(), STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO},
                signals);
    over_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, podman_, 0)));
    lifeline_ = std::move(lifeline->write);
    told_ = std::move(told->read);
    go_ = std::move(go->write);
    return {};
  }

  // For the end of podman, which comes with that of its container; false: it did not, or not as it should.
  bool wait() {
    while (true) {
      int status = 0;
      if (const pid_t ended = ::waitpid(-1, &status, WNOHANG); ended == podman_)
        return WIFEXITED(status) && WEXITSTATUS(status) < kPodmansOwn;
      else if (ended > 0)
        continue;
      if (until_ns_ && now_ns() > *until_ns_) {
        ::kill(podman_, SIGKILL);
        ::waitpid(podman_, nullptr, 0);
        return false;
      }
      std::array<pollfd, 3> waits{{{.fd = signals_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = told_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = over_.get(), .events = POLLIN, .revents = 0}}};
      ::poll(waits.data(), waits.size(), over_.valid() && !until_ns_ ? -1 : kLookMs);
      if (waits[1].revents != 0) child_ == 0 ? take_child() : take_code();
      signalfd_siginfo info{};
      if (waits[0].revents != 0 && ::read(signals_.get(), &info, sizeof info) == sizeof info)
        pass_on(static_cast<int>(info.ssi_signo));
    }
  }

  // The watcher tells it, or is gone. Podman may hang, if its monitor is.
  void take_code() {
    int code = 0;
    if (::read(told_.get(), &code, sizeof code) == sizeof code) code_ = code;
    told_.reset();
    until_ns_ = now_ns() + kRemovePatienceMs * int64_t{1'000'000};
  }

  void take_child() {
    pid_t child = 0;
    if (::read(told_.get(), &child, sizeof child) != sizeof child) return told_.reset();
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
    if (told_to_end_ != 0) handle_.signal(told_to_end_);
  }

  void pass_on(int signal) {
    told_to_end_ = signal;
    if (child_ != 0) handle_.signal(signal);
  }

  // Whoever waits for it sees the signal itself.
  static int end_like(int code) {
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
  Fd signals_, lifeline_, told_, go_, over_;
  pid_t podman_ = 0;
  pid_t child_ = 0;  // in the container, by its number here
  ProcessHandle handle_;
  int code_ = kSignalled + SIGKILL;    // of that
  std::optional<int64_t> until_ns_{};  // podman has ended
  int told_to_end_ = 0;                // by that signal
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
