// How much of the processors and of the memory the kernel lets a process have, by its control groups of either version.
// Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "broker/base/result.h"

namespace n2nq::process {

// What somebody asks for.
struct Limits {
  std::string cpus{};         // such as 1.5; empty: no limit
  uint64_t memory_bytes = 0;  // 0: no limit
  bool any() const { return !cpus.empty() || memory_bytes > 0; }
};

// The least of those on each level, by the text of /proc/PID/cgroup.
struct LimitsInForce {
  std::optional<double> cpus{};
  std::optional<uint64_t> memory_bytes{};
  bool no_swap = false;  // beyond that
};
LimitsInForce limits_of(const std::string& groups, const std::filesystem::path& root = "/sys/fs/cgroup");

// How people call the limits, and what has to run as root for them: "bus.", "the queue".
struct LimitWords {
  std::string prefix{};
  std::string runner{};
};
// Whether the process is held to the limits; the error says to what not.
Result<void> check_limits(const Limits& limits, pid_t pid, const LimitWords& words);

}  // namespace n2nq::process
