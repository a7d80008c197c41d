#include "app/hosts/host_list.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/plan/filter_text.h"
#include "app/plan/plain_text.h"
#include "app/plan/strict_json.h"
#include "app/plan/whole_file.h"
#include "broker/base/assert.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::hosts {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::string_view kShape = R"(a list of hosts is {"version": 1, "hosts": [{"name": ..., "address": ...}]})";
constexpr int kVersion = 1;
constexpr size_t kLongestName = 64;
constexpr size_t kLongestText = 4096;

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

Result<std::string> text_of(const Json& value) {
  if (!value.is_string()) return fail(shown(value) + " is not a text; put it in quotes");
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() > kLongestText) return fail(shown(value) + " is longer than 4096 bytes");
  return text;
}

Result<void> take_port(Host& host, const Json& value) {
  const bool good = value.is_number_unsigned() && value.get<uint64_t>() >= 1 && value.get<uint64_t>() <= UINT16_MAX;
  if (!good) return fail(shown(value) + " is not a port; expected a number from 1 to 65535");
  host.port = value.get<uint16_t>();
  return {};
}

Result<void> take_kind(Host& host, const Json& value) {
  if (value == Json("ssh"))
    host.kind = Host::Kind::ssh;
  else if (value == Json("command"))
    host.kind = Host::Kind::command;
  else
    return fail(shown(value) + " is not a kind of host; there are ssh and command");
  return {};
}

Result<void> take_ports(Host& host, const Json& value) {
  auto text = text_of(value);
  auto ports = text ? parse_ports(*text) : std::unexpected(text.error());
  if (!ports) return std::unexpected(ports.error());
  host.data_ports = *ports;
  return {};
}

Result<void> take_survive(Host& host, const Json& value) {
  auto text = text_of(value);
  auto survive_ns = text ? parse_survive(*text) : std::unexpected(text.error());
  if (!survive_ns) return std::unexpected(survive_ns.error());
  host.survive_ns = *survive_ns;
  return {};
}

template <auto member>
Result<void> take_text(Host& host, const Json& value) {
  auto text = text_of(value);
  if (!text) return std::unexpected(text.error());
  host.*member = std::move(*text);
  return {};
}

struct Field {
  std::string_view name;
  Result<void> (*take)(Host& host, const Json& value);
  Json (*show)(const Host& host);
};

template <auto member>
constexpr Field text_field(std::string_view name) {
  return {.name = name, .take = take_text<member>, .show = [](const Host& host) -> Json { return host.*member; }};
}

const Field kFields[] = {
    text_field<&Host::name>("name"),
    {.name = "kind", .take = take_kind, .show = [](const Host& host) -> Json { return to_text(host.kind); }},
    text_field<&Host::address>("address"),
    {.name = "port", .take = take_port, .show = [](const Host& host) -> Json { return host.port; }},
    text_field<&Host::user>("user"),
    text_field<&Host::key_file>("key_file"),
    text_field<&Host::jump>("jump"),
    text_field<&Host::data_address>("data_address"),
    {.name = "data_ports",
     .take = take_ports,
     .show = [](const Host& host) -> Json { return to_text(host.data_ports); }},
    text_field<&Host::work_folder>("work_folder"),
    text_field<&Host::command>("command"),
    {.name = "survive", .take = take_survive, .show = [](const Host& host) -> Json { return survive_text(host); }},
    text_field<&Host::notes>("notes"),
};

std::string field_names() {
  return join(kFields, ", ", &Field::name);
}

Result<Host> parse_host(const Json& object, const std::string& place) {
  Host host;
  if (!object.is_object())
    return fail(place + R"(: expected an object, such as {"name": "vm1", "address": "10.0.0.5"})");
  for (const auto& [name, value] : object.items()) {
    const auto* field = std::ranges::find(kFields, name, &Field::name);
    if (field == std::end(kFields))
      return fail(place + "." + name + ": there is no such field; a host has " + field_names());
    if (auto taken = field->take(host, value); !taken) return fail(place + "." + name + ": " + taken.error().text);
  }
  return host;
}

