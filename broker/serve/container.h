// A container of podman around a server of a run: its image is taken in place of what is installed here, and its limits
// are looked for in the kernel once the server runs. Any thread.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "broker/base/result.h"
#include "broker/process/control_groups.h"
#include "broker/serve/cage.h"

namespace n2nq::serve {

struct Site;

struct Container {
  std::string image{};
  process::Limits limits{};
  std::string podman{};  // its file
  std::string digest{};  // of the image
};

// Takes image, cpus and memory out of a server's settings; nothing: it runs in no container. The error says what may be
// given.
Result<std::optional<Container>> take_container(std::map<std::string, std::string>& settings);
// Looks for podman and the image, and blocks meanwhile. The error says how to get what is missing.
Result<void> find_podman(Container& container);
// The program runs in it, below a watcher of ours that ends it with its guard.
void put_into(const Container& container, const Site& site, CagedProgram& program);

}  // namespace n2nq::serve
