#include "ui/hosts/host_fields.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <iterator>

namespace n2nq::ui {
namespace {

constexpr uint16_t kUsualPort = 22;

template <auto member>
QString plain_text(const hosts::Host& host) {
  return QString::fromStdString(host.*member);
}

template <auto member>
Result<void> set_plain(hosts::Host& host, const QString& text) {
  host.*member = text.trimmed().toStdString();
  return {};
}

template <auto member>
constexpr HostField plain(const char* key, const char* label, const char* full_name, const char* help,
                          const char* placeholder, std::optional<hosts::Host::Kind> only = {}) {
  return {.key = key,
          .label = label,
          .full_name = full_name,
          .help = help,
          .placeholder = placeholder,
          .only = only,
          .text = plain_text<member>,
          .set = set_plain<member>};
}

QString port_text(const hosts::Host& host) {
  return host.port == kUsualPort ? QString() : QString::number(host.port);
}

Result<void> set_port(hosts::Host& host, const QString& text) {
  bool good = true;
  const uint port = text.trimmed().isEmpty() ? kUsualPort : text.trimmed().toUInt(&good);
  if (!good || port < 1 || port > UINT16_MAX) return fail("expected a number from 1 to 65535; empty means 22");
  host.port = static_cast<uint16_t>(port);
  return {};
}

QString ports_text(const hosts::Host& host) {
  return QString::fromStdString(to_text(host.data_ports));
}

Result<void> set_ports(hosts::Host& host, const QString& text) {
  auto ports = parse_ports(text.toStdString());
  if (!ports) return std::unexpected(ports.error());
  host.data_ports = *ports;
  return {};
}

QString survive_text(const hosts::Host& host) {
  return QString::fromStdString(hosts::survive_text(host));
}

Result<void> set_survive(hosts::Host& host, const QString& text) {
  auto survive_ns = hosts::parse_survive(text.toStdString());
  if (!survive_ns) return std::unexpected(survive_ns.error());
  host.survive_ns = *survive_ns;
  return {};
}

// An address that was only ever the name goes on to be.
Result<void> set_name(hosts::Host& host, const QString& text) {
  const std::string name = text.trimmed().toStdString();
  if (host.kind == hosts::Host::Kind::ssh && host.address == host.name) host.address = name;
  host.name = name;
  return {};
}

constexpr auto kSsh = hosts::Host::Kind::ssh;

const HostField kFields[] = {
    {.key = "name",
     .label = "Name",
     .full_name = "Host name",
     .help = "The name of the host in this list, in plans and in results.",
     .placeholder = "",
     .only = {},
     .text = plain_text<&hosts::Host::name>,
     .set = set_name},
    plain<&hosts::Host::address>("address", "Address", "Host address", "Its network name or IP address, for SSH.", "",
                                 kSsh),
    {.key = "port",
     .label = "Port",
     .full_name = "Host port",
     .help = "The port its SSH server listens on.",
     .placeholder = "22",
     .only = kSsh,
     .text = port_text,
     .set = set_port},
    plain<&hosts::Host::user>("user", "User", "Host user", "The user name to log in with.", "same as here", kSsh),
    plain<&hosts::Host::key_file>("key_file", "Key file", "Host key file",
                                  "The private key to log in with; you are asked for its passphrase when needed.",
                                  "agent, default keys", kSsh),
    plain<&hosts::Host::data_address>("data_address", "Data address", "Host data address",
                                      "The address at which the other hosts of a run reach a queue on this host.",
                                      "same as address"),
    {.key = "data_ports",
     .label = "Data ports",
     .full_name = "Host data ports",
     .help = "The ports a queue on this host may listen on, if a firewall lets only some through.",
     .placeholder = "any",
     .only = {},
     .text = ports_text,
     .set = set_ports},
    plain<&hosts::Host::work_folder>("work_folder", "Work folder", "Host work folder",
                                     "The folder on the host for programs and logs while they are needed.",
                                     ".cache/n2nq-bench"),
    {.key = "survive",
     .label = "Survive for",
     .full_name = "Host survive",
     .help =
         "How long processes there keep running after the link to the host is lost, from 10s to 24h; the bench then "
         "tries that long to reach them again.",
     .placeholder = "10 s",
     .only = {},
     .text = survive_text,
     .set = set_survive},
    plain<&hosts::Host::command>(
        "command", "Command", "Host command",
        "How to reach the host: a command on this computer that connects stdin and stdout to the "
        "command inserted for {command}.",
        "docker exec -i NAME {command}", hosts::Host::Kind::command),
};

}  // namespace

std::span<const HostField> host_fields() {
  return kFields;
}

const HostField& host_field(const char* key) {
  const auto* found =
      std::ranges::find_if(kFields, [key](const HostField& field) { return qstrcmp(field.key, key) == 0; });
  if (found == std::end(kFields)) qFatal("a host has no field %s", key);
  return *found;
}

hosts::Host of_kind(hosts::Host host, hosts::Host::Kind kind) {
  if (kind == host.kind) return host;
  host.kind = kind;
  if (kind == hosts::Host::Kind::command) {
    host.jump.clear();
    host.command = "docker exec -i " + host.name + " {command}";
    if (host.address == host.name) host.address.clear();
  } else {
    host.command.clear();
    if (host.address.empty()) host.address = host.name;
  }
  return host;
}

QString few_names(const std::vector<std::string>& all) {
  constexpr size_t kMostNamed = 5;
  QStringList shown;
  for (size_t i = 0; i < std::min(all.size(), kMostNamed); i++) shown += QString::fromStdString(all[i]);
  if (all.size() > kMostNamed) shown += QObject::tr("%1 more").arg(all.size() - kMostNamed);
  return shown.join(", ");
}

QString reached_at(const hosts::Host& host) {
  if (host.kind == hosts::Host::Kind::command) return QString::fromStdString(host.command);
  const QString address = QString::fromStdString(host.address);
  return host.port == kUsualPort ? address : QStringLiteral("%1:%2").arg(address).arg(host.port);
}

}  // namespace n2nq::ui