Ordered to_object(const Host& host, KeyFiles key_files) {
  Ordered object = Ordered::object();
  for (const Field& field : kFields) {
    if (field.name == "key_file" && key_files == KeyFiles::left_out) continue;
    const bool said = field.name == "name" || field.name == "kind" || field.show(host) != field.show(Host());
    if (said) object[std::string(field.name)] = field.show(host);
  }
  return object;
}

using Trouble = std::optional<HostTrouble>;

HostTrouble at(const char* field, std::string text) {
  return {.field = field, .text = std::move(text)};
}

Trouble check_name(const std::string& name) {
  if (name.empty()) return at("name", "it is empty; give every host its own name");
  if (name.size() > kLongestName) return at("name", shown(name) + " is longer than 64 bytes");
  if (is_local(name))
    return at("name", "\"" + name + "\" means the computer that the bench runs on; choose another name");
  if (plan::has_controls(name) || name.find(',') != std::string::npos || name != plan::trimmed(name))
    return at("name", shown(name) + " contains a comma or a control character, or ends in a space; remove it");
  return {};
}

Trouble check_plain(const char* field, const std::string& text, bool blanks) {
  if (plan::has_controls(text)) return at(field, shown(text) + " contains a control character");
  if (!blanks && text.find(' ') != std::string::npos) return at(field, shown(text) + " contains a space");
  if (!blanks && text.starts_with('-')) return at(field, shown(text) + " begins with a \"-\"");
  return {};
}

Trouble check_command(const Host& host) {
  constexpr std::string_view kHole = "{command}";
  const size_t hole = host.command.find(kHole);
  const auto blank = [&](size_t at) { return at >= host.command.size() || host.command[at] == ' '; };
  if (hole == std::string::npos || host.command.find(kHole, hole + 1) != std::string::npos ||
      (hole > 0 && !blank(hole - 1)) || !blank(hole + kHole.size()))
    return at("command",
              shown(host.command) +
                  " must contain {command} once, as a separate word, such as \"docker exec -i lab1 {command}\"");
  if (!host.jump.empty()) return at("jump", "only an ssh host can have one; a command host has its own way in");
  return {};
}

Trouble check_ssh(const Host& host) {
  if (host.address.empty()) return at("address", "it is empty; enter the host's network name or IP address");
  if (!host.command.empty()) return at("command", "only a command host has one; write \"kind\": \"command\" beside it");
  return {};
}

Trouble check_host(const Host& host) {
  struct Text {
    const char* field;
    const std::string& value;
    bool blanks;
  };
  if (auto trouble = check_name(host.name)) return trouble;
  for (const Text& text : {Text("address", host.address, false), Text("user", host.user, false),
                           Text("key_file", host.key_file, true), Text("data_address", host.data_address, false),
                           Text("work_folder", host.work_folder, true), Text("command", host.command, true)})
    if (auto trouble = check_plain(text.field, text.value, text.blanks)) return trouble;
  if (host.data_ports.first > host.data_ports.last)
    return at("data_ports", "wrong order; enter the smaller port first");
  return host.kind == Host::Kind::command ? check_command(host) : check_ssh(host);
}

Trouble check_jump(const HostList& list, const Host& host) {
  std::set<std::string_view> seen{host.name};
  for (const Host* from = &host; !from->jump.empty();) {
    const Host* next = find_host(list, from->jump);
    if (next == nullptr)
      return at("jump", "there is no host \"" + from->jump + "\" in this list; add it, or remove the jump host");
    if (next->kind != Host::Kind::ssh)
      return at("jump", "\"" + next->name + "\" is a command host, and only ssh hosts can be jump hosts");
    if (!seen.insert(next->name).second)
      return at("jump", "\"" + next->name + "\" leads back to itself; one of them must be reached directly");
    from = next;
  }
  return {};
}

Result<void> check_top(const Json& file) {
  if (!file.is_object()) return fail("it is not a list of hosts; " + std::string(kShape));
  const auto version = file.find("version");
  if (version == file.end()) return fail("version: it is missing; this n2nq-bench writes 1");
  if (*version != Json(kVersion))
    return fail("version: " + shown(*version) + " is not supported; this n2nq-bench reads 1");
  for (const auto& [name, value] : file.items())
    if (name != "version" && name != "hosts")
      return fail(name + ": there is no such field; a list of hosts has version and hosts");
  return {};
}

}  // namespace

