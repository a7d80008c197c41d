#include "workers/recorder/awake.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "broker/base/clock.h"
#include "broker/base/join.h"

namespace n2nq::recorder {
namespace {

constexpr const char* kKeeperName = "awake-keeper";
constexpr const char* kSpinnerName = "awake-spinner";
constexpr const char* kGroupName = "n2nq-awake-";  // and the keeper's number
constexpr const char* kLeastNice = "19";
constexpr int kNice = 19;  // of each spinner: so the kernel counts its time apart from that of usual programs

bool write_to(const std::string& path, const std::string& text) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.valid() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool has_word(const std::string& list, const std::string& word) {
  std::istringstream words(list);
  for (std::string one; std::getline(words, one, ',');)
    if (one == word) return true;
  return false;
}

// Where the groups of the processor are, at their top, so that nobody's own group is weighed with spinners in it.
std::vector<std::string> tops_of_groups() {
  std::vector<std::string> tops;
  std::ifstream mounts("/proc/self/mounts");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string device, folder, kind, options;
    fields >> device >> folder >> kind >> options;
    if ((kind == "cgroup" && has_word(options, "cpu")) || kind == "cgroup2") tops.push_back(folder);
  }
  return tops;
}

// A process that was waited for is counted in its group for a moment longer, and no event tells when no more.
void remove_group(const std::string& group) {
  const int64_t deadline_ns = now_ns() + 5'000'000'000;
  while (::rmdir(group.c_str()) != 0 && errno == EBUSY && now_ns() < deadline_ns) ::sched_yield();
}

// Those of keepers that were killed.
void sweep_groups(const std::string& top) {
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(top, gone)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kGroupName)) continue;
    const pid_t keeper = std::atoi(name.c_str() + std::strlen(kGroupName));
    if (keeper > 0 && ::kill(keeper, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());  // unless it is in use
  }
}

// Nothing: none can be made here.
std::string make_idle_group() {
  for (const std::string& top : tops_of_groups()) {
    sweep_groups(top);
    const std::string group = top + "/" + kGroupName + std::to_string(::getpid());
    if (::mkdir(group.c_str(), 0755) != 0) continue;
    if (write_to(group + "/cpu.idle", "1")) return group;
    ::rmdir(group.c_str());
  }
  return {};
}

bool autogroup_on() {
  return first_line("/proc/sys/kernel/sched_autogroup_enabled") == "1";
}

// No pause instruction: a host takes many of them for a lock that is waited for, and gives the core to somebody else.
[[noreturn]] void spin(pid_t keeper, int ready) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, kSpinnerName);
  if (::getppid() != keeper || ::write(ready, "x", 1) != 1) ::_exit(1);
  ::close(ready);
  for (uint64_t rounds = 0;; rounds++) asm volatile("" : "+r"(rounds));
}

// From outside: by itself it would have to wait for an idle core in the middle of it.
bool make_idle(pid_t spinner, size_t core, const std::string& group) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  const sched_param none{};
  return ::sched_setaffinity(spinner, sizeof cores, &cores) == 0 &&
         ::setpriority(PRIO_PROCESS, static_cast<id_t>(spinner), kNice) == 0 &&
         (group.empty() || write_to(group + "/cgroup.procs", std::to_string(spinner))) &&
         ::sched_setscheduler(spinner, SCHED_IDLE, &none) == 0;
}

// Dying takes processor time as well.
void end_spinner(pid_t spinner, const std::string& group) {
  const sched_param none{};
  ::sched_setscheduler(spinner, SCHED_OTHER, &none);
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(spinner), 0);  // where that is allowed
  if (!group.empty()) write_to(group + "/../cgroup.procs", std::to_string(spinner));
  ::kill(spinner, SIGKILL);
}

std::vector<size_t> own_cores() {
  cpu_set_t mask;
  std::vector<size_t> cores;
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return cores;
  for (size_t core = 0; core < CPU_SETSIZE; core++)
    if (CPU_ISSET(core, &mask)) cores.push_back(core);
  return cores;
}

void say(int out, const std::string& text) {
  if (::write(out, text.data(), text.size()) < 0) ::_exit(1);
}

// Of what its parent has open it keeps two descriptors.
std::pair<int, int> keep_alone(int alive, int out) {
  constexpr int kHigh = 100, kAlive = 3, kOut = 4;
  const Fd first(::fcntl(alive, F_DUPFD_CLOEXEC, kHigh)), second(::fcntl(out, F_DUPFD_CLOEXEC, kHigh));
  ::dup2(first.get(), kAlive);
  ::dup2(second.get(), kOut);
  for (int fd = kOut + 1; fd < kHigh; fd++)
    if (fd != first.get() && fd != second.get()) ::close(fd);
  return {kAlive, kOut};
}

