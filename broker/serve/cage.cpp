#include "broker/serve/cage.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "broker/base/clock.h"
#include "broker/process/commands.h"
#include "broker/process/podman.h"
#include "broker/process/watcher.h"

namespace n2nq::serve {
namespace {

constexpr int64_t kGuardPatienceNs = 4'000'000'000;
constexpr int64_t kContainerPatienceNs = 3'000'000'000;  // until it has ended by its watcher, and is removed
constexpr int kWatchPipe = 3;                            // where podman passes it on
constexpr const char* kPidFile = "n2nq.pid";
constexpr size_t kMostInput = 32 * 1024;  // that a pipe holds

struct Handles {
  int lifeline;
  int end;
  int input;
  int output;
};

[[noreturn]] void be_the_program(const CagedProgram& program, const Handles& handles, pid_t guard, int watched) {
  process::end_with(guard);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int ignored : {SIGPIPE, SIGXFSZ}) ::signal(ignored, SIG_DFL);
  ::dup2(handles.input, STDIN_FILENO);
  ::dup2(handles.output, STDOUT_FILENO);
  ::dup2(handles.output, STDERR_FILENO);
  if (watched >= 0) ::dup2(watched, kWatchPipe);
  if (watched == kWatchPipe) ::fcntl(watched, F_SETFD, 0);
  process::close_between(watched < 0 ? kWatchPipe : kWatchPipe + 1, ~0U);
  if (::chdir(program.folder.c_str()) != 0) ::_exit(127);
  const auto argv = process::argv_of(program.argv);
  ::execv(argv[0], argv.data());
  ::dprintf(STDERR_FILENO, "cannot start %s: %s\n", argv[0], std::strerror(errno));
  ::_exit(127);
}

void close_all_but(const Handles& handles) {
  std::vector<int> kept{STDERR_FILENO, handles.lifeline, handles.end, handles.input, handles.output};
  std::ranges::sort(kept);
  for (size_t i = 0; i < kept.size(); i++) {
    const auto first = static_cast<unsigned>(kept[i]) + 1;
    const unsigned last = i + 1 < kept.size() ? static_cast<unsigned>(kept[i + 1]) - 1 : ~0U;
    if (first <= last) process::close_between(first, last);
  }
}

// Whoever is gone does without.
void tell(int end, int number) {
  while (::write(end, &number, sizeof number) < 0 && errno == EINTR) {
  }
}

void wait_for(int lifeline) {
  pollfd wait{.fd = lifeline, .events = POLLIN, .revents = 0};
  while (::poll(&wait, 1, -1) < 0 && errno == EINTR) {
  }
}

// It is told nothing but the end of its lifeline, and keeps nothing of this process but its memory.
[[noreturn]] void be_the_guard(const CagedProgram& program, const Handles& handles) {
  // A Ctrl-C is for the process that it guards for. In a session of its own the kernel's autogroup would weigh it apart
  // from workers and queue, which are in that of the bench.
  ::setpgid(0, 0);
  ::prctl(PR_SET_NAME, "n2nq-guard");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  close_all_but(handles);
  // Its own ends of stdin and stdout would keep those open.
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(nothing, standard);
  ::dup2(handles.output, STDERR_FILENO);
  const pid_t guard = ::getpid();
  std::array<int, 2> watched{-1, -1};
  const bool contained = !program.remove.empty();
  const pid_t child = contained && ::pipe2(watched.data(), O_CLOEXEC) != 0 ? -1 : ::fork();
  if (child == 0) be_the_program(program, handles, guard, watched[0]);
  ::close(handles.input);
  tell(handles.end, child);
  if (child > 0)
    if (const auto status = process::wait_for_either(handles.lifeline, child)) tell(handles.end, *status);
  if (contained) {
    ::close(watched[1]);
    for (const int64_t until_ns = now_ns() + kContainerPatienceNs; !process::reap_all() && now_ns() < until_ns;)
      ::poll(nullptr, 0, process::kLookMs);
  }
  process::end_descendants();
  if (contained) process::said_by(program.remove, process::kRemovePatienceMs);
  wait_for(handles.lifeline);  // until then its files can be read
  std::error_code ignored;
  std::filesystem::remove_all(program.folder, ignored);
  ::_exit(0);
}

[[noreturn]] void be_the_watched(char** words, pid_t watcher) {
  process::end_with(watcher);
  std::ofstream pid_file(kPidFile);
  if (!(pid_file << ::getpid() << std::flush)) {
    ::dprintf(STDERR_FILENO, "nothing can be written to the folder of the server\n");
    ::_exit(126);
  }
  ::execvp(words[0], words);
  ::dprintf(STDERR_FILENO, "the image has no %s that can be started (%s); give one that has in bus.image\n", words[0],
            std::strerror(errno));
  ::_exit(127);
}

}  // namespace

