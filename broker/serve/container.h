// A container of podman around a server of a run: its image is taken in place of what is installed here, and its limits
// are looked for in the kernel once the server runs. Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "broker/base/result.h"
#include "broker/serve/cage.h"

namespace n2nq::serve {

struct Site;

struct Container {
  std::string image{};
  std::string cpus{};         // as podman takes it; empty: no limit
  uint64_t memory_bytes = 0;  // 0: no limit
  std::string podman{};       // its file
  std::string digest{};       // of the image
};

// Takes image, cpus and memory out of a server's settings; nothing: it runs in no container. The error says what may be
// given.
Result<std::optional<Container>> take_container(std::map<std::string, std::string>& settings);
// Looks for podman and the image, and blocks meanwhile. The error says how to get what is missing.
Result<void> find_podman(Container& container);
// The program runs in it, below a watcher of ours that ends it with its guard.
void put_into(const Container& container, const Site& site, CagedProgram& program);

// The least of those that are in force on each level, by the text of /proc/PID/cgroup, of version 1 or 2.
struct Limits {
  std::optional<double> cpus{};
  std::optional<uint64_t> memory_bytes{};
  bool no_swap = false;  // beyond that
};
Limits limits_of(const std::string& groups, const std::filesystem::path& root = "/sys/fs/cgroup");
// Whether the process is held to what the container is to have; the error says to what not.
Result<void> check_limits(const Container& container, pid_t pid);

}  // namespace n2nq::serve
