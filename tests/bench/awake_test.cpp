// The spinners of `bus_bench --awake`: there is one a core while it measures, in the class idle and in nobody's way,
// and none after its end, whichever way it ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sched.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "tests/helpers/process.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

struct Spinner {
  pid_t pid = 0;
  size_t core = 0;
  bool operator<(const Spinner& other) const { return core < other.core; }
};

class AwakeTest : public testing::Test {
 protected:
  static Process start(int rounds) {
    return Process({N2NQ_BUS_BENCH, "--awake", "--floor-only", "--skip-counts", "--workloads", "A", "--seconds", "0.2",
                    "--rounds", std::to_string(rounds)});
  }
  static size_t own_cores() {
    cpu_set_t cores;
    EXPECT_EQ(::sched_getaffinity(0, sizeof cores, &cores), 0);
    return static_cast<size_t>(CPU_COUNT(&cores));
  }
  // Of this bench, each in the class idle and on one core alone: a core with several of them counts once.
  static std::set<Spinner> spinners(const Process& bench) {
    std::set<Spinner> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      if (line_of(entry.path() / "comm") != "awake-spinner" || !belongs_to(entry.path(), bench.pid())) continue;
      const pid_t pid = std::stoi(entry.path().filename());
      cpu_set_t cores;
      if (::sched_getscheduler(pid) != SCHED_IDLE || ::sched_getaffinity(pid, sizeof cores, &cores) != 0) continue;
      if (CPU_COUNT(&cores) != 1) continue;
      size_t core = 0;
      while (!CPU_ISSET(core, &cores)) core++;
      found.insert({.pid = pid, .core = core});
    }
    return found;
  }
  static bool measures(const Process& bench) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc"))
      if (line_of(entry.path() / "comm") == "bench_clients" && parent_of(entry.path()) == bench.pid()) return true;
    return false;
  }
  // Those that there are while it measures.
  static std::set<Spinner> wait_for_all(const Process& bench) {
    const Deadline deadline(60s);
    while (!measures(bench) && !deadline.passed()) std::this_thread::yield();
    return spinners(bench);
  }
  // Its keeper is the bench's child.
  static bool belongs_to(const std::filesystem::path& process, pid_t bench) {
    const int keeper = parent_of(process);
    return keeper > 1 && parent_of("/proc/" + std::to_string(keeper)) == bench;
  }
  static int parent_of(const std::filesystem::path& process) {
    return test::parent_of(std::atoi(process.filename().c_str()));
  }
  // A word on how little it weighs: its control group is idle, or it has an autogroup of the least weight, or groups
  // have no say here.
  static std::string weight_of(const Spinner& spinner) {
    const std::filesystem::path process = "/proc/" + std::to_string(spinner.pid);
    std::ifstream groups(process / "cgroup");
    for (std::string line; std::getline(groups, line);) {
      const size_t at = line.find("/n2nq-awake-");
      if (at == std::string::npos) continue;
      for (const char* top : {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"})
        if (line_of(top + line.substr(at) + "/cpu.idle") == "1") return "idle group " + (top + line.substr(at));
    }
    if (line_of("/proc/sys/kernel/sched_autogroup_enabled") != "1") return "no autogroup";
    return line_of(process / "autogroup").ends_with("nice 19") ? "light autogroup" : "";
  }
  static std::vector<std::string> what_is_left(const std::string& weight) {
    std::vector<std::string> left = processes_left();
    if (weight.starts_with("idle group ") && std::filesystem::exists(weight.substr(11))) left.push_back(weight);
    return left;
  }
  static void expect_nothing_left(const std::string& weight) {
    const Deadline deadline(20s);
    while (!what_is_left(weight).empty() && !deadline.passed()) std::this_thread::yield();
    EXPECT_THAT(what_is_left(weight), IsEmpty());
  }
};

TEST_F(AwakeTest, ASpinnerOfTheIdleClassIsOnEachCoreAndGoesWithTheTable) {
  Process bench = start(2);
  const std::set<Spinner> all = wait_for_all(bench);
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  for (const Spinner& one : all) EXPECT_NE(weight_of(one), "") << "it competes with what is measured";
  ASSERT_EQ(bench.wait_exit(60s), Exit{.code = 0}) << bench.err();
  EXPECT_THAT(what_is_left(weight), IsEmpty()) << "it was there to see them off";
  EXPECT_THAT(bench.out(), HasSubstr("Cores kept awake: " + std::to_string(own_cores()) + " spinners of class idle"));
  EXPECT_THAT(bench.out(), testing::ContainsRegex("Commit: ([0-9a-f]{12}|unknown)"));
}

TEST_F(AwakeTest, TheyAreGoneWhenTheBenchIsKilled) {
  Process bench = start(500);
  const std::set<Spinner> all = wait_for_all(bench);
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  bench.signal(SIGKILL);
  ASSERT_EQ(bench.wait_exit(20s), Exit{.signal = SIGKILL});
  expect_nothing_left(weight);
}

TEST_F(AwakeTest, TheyAreGoneWhenTheirKeeperIsKilledAndTheNextBenchSweepsUpTheGroup) {
  Process bench = start(500);
  const std::set<Spinner> all = wait_for_all(bench);
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  ::kill(parent_of("/proc/" + std::to_string(all.begin()->pid)), SIGKILL);
  const Deadline deadline(60s);  // what is idle dies when a core is
  const auto lives = [](const Spinner& one) { return ::kill(one.pid, 0) == 0; };
  while (std::ranges::any_of(all, lives) && !deadline.passed()) std::this_thread::yield();
  EXPECT_TRUE(std::ranges::none_of(all, lives));
  bench.signal(SIGKILL);
  ASSERT_EQ(bench.wait_exit(20s), Exit{.signal = SIGKILL});
  // One at least; more where the kernel holds on to what has died in the group.
  do {
    Process next = start(1);
    ASSERT_EQ(next.wait_exit(60s), Exit{.code = 0}) << next.err();
  } while (!what_is_left(weight).empty() && !deadline.passed());
  EXPECT_THAT(what_is_left(weight), IsEmpty());
}

TEST_F(AwakeTest, WithoutTheOptionThereAreNone) {
  Process bench(
      {N2NQ_BUS_BENCH, "--floor-only", "--skip-counts", "--workloads", "A", "--seconds", "0.2", "--rounds", "1"});
  size_t seen = 0;
  do seen += spinners(bench).size();
  while (!bench.wait_exit(Deadline::window(10ms)));
  EXPECT_EQ(seen, 0U);
  EXPECT_EQ(bench.wait_exit(1s), Exit{.code = 0}) << bench.err();
  EXPECT_THAT(bench.out(), HasSubstr("Cores kept awake: no"));
}

}  // namespace
}  // namespace n2nq::test
