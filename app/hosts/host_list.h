// The hosts that a bench knows, by name, and the file that they are kept in. A value; any thread.
// Nothing secret is in it; only the paths of key files may be left out when it is handed on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/hosts/host.h"
#include "broker/base/result.h"

namespace n2nq::hosts {

inline constexpr size_t kMostHosts = 1000;
inline constexpr const char* kThisComputer = "this computer";

struct HostList {
  std::vector<Host> hosts{};
  bool operator==(const HostList&) const = default;
};

// Nothing, and "this computer", mean processes started right here.
bool is_local(std::string_view name);
const Host* find_host(const HostList& list, std::string_view name);
// The hosts to go through, from the one that is reached straight to the host itself. The list is a good one.
std::vector<const Host*> way_to(const HostList& list, const Host& host);
// What the data of a run goes to; empty for a command host without one.
const std::string& data_address_of(const Host& host);
std::string work_folder_of(const Host& host);

// What keeps a list from being good, at a field of one of its hosts ("jump"); host: nothing where it is not a host's.
struct HostTrouble {
  std::optional<size_t> host{};
  std::string field{};
  std::string text{};
};
std::optional<HostTrouble> trouble_of(const HostList& list);
// The same as an error: "hosts[2].jump: ...".
Result<void> check(const HostList& list);

enum class KeyFiles { kept, left_out };
std::string to_json(const HostList& list, KeyFiles key_files = KeyFiles::kept);
Result<HostList> parse_host_list(std::string_view json);
// The error names the file; one that is not there has ENOENT.
Result<HostList> read_host_list(const std::string& path);
Result<void> write_host_list(const std::string& path, const HostList& list);

std::string to_text(Host::Kind kind);        // "ssh", "command"
std::string survive_text(const Host& host);  // "30min", empty: 0
Result<int64_t> parse_survive(std::string_view text);

}  // namespace n2nq::hosts
