#include "broker/process/control_groups.h"

#include <fstream>
#include <sstream>

#include "broker/base/units.h"

namespace n2nq::process {
namespace {

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::optional<double> quota_over(const std::string& quota, const std::string& period) {
  const auto part = parse_whole(quota), whole = parse_whole(period);  // "max" or -1: none
  if (!part || !whole || *whole == 0) return std::nullopt;
  return static_cast<double>(*part) / static_cast<double>(*whole);
}

template <typename T>
void lower(std::optional<T>& limit, const std::optional<T>& other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

std::optional<uint64_t> bytes_in(const std::filesystem::path& file) {
  const auto bytes = parse_whole(first_line(file));
  return bytes ? std::optional(*bytes) : std::nullopt;
}

// There is a line of titles.
bool computer_swaps() {
  std::ifstream in("/proc/swaps");
  std::string line;
  return std::getline(in, line) && std::getline(in, line);
}

Error not_held_to(const std::string& setting, const LimitWords& words) {
  return Error{"is not held to " + words.prefix + setting +
               ". Without root, control groups of version 1 limit nothing, and those of version 2 only what is "
               "delegated to the user; run " +
               words.runner + " as root, or remove " + words.prefix + setting.substr(0, setting.find('='))};
}

}  // namespace

LimitsInForce limits_of(const std::string& groups, const std::filesystem::path& root) {
  LimitsInForce limits;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const auto top = root / controllers;
    for (std::filesystem::path group = line.substr(second + 1);; group = group.parent_path()) {
      const auto folder = top / group.relative_path();
      std::istringstream both(first_line(folder / "cpu.max"));
      std::string quota, period;
      both >> quota >> period;
      lower(limits.cpus, quota_over(quota, period));
      lower(limits.cpus, quota_over(first_line(folder / "cpu.cfs_quota_us"), first_line(folder / "cpu.cfs_period_us")));
      lower(limits.memory_bytes, bytes_in(folder / "memory.max"));
      lower(limits.memory_bytes, bytes_in(folder / "memory.limit_in_bytes"));
      const auto with_swap = bytes_in(folder / "memory.memsw.limit_in_bytes");
      limits.no_swap |= first_line(folder / "memory.swap.max") == "0" ||
                        (with_swap && limits.memory_bytes && *with_swap <= *limits.memory_bytes);
      if (!group.has_relative_path()) break;
    }
  }
  return limits;
}

Result<void> check_limits(const Limits& limits, pid_t pid, const LimitWords& words) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cgroup");
  const LimitsInForce found = limits_of({std::istreambuf_iterator<char>(file), {}});
  constexpr double kThousandth = 0.001;
  if (!limits.cpus.empty() &&
      (!found.cpus || *found.cpus > static_cast<double>(*parse_thousandths(limits.cpus)) / 1000 + kThousandth))
    return std::unexpected(not_held_to("cpus=" + limits.cpus, words));
  if (limits.memory_bytes > 0 && (!found.memory_bytes || *found.memory_bytes > limits.memory_bytes))
    return std::unexpected(not_held_to("memory=" + format_size(limits.memory_bytes), words));
  if (limits.memory_bytes > 0 && !found.no_swap && computer_swaps())
    return fail("is held to " + words.prefix +
                "memory, but may swap beyond it, which would make it slow instead of ending it; turn swap off where "
                "it is to run (swapoff -a), or remove " +
                words.prefix + "memory");
  return {};
}

}  // namespace n2nq::process
