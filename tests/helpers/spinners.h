// The spinners that keep cores awake, as anybody sees them: which there are of a process, how little each weighs, and
// what is left of them. One thread.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/helpers/process.h"

namespace n2nq::test {

inline std::string line_of(const std::filesystem::path& path) {
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

inline int parent_in_proc(const std::filesystem::path& process) {
  return test::parent_of(std::atoi(process.filename().c_str()));
}
// Its keeper is the owner's child.
inline bool belongs_to(const std::filesystem::path& process, pid_t owner) {
  const int keeper = parent_in_proc(process);
  return keeper > 1 && parent_in_proc("/proc/" + std::to_string(keeper)) == owner;
}
inline size_t own_cores() {
  cpu_set_t cores;
  EXPECT_EQ(::sched_getaffinity(0, sizeof cores, &cores), 0);
  return static_cast<size_t>(CPU_COUNT(&cores));
}
// Of this process, each in the class idle and on one core alone: a core with several of them counts once.
inline std::set<Spinner> spinners(pid_t owner) {
  std::set<Spinner> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (line_of(entry.path() / "comm") != "awake-spinner" || !belongs_to(entry.path(), owner)) continue;
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
// A word on how little it weighs: its control group is idle, or it has an autogroup of the least weight, or groups
// have no say here.
inline std::string weight_of(const Spinner& spinner) {
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
inline std::vector<std::string> what_is_left(const std::string& weight) {
  std::vector<std::string> left = processes_left();
  if (weight.starts_with("idle group ") && std::filesystem::exists(weight.substr(11))) left.push_back(weight);
  return left;
}
inline void expect_nothing_left(const std::string& weight) {
  const Deadline deadline(20s);
  while (!what_is_left(weight).empty() && !deadline.passed()) std::this_thread::yield();
  EXPECT_THAT(what_is_left(weight), testing::IsEmpty());
}

}  // namespace n2nq::test
