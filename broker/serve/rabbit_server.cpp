#include "broker/serve/rabbit_server.h"

#include <algorithm>
#include <filesystem>

#include "broker/base/units.h"
#include "broker/serve/installed.h"

namespace n2nq::serve {

Result<void> check_rabbitmq(const std::map<std::string, std::string>& settings) {
  if (settings.empty()) return {};
  return fail(
      "a RabbitMQ server that is started for a run is as it is shipped, and can be given no setting; remove it, or use "
      "a server of your own");
}

namespace {

// Nothing of the system's own server is read, nor what else the environment has. The name service of Erlang goes with
// the server, as a child that the kernel ends with it; of several, each starts one, and the first gets the port.
constexpr const char* kStartRabbit = R"(umask 077
command -v setpriv >/dev/null && command -v epmd >/dev/null || { echo 'setpriv and epmd are needed in PATH, or in that of the image of bus.image' >&2; exit 1; }
read -r cookie
[ -z "$8" ] || command -v erl_call >/dev/null || { echo 'erl_call is needed in PATH, or in that of the image of bus.image' >&2; exit 1; }
printf %s "$cookie" >.erlang.cookie && chmod 400 .erlang.cookie
cat >advanced.config
: >rabbitmq.conf
echo '[].' >enabled_plugins
env -i PATH="$PATH" ERL_EPMD_PORT="$3" ERL_EPMD_ADDRESS="$5" setpriv --pdeathsig KILL epmd </dev/null &
exec env -i PATH="$PATH" HOME="$PWD" LANG=C.UTF-8 ERL_EPMD_PORT="$3" ERL_EPMD_ADDRESS="$5" ERL_CRASH_DUMP_SECONDS=0 \
  ${7:+RABBITMQ_USE_LONGNAME=true} RABBITMQ_DIST_PORT="$4" RABBITMQ_NODENAME="$2" RABBITMQ_CONF_ENV_FILE=/dev/null \
  RABBITMQ_CONFIG_FILE="$PWD/rabbitmq.conf" RABBITMQ_CONFIG_FILES="$PWD/more/*.conf" \
  RABBITMQ_ADVANCED_CONFIG_FILE="$PWD/advanced.config" RABBITMQ_ENABLED_PLUGINS_FILE="$PWD/enabled_plugins" \
  RABBITMQ_MNESIA_BASE="$PWD/data" RABBITMQ_LOG_BASE="$PWD" RABBITMQ_LOGS=- RABBITMQ_PID_FILE="$PWD/pid" \
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {$6}" RABBITMQ_ALLOW_INPUT=1 \
  "$1" -noinput </dev/null)";

// The node of a member. Behind the @ stands where the others look for it.
std::string node_of(const Site& site, const Site::Member& member) {
  return member.name + "@" + (site.apart ? host_of(member.listen) : "localhost");
}

}  // namespace

std::vector<std::string> rabbit_command(const Site& site, const std::string& program) {
  const std::string address = site.apart ? host_of(site.listen) : "127.0.0.1";
  std::string numbers = address;  // as Erlang writes it
  std::ranges::replace(numbers, '.', ',');
  return {"/bin/sh",
          "-c",
          kStartRabbit,
          "sh",
          program,
          node_of(site, site.members[site.index]),
          std::to_string(site.apart ? site.common_port : site.members.front().more_ports.at(0)),
          std::to_string(site.more_ports.at(1)),
          address,
          numbers,
          site.apart ? "long names" : "",
          site.members.size() > 1 ? "of several" : ""};
}

namespace {

// The first is there when the others are started: in its first seconds it changes its tables, and whoever joins it then
// fails.
std::string joins(const Site& site) {
  return "{cluster_nodes, {['" + node_of(site, site.members.front()) + "'], disc}}, ";
}

}  // namespace

// As it is shipped but for who may come, and from where, and how large a message of later versions may be. In front of
// it, by what the servers of a cluster know each other, and their own programs them: one that a server alone would make
// up is easy to guess.
std::string rabbit_settings(const Site& site) {
  std::string text = site.cookie + "\n[{rabbit, [{cluster_name, <<" + quoted(site.cluster()) + ">>}, " +
                     (site.index > 0 ? joins(site) : "") + "{tcp_listeners, [{" + quoted(host_of(site.listen)) + ", " +
                     std::to_string(site.listen.port()) + "}]}, {max_message_size, 134217728}";
  if (!site.password.empty())
    text += ", {default_user, <<\"n2nq\">>}, {default_pass, <<" + quoted(site.password) + ">>}, {loopback_users, []}";
  return text + "]}].\n";
}

namespace {

// Name and value of a text in a table of AMQP: after the name 'S' and four bytes of length.
std::optional<std::string> amqp_text(std::string_view answer, std::string_view name) {
  const std::string field = static_cast<char>(name.size()) + std::string(name) + "S";
  const size_t at = answer.find(field);
  if (at == std::string_view::npos || answer.size() < at + field.size() + 4) return std::nullopt;
  const size_t start = at + field.size() + 4;
  const auto length = static_cast<uint8_t>(answer[start - 1]);
  if (answer.size() < start + length) return std::nullopt;
  return std::string(answer.substr(start, length));
}

// Has the server say what an expression of Erlang is, which its own protocol could not ask: "{ok, ...}", or nothing.
// The program finds the cookie in its home.
std::vector<std::string> erlang_command(const Site& site, const std::string& expression) {
  return {"/bin/sh", "-c",        R"(printf '%s\n' "$3" | HOME="$1" erl_call -address "$2" -r -e)",
          "sh",      site.folder, site.bound(site.more_ports.at(1)),
          expression};
}

}  // namespace

std::string rabbit_question(const Site&) {
  return {"AMQP\0\0\x09\x01", 8};
}

std::optional<Said> rabbit_said(std::string_view answer) {
  const auto version = amqp_text(answer, "version");
  const auto cluster = amqp_text(answer, "cluster_name");
  if (!version || !cluster) return std::nullopt;
  return Said{.version = *version, .mark = *cluster};
}

std::vector<std::string> rabbit_known_command(const Site& site) {
  return erlang_command(site, "length(rabbit_mnesia:cluster_nodes(running)).");
}

std::optional<size_t> rabbit_known(std::string_view answer) {
  constexpr std::string_view kOk = "{ok, ";
  if (!answer.starts_with(kOk)) return std::nullopt;
  const auto known = parse_whole(answer.substr(kOk.size(), answer.find('}') - kOk.size()));
  return known ? std::optional<size_t>(*known) : std::nullopt;
}

std::vector<std::string> rabbit_leader_command(const Site& site) {
  return erlang_command(site,
                        "[case amqqueue:get_pid(Q) of {_, N} -> N; P -> node(P) end || Q <- rabbit_amqqueue:list(), "
                        "re:run(element(4, amqqueue:get_name(Q)), \"[.](senders|receivers)$\") =:= nomatch].");
}

// Where most queues of the run have their leader, or are; each is named once for each of them.
std::optional<size_t> rabbit_leader(const Site& site, std::string_view answer) {
  std::vector<size_t> times;
  for (const Site::Member& member : site.members) {
    const std::string node = node_of(site, member);
    size_t count = 0;
    for (size_t at = answer.find(node); at != std::string_view::npos; at = answer.find(node, at + 1)) count++;
    times.push_back(count);
  }
  const auto most = std::ranges::max_element(times);
  if (*most == 0) return std::nullopt;
  return static_cast<size_t>(most - times.begin());
}

// It has no such option itself, and a program beside it takes seconds. Its folder is named after it:
// /usr/lib/rabbitmq/lib/rabbitmq_server-3.10.8/sbin/rabbitmq-server.
std::string rabbit_version(const std::string& program) {
  constexpr std::string_view kFolder = "/rabbitmq_server-";
  std::error_code error;
  const std::string file = std::filesystem::canonical(program, error).string();
  const size_t at = file.find(kFolder);
  if (at != std::string::npos) return version_in(std::string_view(file).substr(at + kFolder.size()));
  return version_in(process::said_by({program.substr(0, program.rfind('/')) + "/rabbitmqctl", "version"}));
}

}  // namespace n2nq::serve
