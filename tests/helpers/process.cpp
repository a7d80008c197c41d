#include "tests/helpers/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace n2nq::test {
namespace {

constexpr int kPipeBytes = 1 << 20;

std::set<pid_t>& lasting() {
  static std::set<pid_t> pids;
  return pids;
}

// In the environment of every child, so that strays are found whoever their parent is by now.
const std::string& mark() {
  static const std::string value = "N2NQ_TEST_MARK=" + std::to_string(::getpid()) + "-" +
                                   std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
  return value;
}

std::array<int, 2> open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  ::fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);
  return ends;
}

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

// Empty when the process behind the file is gone by now, which a file stream would make an exception of.
std::string slurp(const std::filesystem::path& path) {
  std::string text;
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char buffer[65536];
  for (ssize_t n = 0; fd >= 0 && (n = ::read(fd, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(n));
  close_fd(fd);
  return text;
}

[[noreturn]] void become(const std::vector<std::string>& argv, int in, int out, int err, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  ::signal(SIGPIPE, SIG_DFL);
  std::vector<char*> args;
  for (const auto& arg : argv) args.push_back(const_cast<char*>(arg.c_str()));
  args.push_back(nullptr);
  std::vector<char*> env;
  for (char** entry = environ; *entry; ++entry) env.push_back(*entry);
  env.push_back(const_cast<char*>(mark().c_str()));
  env.push_back(nullptr);
  ::execve(args[0], args.data(), env.data());
  ::dprintf(2, "cannot start %s: %s\n", args[0], std::strerror(errno));
  ::_exit(127);
}

}  // namespace

std::string to_string(const Exit& exit) {
  return exit.signal ? "signal " + std::to_string(exit.signal) : "code " + std::to_string(exit.code);
}

void PrintTo(const Exit& exit, std::ostream* out) {
  *out << to_string(exit);
}

Process::Process(std::vector<std::string> argv, Stdin in) {
  auto out = open_pipe(), err = open_pipe();
  std::array<int, 2> input{::open("/dev/null", O_RDONLY | O_CLOEXEC), -1};
  if (in == Stdin::pipe) {
    close_fd(input[0]);
    input = open_pipe();
  }
  mark();
  pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("no fork");
  if (pid_ == 0) become(argv, input[0], out[1], err[1], parent);
  ::setpgid(pid_, pid_);
  pidfd_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  close_fd(input[0]);
  close_fd(out[1]);
  close_fd(err[1]);
  stdin_ = input[1];
  out_.fd = out[0];
  err_.fd = err[0];
  ::fcntl(out_.fd, F_SETFL, O_NONBLOCK);
  ::fcntl(err_.fd, F_SETFL, O_NONBLOCK);
  if (pidfd_ < 0) throw std::runtime_error("no pidfd");
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::exchange(other.pidfd_, -1)),
      stdin_(std::exchange(other.stdin_, -1)),
      out_{std::exchange(other.out_.fd, -1), std::move(other.out_.text)},
      err_{std::exchange(other.err_.fd, -1), std::move(other.err_.text)},
      taken_(other.taken_),
      exit_(other.exit_) {}

Process::~Process() {
  if (pid_ > 0 && !exit_) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
  }
  close_fd(stdin_);
  close_fd(out_.fd);
  close_fd(err_.fd);
  close_fd(pidfd_);
}

void Process::signal(int number) const {
  if (pid_ > 0 && !exit_) ::kill(pid_, number);
}

void Process::send_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  auto before = ::signal(SIGPIPE, SIG_IGN);
  size_t done = 0;
  while (done < text.size()) {
    ssize_t n = ::write(stdin_, text.data() + done, text.size() - done);
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  ::signal(SIGPIPE, before);
}

void Process::close_stdin() {
  close_fd(stdin_);
}

bool Process::Stream::read_some() {
  if (fd < 0) return false;
  char buffer[65536];
  ssize_t n = ::read(fd, buffer, sizeof buffer);
  if (n > 0) text.append(buffer, static_cast<size_t>(n));
  if (n == 0) close_fd(fd);
  return n > 0;
}

bool Process::pump(const Deadline& deadline) {
  std::array<pollfd, 3> fds{{{out_.fd, POLLIN, 0}, {err_.fd, POLLIN, 0}, {exit_ ? -1 : pidfd_, POLLIN, 0}}};
  if (out_.fd < 0 && err_.fd < 0 && exit_) return false;
  // A stray grandchild may hold a pipe open for ever; what matters is there once the child is gone.
  if (!exit_ && ::poll(fds.data(), fds.size(), deadline.poll_ms()) <= 0) return !deadline.passed();
  if (fds[2].revents) reap();
  bool more = out_.read_some();
  more = err_.read_some() || more;
  if (exit_ && !more) {
    close_fd(out_.fd);
    close_fd(err_.fd);
  }
  return true;
}

void Process::reap() {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0) return;
  exit_ = info.si_code == CLD_EXITED ? Exit{.code = info.si_status} : Exit{.signal = info.si_status};
}

