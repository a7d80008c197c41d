#include "broker/serve/recipe.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "broker/base/join.h"
#include "broker/base/units.h"
#include "broker/process/commands.h"
#include "broker/serve/installed.h"
#include "broker/serve/kafka_server.h"
#include "broker/serve/nats_cluster.h"
#include "broker/serve/rabbit_server.h"
#include "broker/wire/relay.h"

namespace n2nq::serve {
namespace {

constexpr const char* kAppendFsync = "append_fsync";

std::string append_fsync_of(const std::map<std::string, std::string>& settings) {
  const auto found = settings.find(kAppendFsync);
  return found == settings.end() ? "off" : found->second;
}

Result<void> check_redis(const std::map<std::string, std::string>& settings) {
  const std::string fsync = append_fsync_of(settings);
  const bool known = settings.size() == settings.count(kAppendFsync);
  if (known && (fsync == "off" || fsync == "no" || fsync == "everysec" || fsync == "always")) return {};
  return fail("a Redis server can be given append_fsync=off, no, everysec or always");
}

// It makes no snapshots, and cuts off nobody for being behind: what a receiver misses should be the load's doing.
std::string redis_settings(const Site& site) {
  const std::string host = host_of(site.listen);
  std::string text = "bind " + (host == "::" ? "0.0.0.0 ::" : host) + "\nport " + std::to_string(site.listen.port()) +
                     "\ndir " + quoted(site.folder) +
                     "\nsave \"\"\nauto-aof-rewrite-percentage 0\ndaemonize no\nmaxclients "
                     "100000\nclient-output-buffer-limit pubsub 0 0 0\n";
  const std::string fsync = append_fsync_of(site.settings);
  text += fsync == "off" ? "appendonly no\n" : "appendonly yes\nappendfsync " + fsync + "\n";
  if (!site.password.empty()) text += "requirepass " + quoted(site.password) + "\nprotected-mode no\n";
  return text;
}

std::string redis_question(const Site& site) {
  return (site.password.empty() ? "" : "AUTH " + quoted(site.password) + "\r\n") + "INFO server\r\n";
}

std::optional<Said> redis_said(std::string_view answer) {
  const auto version = said_behind(answer, "redis_version:", "\r");
  const auto process = said_behind(answer, "process_id:", "\r");
  if (!version || !process) return std::nullopt;
  return Said{.version = *version, .mark = *process};
}

constexpr const char* kMaxPending = "max_pending";
constexpr uint64_t kLeastPending = uint64_t{1} << 20;
constexpr uint64_t kLargestMessage = (uint64_t{64} << 20) + 4096;
constexpr uint64_t kBesideAMessage = 4096;  // of what is pending for a receiver
constexpr uint64_t kUsualPending = uint64_t{64} << 20;
constexpr uint64_t kPendingOfStreams = uint64_t{1} << 30;  // JetStream holds up no sender for a slow receiver

Result<void> check_nats(const std::map<std::string, std::string>& settings) {
  const auto found = settings.find(kMaxPending);
  if (settings.size() > settings.count(kMaxPending)) return fail("a NATS server can be given max_pending=SIZE");
  if (found == settings.end()) return {};
  const auto size = parse_size(found->second);
  if (size && *size >= kLeastPending) return {};
  return fail("max_pending of a NATS server is a size, 1MiB or more");
}

// As it is shipped but for how large a message may be, and how long a receiver may pause until it is taken for dead.
std::string nats_settings(const Site& site, uint64_t pending, uint64_t largest) {
  std::string text = "host: " + quoted(host_of(site.listen)) + "\nport: " + std::to_string(site.listen.port()) +
                     "\nserver_name: " + quoted(site.name()) + "\nmax_pending: " + std::to_string(pending) +
                     "\nmax_payload: " + std::to_string(std::min(pending - kBesideAMessage, largest)) +
                     "\nping_interval: \"1h\"\n";
  if (!site.password.empty()) text += "authorization { token: " + quoted(site.password) + " }\n";
  return text + nats_cluster(site);
}

std::string plain_nats_settings(const Site& site) {
  const auto given = site.settings.find(kMaxPending);
  return nats_settings(site, given == site.settings.end() ? kUsualPending : *parse_size(given->second),
                       kLargestMessage);
}

constexpr const char* kSyncInterval = "sync_interval";
constexpr std::string_view kSyncByDefault = "default";
constexpr std::string_view kSyncAlways = "always";
constexpr uint64_t kLargestInFile = uint64_t{31} << 20;  // what is 32 MiB in a file it takes for damaged

Result<void> check_jetstream(const std::map<std::string, std::string>& settings) {
  const auto found = settings.find(kSyncInterval);
  if (settings.size() > settings.count(kSyncInterval))
    return fail("a NATS server with JetStream can be given sync_interval=default, always or a duration");
  if (found == settings.end() || found->second == kSyncByDefault || found->second == kSyncAlways) return {};
  const auto interval = parse_duration(found->second);
  if (interval && *interval > 0) return {};
  return fail("sync_interval of a NATS server is default, always or a duration above 0");
}

// The interval is written only where it is set: older servers do not know it.
std::string jetstream_settings(const Site& site) {
  const auto found = site.settings.find(kSyncInterval);
  std::string text = "write_deadline: \"1h\"\njetstream {\n  store_dir: " + quoted(site.folder) + "\n";
  if (found != site.settings.end() && found->second != kSyncByDefault)
    text += "  sync_interval: " +
            (found->second == kSyncAlways ? std::string(kSyncAlways)
                                          : quoted(std::to_string(*parse_duration(found->second)) + "ns")) +
            "\n";
  return nats_settings(site, kPendingOfStreams, kLargestInFile) + text + "}\n";
}

std::string nats_question(const Site& site) {
  return "CONNECT {\"verbose\":false,\"auth_token\":" + quoted(site.password) + "}\r\nPING\r\n";
}

std::vector<std::string> nats_command(const Site&, const std::string& program) {
  return {program, "--config", "/dev/stdin"};
}

std::string nats_mark(const Site& site, pid_t) {
  return site.name();
}

std::optional<Said> nats_said(std::string_view answer) {
  const auto version = said_behind(answer, "\"version\":\"", "\"");
  const auto name = said_behind(answer, "\"server_name\":\"", "\"");
  if (!version || !name || answer.find("\r\nPONG\r\n") == std::string_view::npos) return std::nullopt;
  return Said{.version = *version, .mark = *name, .servers = nats_servers(answer)};
}

std::optional<Said> jetstream_said(std::string_view answer) {
  const auto said = nats_said(answer);
  return said && (said->servers == 1 || jetstream_answers(answer)) ? said : std::nullopt;
}

std::string says_version(const std::string& program) {
  return version_in(process::said_by({program, "--version"}));
}

// This program itself, which is one where it is told to.
std::optional<std::string> find_relay() {
  std::error_code error;
  const auto file = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::nullopt : std::optional(file.string());
}

std::vector<std::string> relay_command(const Site& site, const std::string& program) {
  std::vector<std::string> words{program, wire::kRelayWord, "--listen", site.listen.text()};
  if (site.password.empty())
    words.emplace_back("--insecure-no-token");
  else
    words.insert(words.end(), {"--token-file", "/dev/stdin"});
  return words;
}

std::optional<Said> relay_said(std::string_view answer) {
  const size_t end = answer.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const auto welcome = wire::read_relay_welcome(answer.substr(0, end));
  return welcome ? Said{.version = welcome->version, .mark = welcome->pid} : Said{};
}

Result<void> check_relay(const std::map<std::string, std::string>& settings) {
  if (settings.empty()) return {};
  return fail("the bare relay can be given no setting; remove it");
}

constexpr Recipe kRecipes[] = {
    {.kind = "redis",
     .title = "Redis",
     .program = "redis-server",
     .folder = "",
     .install = "sudo apt install redis-server",
     .version = says_version,
     .more_ports = 0,
     .command = [](const Site&, const std::string& program) { return std::vector<std::string>{program, "-"}; },
     .input = redis_settings,
     .question = redis_question,
     .said = redis_said,
     .mark = [](const Site&, pid_t pid) { return std::to_string(pid); },
     .in_image = "redis-server",
     .writes = false,
     .patience_ns = 6'000'000'000,
     .check = check_redis},
    {.kind = "nats",
     .title = "NATS",
     .program = "nats-server",
     .folder = "",
     .install = "sudo apt install nats-server",
     .version = says_version,
     .more_ports = 1,
     .command = nats_command,
     .input = plain_nats_settings,
     .question = nats_question,
     .said = nats_said,
     .mark = nats_mark,
     .forms_clusters = true,
     .in_image = "nats-server",
     .writes = false,
     .patience_ns = 6'000'000'000,
     .check = check_nats},
    {.kind = "jetstream",
     .title = "NATS with JetStream",
     .program = "nats-server",
     .folder = "",
     .install = "sudo apt install nats-server",
     .version = says_version,
     .more_ports = 1,
     .command = nats_command,
     .input = jetstream_settings,
     .question = [](const Site& site) { return nats_question(site) + jetstream_question(); },
     .said = jetstream_said,
     .mark = nats_mark,
     .forms_clusters = true,
     .leader_question = [](const Site& site) { return nats_question(site) + jetstream_leader_question(); },
     .leader = jetstream_leader,
     .in_image = "nats-server",
     .writes = true,
     .answers_within_ns = 200'000'000,
     .patience_ns = 20'000'000'000,
     .check = check_jetstream},
    {.kind = "rabbitmq",
     .title = "RabbitMQ",
     .program = "rabbitmq-server",
     .folder = "/usr/lib/rabbitmq/bin",  // what is in PATH as a rule wants to be its own user
     .install = "sudo apt install rabbitmq-server",
     .version = rabbit_version,
     .more_ports = 2,
     .command = rabbit_command,
     .input = rabbit_settings,
     .question = rabbit_question,
     .said = rabbit_said,
     .mark = [](const Site& site, pid_t) { return site.cluster(); },
     .forms_clusters = true,
     .one_first = true,
     .apart_by_v4 = true,
     .leader_command = rabbit_leader_command,
     .leader = rabbit_leader,
     .known_command = rabbit_known_command,
     .known = rabbit_known,
     .in_image = "rabbitmq-server",
     .writes = true,
     .patience_ns = 50'000'000'000,
     .check = check_rabbitmq},
    {.kind = "kafka",
     .title = "Kafka",
     .program = "Kafka",
     .folder = "",
     .install = "n2nq-bench buses fetch kafka",
     .version = kafka_version,
     .find = find_kafka,
     .more_ports = 2,
     .command = kafka_command,
     .input = kafka_settings,
     .question = kafka_question,
     .said = kafka_said,
     .mark = [](const Site& site, pid_t) { return kafka_cluster(site); },
     .forms_clusters = true,
     .leader_question = kafka_leader_question,
     .leader = kafka_leader,
     .in_image = kKafkaInImages,
     .writes = true,
     .patience_ns = 50'000'000'000,
     .check = check_kafka},
    {.kind = "relay",
     .title = "Bare relay",
     .program = "n2nq-relay",
     .folder = "",
     .install = "it is part of n2nq-broker",
     .version = [](const std::string&) { return std::string(N2NQ_VERSION); },
     .find = find_relay,
     .more_ports = 0,
     .command = relay_command,
     .input = [](const Site& site) { return site.password; },
     .question = [](const Site& site) { return wire::relay_hello({.channel = site.name(), .token = site.password}); },
     .said = relay_said,
     .mark = [](const Site&, pid_t pid) { return std::to_string(pid); },
     .writes = false,
     .patience_ns = 6'000'000'000,
     .check = check_relay},
};

}  // namespace

std::string host_of(const net::Endpoint& endpoint) {
  const std::string text = endpoint.text();
  std::string host = text.substr(0, text.rfind(':'));
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return host;
}

std::string quoted(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return text + "\"";
}

std::optional<std::string> said_behind(std::string_view text, std::string_view word, std::string_view ends) {
  const size_t at = text.find(word);
  const size_t end = at == std::string_view::npos ? at : text.find_first_of(ends, at + word.size());
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(at + word.size(), end - at - word.size()));
}

std::string Site::bound(uint16_t port) const {
  net::Endpoint endpoint = listen;
  endpoint.set_port(port);
  return apart ? endpoint.text() : "127.0.0.1:" + std::to_string(port);
}

std::string Site::reached(const Member& member, uint16_t port) const {
  net::Endpoint endpoint = member.listen;
  endpoint.set_port(port);
  return apart ? endpoint.text() : "127.0.0.1:" + std::to_string(port);
}

std::string Site::name() const {
  return folder.substr(folder.rfind('/') + 1);
}

std::span<const Recipe> all_recipes() {
  return kRecipes;
}

const Recipe* find_recipe(std::string_view kind) {
  const auto found = std::ranges::find(kRecipes, kind, &Recipe::kind);
  return found == std::end(kRecipes) ? nullptr : &*found;
}

std::string recipe_names() {
  return join(kRecipes, ", ", &Recipe::kind);
}

Result<std::string> find_program(const Recipe& recipe) {
  if (const auto found = recipe.find != nullptr ? recipe.find() : process::find_in_path(recipe.program, recipe.folder))
    return *found;
  return fail(std::string(recipe.program) +
              " is not installed where it is to run; install it there: " + std::string(recipe.install));
}

}  // namespace n2nq::serve
