// Senders, receivers and queues that are held to processors and memory: the kernel holds them, they do what they do
// without, and nothing of them is left, whoever is killed.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/helpers/lab/boxes.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class Limited : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = Boxes::why_not()) GTEST_SKIP() << *why;
    boxes_ = std::make_unique<Boxes>();
    boxes_->enter_environment();
  }
  ~Limited() override {
    if (boxes_ == nullptr) return;
    EXPECT_TRUE(boxes_->wait_no_container(20s));
    EXPECT_THAT(processes_left_at(10s), IsEmpty());
    for (Deadline deadline(20s); !of_containers(outside_).empty() && !deadline.passed();)
      std::this_thread::sleep_for(20ms);
    EXPECT_THAT(of_containers(outside_), IsEmpty());
  }
  // Podman and its monitors, of what these have started: others may run beside them.
  static std::vector<pid_t> of_containers(const std::vector<pid_t>& outside) {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const pid_t pid = std::atoi(entry.path().filename().c_str());
      if (pid <= 0) continue;
      const std::string name = comm_of(pid);
      if (name != "podman" && name != "conmon") continue;
      std::ostringstream text;  // which does not throw where the process ends just now
      text << std::ifstream(entry.path() / "cmdline").rdbuf();
      const std::string words = text.str();
      for (const pid_t each : outside)
        if (words.contains("n2nq-limited-" + std::to_string(each) + "-")) found.push_back(pid);
    }
    return found;
  }
  Process& start(const std::string& name, const Options& options, Process::Stdin in = Process::Stdin::null) {
    Process& process = stage_.start_raw(name, options, in);
    outside_.push_back(process.pid());
    return process;
  }
  Process& start_queue(Options options, Process::Stdin in = Process::Stdin::null) {
    options.insert(options.end(), {"--listen", stage_.address(), "--insecure-no-token"});
    return start("n2nq-broker", options, in);
  }
  static pid_t pid_in(Process& process) { return await_json(process, "ready", 60s).value("pid", 0); }

  std::unique_ptr<Boxes> boxes_;
  Stage stage_;
  std::vector<pid_t> outside_;
};

TEST_F(Limited, ProcessesAreHeldByTheKernelAndCarryARun) {
  Process& broker = start_queue({"--cpus", "0.5", "--memory", "300MiB", "--expect-senders", "2", "--expect-receivers",
                                 "3", "--mode", "load-balancer"});
  const pid_t queue = pid_in(broker);
  Process& receiving = start(
      "n2nq-receiver", {"--broker", stage_.address(), "--count", "3", "--cpus", "0.25", "--log-dir", stage_.logs()});
  const pid_t receiver = pid_in(receiving);
  for (const auto& [pid, quota, memory] :
       {std::tuple(queue, "50000", "314572800"), std::tuple(receiver, "25000", "")}) {
    EXPECT_THAT(group_has(pid, "cpu", "cpu.cfs_quota_us", "cpu.max"), testing::StartsWith(quota));
    if (*memory != '\0') {
      EXPECT_EQ(group_has(pid, "memory", "memory.limit_in_bytes", "memory.max"), memory);
    }
  }
  EXPECT_NE(queue, broker.pid());
  EXPECT_EQ(boxes_->containers().size(), 2u);
  Process& sending = start("n2nq-sender", {"--broker", stage_.address(), "--count", "2", "--messages", "100", "--delay",
                                           "1ms", "--memory", "64MiB"});
  for (Process* each : {&sending, &receiving, &broker}) {
    const auto exit = each->wait_exit(60s);
    ASSERT_TRUE(exit) << each->err();
    EXPECT_EQ(exit->code, 0) << each->out() << each->err();
  }
  EXPECT_THAT(receiving.out(), HasSubstr("\"received\":200"));
  EXPECT_TRUE(std::filesystem::exists(stage_.logs() / "receiver-1.log")) << "its files are the host's";
}

TEST_F(Limited, AProcessIsToldWhatTheOneOutsideIsTold) {
  Process& stopped = start_queue({"--cpus", "1"});
  pid_in(stopped);
  stopped.signal(SIGTERM);
  EXPECT_EQ(stopped.wait_exit(20s), Exit{.code = 4});
  EXPECT_THAT(stopped.out(), HasSubstr("told to stop by a signal"));

  Process& controlled =
      start("n2nq-broker", {"--controlled", "--cpus", "1", "--listen", stage_.address()}, Process::Stdin::pipe);
  controlled.send_line(R"({"type":"hello","token":"t"})");
  EXPECT_GT(pid_in(controlled), 0) << "it has read its token";
  controlled.close_stdin();
  ASSERT_TRUE(controlled.wait_exit(30s)) << "the end of stdin is the end of control";
  EXPECT_THAT(controlled.err(), HasSubstr("control lost"));
}

