#include "broker/process/podman.h"

#include <sys/resource.h>

#include <algorithm>

namespace n2nq::process {
namespace {

constexpr rlim_t kMostDescriptors = 1 << 20;  // to which podman sets its own, where it may
constexpr rlim_t kMostProcesses = 1 << 15;

// As much as this process may have: podman wants more where nothing is said, and fails where it may not.
std::string limit_of(const char* name, int resource, rlim_t most) {
  rlimit limit{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  const std::string number = std::to_string(std::min(limit.rlim_max, most));
  return name + ("=" + number + ":" + number);
}

// As a field between commas.
std::string quoted_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + '"';
}

}  // namespace

std::vector<std::string> podman_run(const std::string& podman, const std::string& name, const std::string& label,
                                    int handles, const Limits& limits) {
  std::vector<std::string> words{podman,
                                 "run",
                                 "--rm",
                                 "--name",
                                 name,
                                 "--label",
                                 label,
                                 "--log-driver",
                                 "none",
                                 "--network",
                                 "host",
                                 "--pid",
                                 "host",
                                 "--user",
                                 "0:0",
                                 "--security-opt",
                                 "label=disable",
                                 "--security-opt",
                                 "no-new-privileges",
                                 "--http-proxy=false",
                                 "--pids-limit",
                                 "-1",
                                 "--preserve-fds",
                                 std::to_string(handles),
                                 "--ulimit",
                                 limit_of("nofile", RLIMIT_NOFILE, kMostDescriptors),
                                 "--ulimit",
                                 limit_of("nproc", RLIMIT_NPROC, kMostProcesses)};
  if (!limits.cpus.empty()) words.insert(words.end(), {"--cpus", limits.cpus});
  if (const std::string bytes = std::to_string(limits.memory_bytes) + "b"; limits.memory_bytes > 0)
    words.insert(words.end(), {"--memory", bytes, "--memory-swap", bytes});  // more than that: dead, not slow
  return words;
}

std::string bind_mount(const std::string& from, const std::string& to, const char* more) {
  return "type=bind," + quoted_field("source=" + from) + "," + quoted_field("destination=" + to) + more;
}

std::vector<std::string> podman_remove(const std::string& podman, const std::string& name) {
  return {podman, "rm", "--force", "--time", "0", "--ignore", name};
}

}  // namespace n2nq::process
