#include "broker/serve/container.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "broker/base/units.h"
#include "broker/process/commands.h"
#include "broker/process/podman.h"
#include "broker/serve/recipe.h"

namespace n2nq::serve {
namespace {

constexpr const char* kInContainer = "/n2nq-broker";
constexpr int kPodmanPatienceMs = 8000;
constexpr const char* kNoSuchImage[] = {"image not known", "no such image", "invalid reference format"};

}  // namespace

Result<std::optional<Container>> take_container(std::map<std::string, std::string>& settings) {
  const auto taken = [&settings](const char* key) {
    const auto node = settings.extract(key);
    return node.empty() ? std::string() : node.mapped();
  };
  Container container{.image = taken("image"), .limits = {.cpus = taken("cpus")}};
  if (container.limits.cpus == "0") container.limits.cpus.clear();
  if (const std::string memory = taken("memory"); !memory.empty()) {
    const auto bytes = parse_size(memory);
    if (!bytes) return fail("memory is a size, such as 512MiB");
    container.limits.memory_bytes = *bytes;
  }
  if (!container.limits.cpus.empty() && !parse_thousandths(container.limits.cpus))
    return fail("cpus is a number, such as 1.5");
  if (!container.image.empty()) return container;
  if (container.limits.any()) return fail("cpus and memory are limits of a container; give image=NAME too");
  return std::nullopt;
}

Result<void> find_podman(Container& container) {
  const auto podman = process::find_in_path("podman");
  if (!podman)
    return fail(
        "podman is not installed where the server is to run, and bus.image needs it; install it there: sudo apt "
        "install podman, or leave bus.image empty");
  container.podman = *podman;
  constexpr std::string_view kBefore = "n2nq ";
  std::istringstream said(process::said_by(
      {*podman, "image", "inspect", "--format", std::string(kBefore) + "{{.Digest}}", "--", container.image},
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
  auto words = process::podman_run(container.podman, site.name(), "n2nq=server", /*handles=*/1, container.limits);
  words.insert(words.end(), {"-i", "--pull", "never", "--image-volume", "ignore", "--no-healthcheck", "--cap-drop",
                             "all", "--mount", process::bind_mount(own, kInContainer, ",ro=true"), "--mount",
                             process::bind_mount(site.folder, site.folder), "--workdir", site.folder});
  words.insert(words.end(), {"--entrypoint", kInContainer, "--", container.image, kWatchWord});
  words.insert(words.end(), program.argv.begin(), program.argv.end());
  program.argv = std::move(words);
  program.remove = process::podman_remove(container.podman, site.name());
}

}  // namespace n2nq::serve