TEST_F(Limited, AProcessHasWhatItWouldHaveWithout) {
  ::setenv("N2NQ_TEST_WORD", "with a blank", 1);
  Process broker({"/bin/sh", "-c", "umask 027; trap '' HUP; exec \"$@\"", "sh", program("n2nq-broker"), "--cpus", "1",
                  "--insecure-no-token", "--listen", stage_.address()});
  const pid_t inside = pid_in(broker);
  const auto file_of = [inside](const char* name) {
    std::ifstream file("/proc/" + std::to_string(inside) + "/" + name);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  EXPECT_THAT(file_of("status"), HasSubstr("Umask:\t0027"));
  EXPECT_THAT(file_of("environ"), HasSubstr("N2NQ_TEST_WORD=with a blank"));
  EXPECT_EQ(group_has(inside, "pids", "pids.max", "pids.max"), "max");
  broker.signal(SIGHUP);
  broker.signal(SIGTERM);
  EXPECT_EQ(broker.wait_exit(20s), Exit{.code = 4}) << "HUP is ignored";
}

// Also in the midst of podman's work, which does not show what it leaves then.
TEST_F(Limited, NothingIsLeftWhenItIsEndedWhileItStarts) {
  for (const int signal : {SIGKILL, SIGTERM})
    for (int after_ms = 0; after_ms <= 320; after_ms += 40) {
      SCOPED_TRACE(std::to_string(signal) + " after " + std::to_string(after_ms));
      Process& broker = start_queue({"--cpus", "1"});
      std::this_thread::sleep_for(std::chrono::milliseconds(after_ms));
      broker.signal(signal);
      const auto exit = broker.wait_exit(20s);
      ASSERT_TRUE(exit);
      EXPECT_TRUE(exit->signal == signal || (signal == SIGTERM && exit->code == 4)) << to_string(*exit);
    }
}

TEST_F(Limited, NothingIsLeftWhenAProcessBetweenIsKilled) {
  for (const char* who : {"podman", "conmon"}) {
    SCOPED_TRACE(who);
    Process& broker = start_queue({"--cpus", "1"});
    const pid_t inside = pid_in(broker);
    std::vector<pid_t> found;
    for (const pid_t pid : of_containers({broker.pid()}))
      if (comm_of(pid) == who) found.push_back(pid);
    ASSERT_EQ(found.size(), 1u);
    ::kill(found.front(), SIGKILL);
    broker.signal(SIGTERM);
    EXPECT_TRUE(broker.wait_exit(60s)) << "podman asks for 10 s after a monitor that is gone";
    EXPECT_TRUE(wait_gone(inside, 10s));
  }
}

TEST_F(Limited, AProcessAndTheOneOutsideEndEachOther) {
  for (const bool outside : {true, false}) {
    SCOPED_TRACE(outside);
    Process& broker = start_queue({"--cpus", "1"});
    const pid_t inside = pid_in(broker);
    ::kill(outside ? broker.pid() : inside, SIGKILL);
    EXPECT_EQ(broker.wait_exit(20s), Exit{.signal = SIGKILL});
    EXPECT_TRUE(wait_gone(inside, 10s));
  }
}

TEST_F(Limited, AProcessThatWantsMoreMemoryIsKilledAndThatIsSaid) {
  std::filesystem::remove("oom");
  Process& broker = start_queue({"--memory", "32MiB", "--max-memory", "400MiB", "--max-message", "1MiB", "--mode",
                                 "load-balancer", "--expect-senders", "1", "--expect-receivers", "1"});
  pid_in(broker);
  Process& receiving = start(
      "n2nq-receiver", {"--broker", stage_.address(), "--count", "1", "--service-time", "60s", "--requests", "1"});
  Process& sending = start("n2nq-sender", {"--broker", stage_.address(), "--count", "1", "--messages", "300", "--size",
                                           "1MiB", "--delay", "0"});
  EXPECT_EQ(broker.wait_exit(60s), Exit{.signal = SIGKILL}) << broker.err();
  EXPECT_THAT(broker.err(), HasSubstr("it wanted more memory than its limit (memory) allows; give more"));
  EXPECT_FALSE(std::filesystem::exists("oom")) << "podman's monitor leaves it where it was started";
  EXPECT_TRUE(sending.wait_exit(30s));
  receiving.signal(SIGTERM);
  EXPECT_TRUE(receiving.wait_exit(30s));
}

TEST_F(Limited, AProcessThatIsNotHeldDoesNotBegin) {
  // A podman that holds nothing: it starts what it is given.
  const std::string folder = stage_.dir().path();
  std::ofstream(folder + "/podman") << "#!/bin/sh\nwhile [ \"$1\" != --rootfs ]; do shift; done\nshift 2\n"
                                       "N2NQ_HELD=1 exec \"$@\"\n";
  std::filesystem::permissions(folder + "/podman", std::filesystem::perms(0755));
  struct Case {
    std::string path, limit, value, said;
  };
  for (const Case& each :
       {Case{"/nowhere", "--cpus", "0.01", "podman is not installed here, and limits of processors and memory need it"},
        Case{folder + ":/usr/bin:/bin", "--cpus", "0.01", "it is not held to cpus=0.01"},
        Case{folder + ":/usr/bin:/bin", "--memory", "8MiB", "it is not held to memory=8MiB"}}) {
    SCOPED_TRACE(each.path + each.limit);
    Process broker({"/usr/bin/env", "PATH=" + each.path, program("n2nq-broker"), each.limit, each.value,
                    "--insecure-no-token", "--listen", stage_.address()});
    EXPECT_EQ(broker.wait_exit(20s), Exit{.code = 3});
    EXPECT_THAT(broker.err(), HasSubstr(each.said));
    EXPECT_EQ(broker.out(), "") << "it has not begun";
  }
}

}  // namespace
}  // namespace n2nq::test