void Process::drain() {
  while (out_.read_some() || err_.read_some()) {
  }
}

std::optional<std::string> Process::take_line() {
  size_t end = out_.text.find('\n', taken_);
  if (end == std::string::npos) return std::nullopt;
  std::string line = out_.text.substr(taken_, end - taken_);
  taken_ = end + 1;
  return line;
}

std::optional<std::string> Process::wait_line(const std::function<bool(const std::string&)>& wanted,
                                              Deadline deadline) {
  for (;;) {
    while (auto line = take_line()) {
      if (wanted(*line)) return line;
    }
    if (!pump(deadline)) return std::nullopt;
  }
}

std::optional<std::string> Process::next_line(Deadline deadline) {
  return wait_line([](const std::string&) { return true; }, deadline);
}

bool Process::wait_err(std::string_view part, Deadline deadline, int times) {
  const auto there = [&] {
    size_t from = 0;
    int found = 0;
    while (found < times && (from = err_.text.find(part, from)) != std::string::npos) found++, from += part.size();
    return found == times;
  };
  while (!there())
    if (!pump(deadline)) return there();
  return true;
}

std::optional<Exit> Process::wait_exit(Deadline deadline) {
  while (pump(deadline)) {
  }
  return exit_;
}

std::vector<std::string> Process::out_lines() const {
  std::vector<std::string> lines;
  size_t from = 0;
  for (size_t end = 0; (end = out_.text.find('\n', from)) != std::string::npos; from = end + 1) {
    lines.push_back(out_.text.substr(from, end - from));
  }
  if (from < out_.text.size()) lines.push_back(out_.text.substr(from));
  return lines;
}

void SecretWatch::look() {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string pid = entry.path().filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string name = slurp(entry.path() / "comm");
    while (name.ends_with('\n')) name.pop_back();
    // Another test's, which may have the same secrets to make its keys with.
    const std::string environment = slurp(entry.path() / "environ");
    if (environment.find("N2NQ_TEST_MARK=") != std::string::npos && environment.find(mark()) == std::string::npos)
      continue;
    bool whole = true;
    for (const char* part : {"cmdline", "environ"}) {
      const std::string text = slurp(entry.path() / part);
      whole = whole && !text.empty();
      for (size_t i = 0; i < secrets_.size(); i++)
        if (text.find(secrets_[i]) != std::string::npos)
          found_.insert(name + ": " + part + " holds secret " + std::to_string(i + 1));
    }
    if (whole) looked_at_.insert(name);
  }
}

bool SecretWatch::look_until_exit(Process& process, Deadline deadline) {
  do {
    look();
    if (process.wait_exit(Deadline::window(std::chrono::milliseconds(20)))) return true;
  } while (!deadline.passed());
  return false;
}

pid_t parent_of(pid_t pid) {
  const std::string stat = slurp("/proc/" + std::to_string(pid) + "/stat");
  const size_t name_end = stat.rfind(')');
  return name_end == std::string::npos ? 0 : std::atoi(stat.c_str() + name_end + 4);
}

std::string comm_of(pid_t pid) {
  std::string name = slurp("/proc/" + std::to_string(pid) + "/comm");
  if (!name.empty()) name.pop_back();  // the end of the line
  return name;
}

bool wait_gone(pid_t pid, Deadline deadline) {
  int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) return errno == ESRCH;
  pollfd ended{.fd = fd, .events = POLLIN, .revents = 0};
  while (::poll(&ended, 1, deadline.poll_ms()) < 0 && errno == EINTR) {
  }
  close_fd(fd);
  return ended.revents != 0;
}

namespace {

// With all that it has started.
bool is_to_last(pid_t pid) {
  while (pid > 1 && !lasting().contains(pid)) pid = parent_of(pid);
  return pid > 1;
}

}  // namespace

void let_last(pid_t pid) {
  lasting().insert(pid);
}

std::vector<std::string> processes_left() {
  std::vector<std::string> left;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    if (is_to_last(std::atoi(entry.path().filename().c_str()))) continue;
    bool ours = slurp(entry.path() / "environ").find(mark()) != std::string::npos;
    // A zombie has no environment any more, but it still names its parent.
    std::string stat = slurp(entry.path() / "stat");
    size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos) continue;
    if (stat.compare(name_end, 4, ") Z ") == 0) ours = std::atoi(stat.c_str() + name_end + 4) == ::getpid();
    if (ours) left.push_back(stat.substr(0, name_end + 3));
  }
  return left;
}

std::vector<std::string> processes_left_at(Deadline deadline) {
  std::vector<std::string> left = processes_left();
  for (; !left.empty() && !deadline.passed(); left = processes_left())
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return left;
}

std::string output_of(const std::vector<std::string>& argv) {
  Process process(argv);
  const auto exit = process.wait_exit(std::chrono::seconds(60));
  if (exit && exit->code == 0) return process.out();
  std::string line;
  for (const std::string& argument : argv) line += argument + " ";
  throw std::runtime_error(line + "failed: " + process.err());
}

}  // namespace n2nq::test
