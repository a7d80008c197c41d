// The recorder where a host does not let it look, and what it costs, counted by a tracer.
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <cstddef>
#include <functional>
#include <memory>

#include "tests/system/recorder_rig.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// In this process and those it starts: no netlink.
void forbid_netlink() {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = sizeof code / sizeof code[0], .filter = code};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// What it prints, started by hand, until `enough` says so; then it is told to end.
std::vector<Json> lines_of(const std::vector<std::string>& options, const std::function<void()>& prepare,
                           size_t readings) {
  int out[2];
  EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
  const std::string path = program("n2nq-recorder");
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    const int file = ::open(path.c_str(), O_PATH | O_CLOEXEC);  // somebody else may not come that way
    prepare();
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    for (const std::string& option : options) argv.push_back(const_cast<char*>(option.c_str()));
    argv.push_back(nullptr);
    ::fexecve(file, argv.data(), environ);
    ::_exit(127);
  }
  ::close(out[1]);
  std::vector<Json> lines;
  std::string text;
  char part[65536];
  for (ssize_t got = 0; (got = ::read(out[0], part, sizeof part)) > 0;) {
    text.append(part, static_cast<size_t>(got));
    for (size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
      lines.push_back(Json::parse(text.substr(0, end)));
    if (lines.size() > readings) ::kill(pid, SIGTERM);
  }
  ::close(out[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  return lines;
}

TEST(RecorderWithoutNetlink, CountsConnectionsAndSaysWhyTheRestIsMissing) {
  const Connection connection;
  const auto lines = lines_of({"--port", std::to_string(connection.port), "--period", "100ms"}, forbid_netlink, 1);
  ASSERT_GT(lines.size(), 2u);
  const Json& line = lines[1];
  ASSERT_EQ(line.at("connections").size(), 2u) << line;
  for (const Json& side : line.at("connections")) {
    EXPECT_EQ(side.at("connections"), 1);
    for (const char* series : {"rtt_ns", "cwnd_segments", "retransmits", "delivery_rate_bytes_per_s"})
      EXPECT_TRUE(side.at(series).is_null());
  }
  const auto reasons = reasons_of(line, "connections");
  ASSERT_EQ(reasons.size(), 1u) << line;
  EXPECT_THAT(reasons[0], HasSubstr("netlink"));
}

void become_nobody() {
  constexpr uid_t kNobody = 65534;
  if (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
      ::setresuid(kNobody, kNobody, kNobody) != 0)
    ::_exit(126);
}

// A process of nobody, which nobody may read once it is another program. It ends with the one that starts it.
int64_t start_as_nobody() {
  int started[2];
  if (::pipe2(started, O_CLOEXEC) != 0) return -1;
  if (::fork() == 0) {
    become_nobody();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::execl("/bin/sleep", "sleep", "1000", nullptr);
    ::_exit(127);
  }
  ::close(started[1]);
  char nothing = 0;
  const ssize_t at_its_exec = ::read(started[0], &nothing, 1);
  ::close(started[0]);
  return at_its_exec;
}

TEST(RecorderOfSomebodyElse, WhatItMayNotReadIsMissingWithASentenceAndNeverZero) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, so that the recorder can be somebody else";
  Planted roots(start_as_nobody);
  ASSERT_EQ(roots.act(), 0);
  const auto lines = lines_of({"--watch", std::to_string(roots.pid()), "--period", "100ms"}, become_nobody, 1);
  ASSERT_GT(lines.size(), 2u);
  const Json& line = lines[1];
  const Json& process = line.at("processes").at(0);
  EXPECT_TRUE(process.at("disk_written_bytes").is_null()) << process << ": that of its child is not its own";
  EXPECT_TRUE(process.at("descriptors").is_null());
  EXPECT_TRUE(process.at("cpu_ns").is_number()) << "this much everybody may know";
  const auto reasons = reasons_of(line, "process");
  ASSERT_EQ(reasons.size(), 2u) << line;
  for (const std::string& reason : reasons)
    EXPECT_THAT(reason,
                AllOf(HasSubstr("cannot be read: Permission denied"), HasSubstr("as the user of the recorder")));
}

// For what this process becomes: so many open files, whoever it is.
void allow_files(rlim_t files, rlim_t at_most) {
  ::prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0);
  const rlimit limit{.rlim_cur = files, .rlim_max = at_most};
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(RecorderOfManyFiles, RaisesItsLimitAndSaysSoWhereThatIsNotEnough) {
  constexpr rlim_t kFew = 24;  // for itself and some processes
  std::vector<std::unique_ptr<Planted>> planted;
  std::string pids;
  for (int i = 0; i < 10; i++) {
    planted.push_back(std::make_unique<Planted>([] { return int64_t{0}; }));
    planted.back()->act();  // it has waited for that
    pids += (i == 0 ? "" : ",") + std::to_string(planted.back()->pid());
  }
  const std::vector<std::string> options{"--watch", pids, "--period", "100ms"};
  const auto many = lines_of(options, [] { allow_files(kFew, 1000); }, 1);
  ASSERT_GT(many.size(), 2u);
  EXPECT_EQ(many[1].at("processes").size(), 10u);
  for (const Json& process : many[1].at("processes")) EXPECT_GT(process.at("context_switches"), 0) << process;
  EXPECT_TRUE(reasons_of(many[1], "process").empty()) << many[1];
  const auto few = lines_of(options, [] { allow_files(kFew, kFew); }, 1);
  ASSERT_GT(few.size(), 2u);
  for (const Json& process : few[1].at("processes"))
    EXPECT_TRUE(process.at("context_switches").is_null() || process.at("context_switches") > 0) << process;
  const auto reasons = reasons_of(few[1], "process");
  ASSERT_FALSE(reasons.empty()) << few[1];
  for (const std::string& reason : reasons) EXPECT_THAT(reason, HasSubstr("Too many open files"));
}

// What a stopped process has named in its call.
std::string text_at(pid_t pid, uint64_t address) {
  std::string text(16, '\0');
  const iovec here{.iov_base = text.data(), .iov_len = text.size()};
  const iovec there{.iov_base = reinterpret_cast<void*>(address), .iov_len = text.size()};  // NOLINT
  ::process_vm_readv(pid, &here, 1, &there, 1, 0);
  return text.c_str();
}

// Counted by a tracer: from one line that it writes to the next. Without the readings that look for children.
std::vector<int> calls_of_readings(const std::string& pids) {
  const std::string path = program("n2nq-recorder");
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::execl(path.c_str(), path.c_str(), "--period", "100ms", "--watch", pids.c_str(), "--port", "9", nullptr);
    ::_exit(127);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  std::vector<int> readings;
  bool looks = false;
  for (int calls = 0; readings.size() < 10;) {
    ::ptrace(PTRACE_SYSCALL, pid, nullptr, nullptr);
    if (::waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) break;
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) continue;
    __ptrace_syscall_info info{};
    ::ptrace(static_cast<__ptrace_request>(PTRACE_GET_SYSCALL_INFO), pid, sizeof info, &info);
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) continue;
    calls++;
    looks |= info.entry.nr == SYS_openat && text_at(pid, info.entry.args[1]) == "/proc";
    if (info.entry.nr != SYS_write || info.entry.args[0] != STDOUT_FILENO) continue;
    if (!looks) readings.push_back(calls);
    looks = false;
    calls = 0;
  }
  EXPECT_EQ(readings.size(), 10u) << status;
  ::kill(pid, SIGKILL);
  ::waitpid(pid, &status, 0);
  return readings;
}

TEST(RecorderCost, IsAFewSystemCallsForAReadingAndAProcess) {
  std::vector<std::unique_ptr<Planted>> planted;
  std::string pids;
  for (const int processes : {1, 20}) {
    while (planted.size() < static_cast<size_t>(processes)) {
      planted.push_back(std::make_unique<Planted>([] { return int64_t{0}; }));
      pids += (planted.size() == 1 ? "" : ",") + std::to_string(planted.back()->pid());
    }
    // The first ones open files.
    const auto readings = calls_of_readings(pids);
    for (size_t i = 2; i < readings.size(); i++) EXPECT_LE(readings[i], 30 + 8 * processes) << i;
  }
}

}  // namespace
}  // namespace n2nq::test