// Tells in one line what there is ("+", the spinners' numbers, a space, a text) or what is in the way ("-"), and goes
// when `alive` ends.
[[noreturn]] void keep(int alive, int out) {
  std::tie(alive, out) = keep_alone(alive, out);
  ::prctl(PR_SET_NAME, kKeeperName);
  ::signal(SIGCHLD, SIG_IGN);  // a spinner that somebody ends is gone, as holds() wants to know
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
  const std::string group = make_idle_group();
  const bool weighed = group.empty() && autogroup_on();
  // A session of its own has a weight of its own, which is that of anybody else until it is made the least.
  const bool light = weighed && ::setsid() > 0 && write_to("/proc/self/autogroup", kLeastNice);
  std::vector<pid_t> spinners;
  std::string trouble;
  if (weighed && !light)
    trouble =
        "no idle control group can be made here, and the kernel's autogroup would let spinners compete; run it as "
        "root, or write 0 to /proc/sys/kernel/sched_autogroup_enabled";
  const std::vector<size_t> cores = own_cores();
  const pid_t self = ::getpid();
  for (size_t i = 0; i < cores.size() && trouble.empty(); i++) {
    int ready[2];
    if (::pipe2(ready, O_CLOEXEC) != 0) break;
    const pid_t spinner = ::fork();
    if (spinner == 0) {
      ::close(alive);
      ::close(out);
      ::close(ready[0]);
      spin(self, ready[1]);
    }
    ::close(ready[1]);
    char byte = 0;
    if (spinner > 0) spinners.push_back(spinner);
    if (spinner < 0 || ::read(ready[0], &byte, 1) != 1 || !make_idle(spinner, cores[i], group))
      trouble = "the spinner of core " + std::to_string(cores[i]) + " cannot be put into the class idle";
    ::close(ready[0]);
  }
  if (trouble.empty()) {
    const std::string numbers = join(spinners, ",", [](pid_t spinner) { return std::to_string(spinner); });
    say(out, "+" + numbers + " " + std::to_string(spinners.size()) + " spinners of class idle, " +
                 (!group.empty() ? "in the idle control group " + group
                  : light        ? "in an autogroup of nice 19"
                                 : "without control group or autogroup") +
                 "\n");
    ::close(out);
    char byte = 0;
    while (::read(alive, &byte, 1) < 0 && errno == EINTR) {
    }
  }
  for (const pid_t spinner : spinners) end_spinner(spinner, group);
  for (const pid_t spinner : spinners) ::waitpid(spinner, nullptr, 0);
  if (!group.empty()) remove_group(group);
  if (!trouble.empty()) say(out, "-" + trouble + "\n");
  ::_exit(0);
}

}  // namespace

Result<Awake> Awake::start() {
  int alive[2], out[2];
  if (::pipe2(alive, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
    return fail(std::string("cannot open a pipe: ") + std::strerror(errno), errno);
  Fd alive_in(alive[0]), alive_out(alive[1]), out_in(out[0]), out_out(out[1]);
  const pid_t keeper = ::fork();
  if (keeper < 0) return fail(std::string("cannot fork: ") + std::strerror(errno), errno);
  if (keeper == 0) {
    // Whoever reads what the bench prints shall not wait for the keeper.
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);
    alive_out = {};
    out_in = {};
    keep(alive_in.get(), out_out.get());
  }
  out_out = {};
  std::string line;
  char byte = 0;
  while (::read(out_in.get(), &byte, 1) == 1 && byte != '\n') line += byte;
  if (line.starts_with("+"))
    return Awake(keeper, std::move(alive_out), spinners_in(line), line.substr(line.find(' ') + 1));
  alive_out = {};
  ::waitpid(keeper, nullptr, 0);
  return fail((line.empty() ? std::string("the keeper of the spinners died") : line.substr(1)));
}

Awake::Awake(Awake&& other) noexcept
    : keeper_(std::exchange(other.keeper_, -1)),
      alive_(std::move(other.alive_)),
      spinners_(std::move(other.spinners_)),
      text_(std::move(other.text_)) {}

std::vector<Awake::Spinner> Awake::spinners_in(const std::string& line) {
  std::vector<Spinner> spinners;
  std::istringstream numbers(line.substr(1, line.find(' ') - 1));
  for (std::string one; std::getline(numbers, one, ',');) {
    Spinner spinner{.pid = std::atoi(one.c_str())};
    if (::clock_getcpuclockid(spinner.pid, &spinner.clock) == 0) spinners.push_back(spinner);
  }
  return spinners;
}

int64_t Awake::cpu_ns() {
  int64_t all = 0;
  for (Spinner& spinner : spinners_) {
    timespec cpu{};
    if (::clock_gettime(spinner.clock, &cpu) == 0)  // else it is gone
      spinner.cpu_ns = std::max(spinner.cpu_ns, int64_t{cpu.tv_sec} * kSecond + cpu.tv_nsec);
    all += spinner.cpu_ns;
  }
  return all;
}

bool Awake::holds() const {
  return std::ranges::all_of(spinners_, [](const Spinner& one) { return ::kill(one.pid, 0) == 0; });
}

Awake::~Awake() {
  if (keeper_ < 0) return;
  alive_ = {};
  ::waitpid(keeper_, nullptr, 0);
}

}  // namespace n2nq::recorder