bool is_local(std::string_view name) {
  return name.empty() || std::ranges::equal(name, std::string_view(kThisComputer), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

const Host* find_host(const HostList& list, std::string_view name) {
  const auto found = std::ranges::find(list.hosts, name, &Host::name);
  return found == list.hosts.end() ? nullptr : &*found;
}

std::vector<const Host*> way_to(const HostList& list, const Host& host) {
  std::vector<const Host*> way{&host};
  while (!way.front()->jump.empty()) {
    const Host* before = find_host(list, way.front()->jump);
    N2NQ_ASSERT(before != nullptr && way.size() <= list.hosts.size());
    way.insert(way.begin(), before);
  }
  return way;
}

const std::string& data_address_of(const Host& host) {
  return host.data_address.empty() ? host.address : host.data_address;
}

std::string work_folder_of(const Host& host) {
  return host.work_folder.empty() ? kWorkFolder : host.work_folder;
}

Trouble trouble_of(const HostList& list) {
  if (list.hosts.size() > kMostHosts)
    return HostTrouble{.text = "hosts: there are more than " + std::to_string(kMostHosts)};
  std::set<std::string_view> names;
  for (size_t i = 0; i < list.hosts.size(); i++) {
    const Host& host = list.hosts[i];
    Trouble trouble = check_host(host);
    if (!trouble && !names.insert(host.name).second)
      trouble = at("name", "\"" + host.name + "\" is there twice; give every host its own name");
    if (!trouble) trouble = check_jump(list, host);
    if (!trouble) continue;
    trouble->host = i;
    return trouble;
  }
  return {};
}

Result<void> check(const HostList& list) {
  const Trouble trouble = trouble_of(list);
  if (!trouble) return {};
  return fail(trouble->host ? "hosts[" + std::to_string(*trouble->host) + "]." + trouble->field + ": " + trouble->text
                            : trouble->text);
}

std::string to_json(const HostList& list, KeyFiles key_files) {
  Ordered file{{"version", kVersion}, {"hosts", Ordered::array()}};
  for (const Host& host : list.hosts) file["hosts"].push_back(to_object(host, key_files));
  return file.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<HostList> parse_host_list(std::string_view json) {
  const auto parsed = plan::parse_strictly(json, kShape);
  if (!parsed) return std::unexpected(parsed.error());
  if (auto good = check_top(*parsed); !good) return std::unexpected(good.error());
  HostList list;
  const auto hosts = parsed->find("hosts");
  if (hosts == parsed->end()) return list;
  if (!hosts->is_array()) return fail("hosts: expected a list of objects; " + std::string(kShape));
  for (const Json& object : *hosts) {
    auto host = parse_host(object, "hosts[" + std::to_string(list.hosts.size()) + "]");
    if (!host) return std::unexpected(host.error());
    list.hosts.push_back(std::move(*host));
  }
  if (auto good = check(list); !good) return std::unexpected(good.error());
  return list;
}

Result<HostList> read_host_list(const std::string& path) {
  const auto text = plan::read_whole_file(path);
  if (!text) return std::unexpected(text.error());
  auto list = parse_host_list(*text);
  if (!list) return fail(path + ": " + list.error().text);
  return list;
}

Result<void> write_host_list(const std::string& path, const HostList& list) {
  return plan::write_whole_file(path, to_json(list));
}

std::string to_text(Host::Kind kind) {
  return kind == Host::Kind::ssh ? "ssh" : "command";
}

std::string survive_text(const Host& host) {
  return host.survive_ns == 0 ? std::string() : format_duration(host.survive_ns);
}

Result<int64_t> parse_survive(std::string_view text) {
  const std::string plain = plain_quantity(text);
  if (plain.empty()) return 0;
  const auto ns = parse_duration(plain);
  if (!ns || *ns < kLeastSurviveNs || *ns > kMostSurviveNs)
    return fail("\"" + std::string(text.substr(0, 60)) +
                "\" is not a duration from 10s to 24h; enter it like 30min, or leave it empty for 10s");
  return *ns;
}

}  // namespace n2nq::hosts