int watch(char** words) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::fcntl(kWatchPipe, F_SETFD, FD_CLOEXEC);
  const pid_t watcher = ::getpid();
  const pid_t child = words[0] != nullptr ? ::fork() : -1;
  if (child == 0) be_the_watched(words, watcher);
  if (child < 0) return 126;
  ::close(STDIN_FILENO);
  const auto status = process::wait_for_either(kWatchPipe, child);
  process::end_descendants();
  if (!status) return 0;
  if (!WIFSIGNALED(*status)) return WEXITSTATUS(*status);
  const int signal = WTERMSIG(*status);
  ::dprintf(STDERR_FILENO, "%s was ended by %s\n", words[0], process::signal_words(signal, "bus.memory").c_str());
  return process::kSignalled + signal;
}

pid_t watched_in(const std::string& folder) {
  std::ifstream in(folder + "/" + kPidFile);
  pid_t pid = 0;
  in >> pid;
  return pid;
}

Result<Cage> Cage::start(const CagedProgram& program) {
  if (program.input.size() > kMostInput) return fail("more than 32 KiB of settings for a server");
  auto lifeline = process::make_pipe("a server");
  auto end = process::make_pipe("a server");
  auto input = process::make_pipe("a server");
  if (!lifeline || !end || !input) return std::unexpected((!lifeline ? lifeline : !end ? end : input).error());
  Fd output(::open(program.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!output.valid())
    return fail("the log of the server cannot be written: " + program.output_file + ": " + std::strerror(errno), errno);
  if (::write(input->write.get(), program.input.data(), program.input.size()) !=
      static_cast<ssize_t>(program.input.size()))
    return fail("the settings of a server cannot be handed over");
  input->write.reset();
  const pid_t guard = ::fork();
  if (guard < 0) return fail(std::string("no process for a server: ") + std::strerror(errno), errno);
  if (guard == 0)
    be_the_guard(program, {.lifeline = lifeline->read.get(),
                           .end = end->write.get(),
                           .input = input->read.get(),
                           .output = output.get()});
  end->write.reset();
  pid_t pid = -1;
  const bool told = ::read(end->read.get(), &pid, sizeof pid) == sizeof pid;
  const int64_t more_ns =
      program.remove.empty() ? 0 : kContainerPatienceNs + process::kRemovePatienceMs * int64_t{1'000'000};
  Cage cage(guard, pid, kGuardPatienceNs + more_ns, std::move(lifeline->write), std::move(end->read), program.remove);
  if (!told || pid < 0) return fail("no process for a server: the system allows none");
  return cage;
}

std::string Cage::how_it_ended() const {
  int status = 0;
  if (::read(end_.get(), &status, sizeof status) != sizeof status) return "with its guard";
  if (WIFSIGNALED(status))
    return "by signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
  return "with exit code " + std::to_string(WEXITSTATUS(status));
}

void Cage::end() {
  if (!end_.valid()) return;
  begin_to_end();
  end_.reset();
  const int64_t until_ns = now_ns() + patience_ns_;
  int status = 0;
  while (::waitpid(guard_, &status, WNOHANG) == 0) {
    if (now_ns() > until_ns) ::kill(guard_, SIGKILL);  // it was stopped; the system ends its child with it
    ::poll(nullptr, 0, 1);
  }
  if (status != 0 && !remove_.empty())
    process::said_by(remove_, process::kRemovePatienceMs);  // which a container may outlive
}

}  // namespace n2nq::serve
