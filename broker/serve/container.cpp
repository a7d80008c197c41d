#include "broker/serve/container.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "broker/base/units.h"
#include "broker/serve/installed.h"
#include "broker/serve/recipe.h"

namespace n2nq::serve {
namespace {

constexpr const char* kInContainer = "/n2nq-broker";
constexpr int kPodmanPatienceMs = 8000;
constexpr const char* kNoSuchImage[] = {"image not known", "no such image", "invalid reference format"};
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

std::string mount(const std::string& from, const std::string& to, const char* more = "") {
  return "type=bind," + quoted_field("source=" + from) + "," + quoted_field("destination=" + to) + more;
}

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

Error not_held_to(const std::string& setting) {
  return Error{"is not held to bus." + setting +
               ". Without root, control groups of version 1 limit nothing, and those of version 2 only what is "
               "delegated to the user; run the queue as root, or remove bus." +
               setting.substr(0, setting.find('='))};
}

}  // namespace

Result<std::optional<Container>> take_container(std::map<std::string, std::string>& settings) {
  const auto taken = [&settings](const char* key) {
    const auto node = settings.extract(key);
    return node.empty() ? std::string() : node.mapped();
  };
  Container container{.image = taken("image"), .cpus = taken("cpus")};
  if (container.cpus == "0") container.cpus.clear();
  if (const std::string memory = taken("memory"); !memory.empty()) {
    const auto bytes = parse_size(memory);
    if (!bytes) return fail("memory is a size, such as 512MiB");
    container.memory_bytes = *bytes;
  }
  if (!container.cpus.empty() && !parse_thousandths(container.cpus)) return fail("cpus is a number, such as 1.5");
  if (!container.image.empty()) return container;
  if (!container.cpus.empty() || container.memory_bytes > 0)
    return fail("cpus and memory are limits of a container; give image=NAME too");
  return std::nullopt;
}

Result<void> find_podman(Container& container) {
  const auto podman = find_in_path("podman");
  if (!podman)
    return fail(
        "podman is not installed where the server is to run, and bus.image needs it; install it there: sudo apt "
        "install "
        "podman, or leave bus.image empty");
  container.podman = *podman;
  constexpr std::string_view kBefore = "n2nq ";
  std::istringstream said(
      said_by({*podman, "image", "inspect", "--format", std::string(kBefore) + "{{.Digest}}", "--", container.image},
              kPodmanPatienceMs));
  std::string last;
  for (std::string line; std::getline(said, line); last = line)
    if (line.starts_with(kBefore)) container.digest = line.substr(kBefore.size());
  if (!container.digest.empty()) return {};
  const bool no_such = std::ranges::any_of(kNoSuchImage, [&](const char* words) { return last.contains(words); });
  if (!no_such)
    return fail("podman does not work where the server is to run, for user " + std::to_string(::geteuid()) + ": " +
                (last.empty() ? "it has not answered in time" : last) + "; try there: podman info");
  return fail("podman has no image '" + container.image + "' for user " + std::to_string(::geteuid()) +
              " where the server is to run; fetch it there as that user: podman pull " + container.image);
}

void put_into(const Container& container, const Site& site, CagedProgram& program) {
  std::error_code ignored;
  const std::string own = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  // On the host's network and among its processes, so that what is measured is the server and not a way to it.
  std::vector<std::string> words{container.podman,
                                 "run",
                                 "-i",
                                 "--rm",
                                 "--name",
                                 site.name(),
                                 "--label",
                                 "n2nq=server",
                                 "--pull",
                                 "never",
                                 "--log-driver",
                                 "none",
                                 "--network",
                                 "host",
                                 "--pid",
                                 "host",
                                 "--user",
                                 "0:0",
                                 "--image-volume",
                                 "ignore",
                                 "--no-healthcheck",
                                 "--security-opt",
                                 "label=disable",
                                 "--security-opt",
                                 "no-new-privileges",
                                 "--cap-drop",
                                 "all",
                                 "--http-proxy=false",
                                 "--preserve-fds",
                                 "1",
                                 "--ulimit",
                                 limit_of("nofile", RLIMIT_NOFILE, kMostDescriptors),
                                 "--ulimit",
                                 limit_of("nproc", RLIMIT_NPROC, kMostProcesses),
                                 "--mount",
                                 mount(own, kInContainer, ",ro=true"),
                                 "--mount",
                                 mount(site.folder, site.folder),
                                 "--workdir",
                                 site.folder};
  if (!container.cpus.empty()) words.insert(words.end(), {"--cpus", container.cpus});
  if (const std::string bytes = std::to_string(container.memory_bytes) + "b"; container.memory_bytes > 0)
    words.insert(words.end(), {"--memory", bytes, "--memory-swap", bytes});  // more than that: dead, not slow
  words.insert(words.end(), {"--entrypoint", kInContainer, "--", container.image, kWatchWord});
  words.insert(words.end(), program.argv.begin(), program.argv.end());
  program.argv = std::move(words);
  program.remove = {container.podman, "rm", "--force", "--time", "0", "--ignore", site.name()};
}

Limits limits_of(const std::string& groups, const std::filesystem::path& root) {
  Limits limits;
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

Result<void> check_limits(const Container& container, pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cgroup");
  const Limits limits = limits_of({std::istreambuf_iterator<char>(file), {}});
  constexpr double kThousandth = 0.001;
  if (!container.cpus.empty() &&
      (!limits.cpus || *limits.cpus > static_cast<double>(*parse_thousandths(container.cpus)) / 1000 + kThousandth))
    return std::unexpected(not_held_to("cpus=" + container.cpus));
  if (container.memory_bytes > 0 && (!limits.memory_bytes || *limits.memory_bytes > container.memory_bytes))
    return std::unexpected(not_held_to("memory=" + format_size(container.memory_bytes)));
  if (container.memory_bytes > 0 && !limits.no_swap && computer_swaps())
    return fail(
        "is held to bus.memory, but may swap beyond it, which would make it slow instead of ending it; turn swap off "
        "where the server is to run (swapoff -a), or remove bus.memory");
  return {};
}

}  // namespace n2nq::serve
