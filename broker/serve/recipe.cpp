#include "broker/serve/recipe.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "broker/base/units.h"

namespace n2nq::serve {
namespace {

std::string host_of(const net::Endpoint& endpoint) {
  const std::string text = endpoint.text();
  std::string host = text.substr(0, text.rfind(':'));
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return host;
}

// As settings and commands may have a word of any letters.
std::string quoted(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return text + "\"";
}

// Behind this word, up to what ends it.
std::optional<std::string> said_behind(std::string_view text, std::string_view word, std::string_view ends) {
  const size_t at = text.find(word);
  const size_t end = at == std::string_view::npos ? at : text.find_first_of(ends, at + word.size());
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(at + word.size(), end - at - word.size()));
}

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

std::string folder_name(const Site& site) {
  return site.folder.substr(site.folder.rfind('/') + 1);
}

// As it is shipped but for how large a message may be, and how long a receiver may pause until it is taken for dead.
std::string nats_settings(const Site& site, uint64_t pending, uint64_t largest) {
  std::string text = "host: " + quoted(host_of(site.listen)) + "\nport: " + std::to_string(site.listen.port()) +
                     "\nserver_name: " + quoted(folder_name(site)) + "\nmax_pending: " + std::to_string(pending) +
                     "\nmax_payload: " + std::to_string(std::min(pending - kBesideAMessage, largest)) +
                     "\nping_interval: \"1h\"\n";
  if (!site.password.empty()) text += "authorization { token: " + quoted(site.password) + " }\n";
  return text;
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
  return folder_name(site);
}

std::optional<Said> nats_said(std::string_view answer) {
  const auto version = said_behind(answer, "\"version\":\"", "\"");
  const auto name = said_behind(answer, "\"server_name\":\"", "\"");
  if (!version || !name || answer.find("\r\nPONG\r\n") == std::string_view::npos) return std::nullopt;
  return Said{.version = *version, .mark = *name};
}

Result<void> check_rabbitmq(const std::map<std::string, std::string>& settings) {
  if (settings.empty()) return {};
  return fail(
      "a RabbitMQ server that is started for a run is as it is shipped, and can be given no setting; remove it, or use "
      "a "
      "server of your own");
}

// Nothing of the system's own server is read, nor what else the environment has. The name service of Erlang goes with
// the server, as a child that the kernel ends with it.
constexpr const char* kStartRabbit = R"(umask 077
command -v setpriv >/dev/null && command -v epmd >/dev/null || { echo 'setpriv and epmd are needed in PATH' >&2; exit 1; }
cat >advanced.config
: >rabbitmq.conf
echo '[].' >enabled_plugins
env -i PATH="$PATH" ERL_EPMD_PORT="$3" ERL_EPMD_ADDRESS=127.0.0.1 setpriv --pdeathsig KILL epmd </dev/null &
exec env -i PATH="$PATH" HOME="$PWD" LANG=C.UTF-8 ERL_EPMD_PORT="$3" ERL_EPMD_ADDRESS=127.0.0.1 ERL_CRASH_DUMP_SECONDS=0 \
  RABBITMQ_DIST_PORT="$4" RABBITMQ_NODENAME="$2@localhost" RABBITMQ_CONF_ENV_FILE=/dev/null \
  RABBITMQ_CONFIG_FILE="$PWD/rabbitmq.conf" RABBITMQ_CONFIG_FILES="$PWD/more/*.conf" \
  RABBITMQ_ADVANCED_CONFIG_FILE="$PWD/advanced.config" RABBITMQ_ENABLED_PLUGINS_FILE="$PWD/enabled_plugins" \
  RABBITMQ_MNESIA_BASE="$PWD/data" RABBITMQ_LOG_BASE="$PWD" RABBITMQ_LOGS=- RABBITMQ_PID_FILE="$PWD/pid" \
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1}' RABBITMQ_ALLOW_INPUT=1 \
  "$1" -noinput </dev/null)";

std::vector<std::string> rabbit_command(const Site& site, const std::string& program) {
  return {"/bin/sh",
          "-c",
          kStartRabbit,
          "sh",
          program,
          folder_name(site),
          std::to_string(site.more_ports.at(0)),
          std::to_string(site.more_ports.at(1))};
}

// As it is shipped but for who may come, and from where, and how large a message of later versions may be.
std::string rabbit_settings(const Site& site) {
  std::string text = "[{rabbit, [{tcp_listeners, [{" + quoted(host_of(site.listen)) + ", " +
                     std::to_string(site.listen.port()) + "}]}, {max_message_size, 134217728}";
  if (!site.password.empty())
    text += ", {default_user, <<\"n2nq\">>}, {default_pass, <<" + quoted(site.password) + ">>}, {loopback_users, []}";
  return text + "]}].\n";
}

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

std::optional<Said> rabbit_said(std::string_view answer) {
  const auto version = amqp_text(answer, "version");
  const auto cluster = amqp_text(answer, "cluster_name");
  if (!version || !cluster) return std::nullopt;
  return Said{.version = *version, .mark = cluster->substr(0, cluster->find('@'))};
}

Result<void> check_kafka(const std::map<std::string, std::string>& settings) {
  if (settings.empty()) return {};
  return fail(
      "a Kafka server that is started for a run is as it is shipped, and can be given no setting; remove it, or use a "
      "server of your own");
}

constexpr std::string_view kKafkaLibrary = "kafka-clients-";

bool has_kafka(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
    if (file.path().filename().string().starts_with(kKafkaLibrary)) return true;
  return false;
}

// The folder of its libraries: of a download, or as `n2nq-bench buses fetch kafka` makes it.
std::optional<std::string> find_kafka() {
  const auto variable = [](const char* name) {
    return std::string(std::getenv(name) != nullptr ? std::getenv(name) : "");
  };
  const std::string home = variable("KAFKA_HOME");
  const std::string data =
      variable("XDG_DATA_HOME").empty() ? variable("HOME") + "/.local/share" : variable("XDG_DATA_HOME");
  for (const std::string& folder :
       {home, data + "/n2nq/kafka", std::string("/opt/kafka"), std::string("/usr/share/kafka")})
    if (!folder.empty() && has_kafka(folder + "/libs")) return folder + "/libs";
  return std::nullopt;
}

// It does not say it, its libraries have it in their names.
std::string kafka_version(const std::string& folder) {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = file.path().stem().string();
    if (name.starts_with(kKafkaLibrary)) return name.substr(kKafkaLibrary.size());
  }
  return {};
}

// What it keeps is in the folder that it runs in. What programs of the Java machine leave elsewhere they do not leave.
constexpr const char* kStartKafka = R"(umask 077
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
command -v "$java" >/dev/null || { echo "java is not installed where the queue runs; install it there: sudo apt install default-jre-headless" >&2; exit 1; }
cat >server.properties
cat >log4j.properties <<'.'
log4j.rootLogger=INFO, stdout
log4j.appender.stdout=org.apache.log4j.ConsoleAppender
log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
log4j.appender.stdout.layout.ConversionPattern=[%d] %p %m (%c)%n
.
cat >log4j2.properties <<'.'
rootLogger.level = info
rootLogger.appenderRef.stdout.ref = stdout
appender.stdout.type = Console
appender.stdout.name = stdout
appender.stdout.layout.type = PatternLayout
appender.stdout.layout.pattern = [%d] %p %m (%c)%n
.
kafka() {
  class=$1 && shift
  exec env -i PATH="$PATH" HOME="$PWD" LANG=C.UTF-8 "$java" $memory -XX:-UsePerfData -Djava.awt.headless=true -Djava.io.tmpdir="$PWD"     -Dlog4j.configuration="file:$PWD/log4j.properties" -Dlog4j2.configurationFile="$PWD/log4j2.properties" -cp "$libraries/*" "$class" "$@"
}
libraries=$1 cluster=$2 memory=-XX:TieredStopAtLevel=1
(kafka kafka.tools.StorageTool format -t "$cluster" -c server.properties) >format.log 2>&1 || { cat format.log; exit 1; }
memory='-server -Xmx1G -Xms1G -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent'
kafka kafka.Kafka server.properties </dev/null)";

// Its name: 16 bytes in the digits of base64, the last of which has but two bits of them.
std::string kafka_cluster(const Site& site) {
  std::string name = "n2nqServer" + folder_name(site).substr(folder_name(site).rfind('-') + 1);
  name.resize(22, 'A');
  return name;
}

std::vector<std::string> kafka_command(const Site& site, const std::string& program) {
  return {"/bin/sh", "-c", kStartKafka, "sh", program, kafka_cluster(site)};
}

// As a file of Java's properties has a text.
std::string property(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += (c == '\\' ? "\\" : "") + std::string(1, c);
  return escaped;
}

// As it is shipped but for who may come, and from where, that it is alone, and that it does not wait for more
// receivers. Clients reach it by the address of the run, whatever name it has.
std::string kafka_settings(const Site& site) {
  const std::string controller = "127.0.0.1:" + std::to_string(site.more_ports.at(0));
  std::string text = R"(process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENTS
log.dirs=data
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=100
message.max.bytes=134217728
)";
  text += "controller.quorum.voters=1@" + controller + "\nlisteners=CLIENTS://" + site.listen.text() +
          ",CONTROLLER://" + controller +
          "\nadvertised.listeners=CLIENTS://n2nq:" + std::to_string(site.listen.port()) +
          "\nlistener.security.protocol.map=CONTROLLER:PLAINTEXT,CLIENTS:" +
          (site.password.empty() ? "PLAINTEXT\n" : "SASL_PLAINTEXT\n");
  if (site.password.empty()) return text;
  const std::string password = quoted(site.password);
  return text +
         "sasl.enabled.mechanisms=PLAIN\nsasl.mechanism.inter.broker.protocol=PLAIN\n"
         "listener.name.clients.plain.sasl.jaas.config=" +
         property("org.apache.kafka.common.security.plain.PlainLoginModule required username=\"n2nq\" password=" +
                  password + " user_n2nq=" + password + ";") +
         "\n";
}

std::string big_endian(size_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; i--) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

std::string kafka_request(int key, int version, const std::string& body) {
  const std::string whole = big_endian(static_cast<size_t>(key), 2) + big_endian(static_cast<size_t>(version), 2) +
                            big_endian(0, 4) + big_endian(4, 2) + "n2nq" + body;
  return big_endian(whole.size(), 4) + whole;
}

// A login, and which servers there are.
std::string kafka_question(const Site& site) {
  constexpr int kMetadata = 3, kSaslHandshake = 17, kSaslAuthenticate = 36;
  const std::string metadata = kafka_request(kMetadata, 2, big_endian(0, 4));
  if (site.password.empty()) return metadata;
  const std::string login = std::string("\0n2nq\0", 6) + site.password;
  return kafka_request(kSaslHandshake, 1, big_endian(5, 2) + "PLAIN") +
         kafka_request(kSaslAuthenticate, 0, big_endian(login.size(), 4) + login) + metadata;
}

// The name of the cluster comes behind those of its servers.
std::optional<Said> kafka_said(std::string_view answer) {
  const size_t at = answer.find("n2nqServer");
  if (at == std::string_view::npos || answer.size() < at + 22) return std::nullopt;
  return Said{.version = {}, .mark = std::string(answer.substr(at, 22))};
}

constexpr Recipe kRecipes[] = {
    {.kind = "redis",
     .title = "Redis",
     .program = "redis-server",
     .folder = "",
     .install = "sudo apt install redis-server",
     .more_ports = 0,
     .command = [](const Site&, const std::string& program) { return std::vector<std::string>{program, "-"}; },
     .input = redis_settings,
     .question = redis_question,
     .said = redis_said,
     .mark = [](const Site&, pid_t pid) { return std::to_string(pid); },
     .find = nullptr,
     .version = nullptr,
     .writes = false,
     .patience_ns = 6'000'000'000,
     .check = check_redis},
    {.kind = "nats",
     .title = "NATS",
     .program = "nats-server",
     .folder = "",
     .install = "sudo apt install nats-server",
     .more_ports = 0,
     .command = nats_command,
     .input = plain_nats_settings,
     .question = nats_question,
     .said = nats_said,
     .mark = nats_mark,
     .find = nullptr,
     .version = nullptr,
     .writes = false,
     .patience_ns = 6'000'000'000,
     .check = check_nats},
    {.kind = "jetstream",
     .title = "NATS with JetStream",
     .program = "nats-server",
     .folder = "",
     .install = "sudo apt install nats-server",
     .more_ports = 0,
     .command = nats_command,
     .input = jetstream_settings,
     .question = nats_question,
     .said = nats_said,
     .mark = nats_mark,
     .find = nullptr,
     .version = nullptr,
     .writes = true,
     .patience_ns = 6'000'000'000,
     .check = check_jetstream},
    {.kind = "rabbitmq",
     .title = "RabbitMQ",
     .program = "rabbitmq-server",
     .folder = "/usr/lib/rabbitmq/bin",  // what is in PATH as a rule wants to be its own user
     .install = "sudo apt install rabbitmq-server",
     .more_ports = 2,
     .command = rabbit_command,
     .input = rabbit_settings,
     .question = [](const Site&) { return std::string("AMQP\0\0\x09\x01", 8); },
     .said = rabbit_said,
     .mark = [](const Site& site, pid_t) { return folder_name(site); },
     .find = nullptr,
     .version = nullptr,
     .writes = true,
     .patience_ns = 50'000'000'000,
     .check = check_rabbitmq},
    {.kind = "kafka",
     .title = "Kafka",
     .program = "Kafka",
     .folder = "",
     .install = "n2nq-bench buses fetch kafka, or unpack a download to /opt/kafka (KAFKA_HOME says where else)",
     .more_ports = 1,
     .command = kafka_command,
     .input = kafka_settings,
     .question = kafka_question,
     .said = kafka_said,
     .mark = [](const Site& site, pid_t) { return kafka_cluster(site); },
     .find = find_kafka,
     .version = kafka_version,
     .writes = true,
     .patience_ns = 50'000'000'000,
     .check = check_kafka},
};

}  // namespace

const Recipe* find_recipe(std::string_view kind) {
  const auto found = std::ranges::find(kRecipes, kind, &Recipe::kind);
  return found == std::end(kRecipes) ? nullptr : &*found;
}

std::string recipe_names() {
  std::string names;
  for (const Recipe& recipe : kRecipes) names += (names.empty() ? "" : ", ") + std::string(recipe.kind);
  return names;
}

Result<std::string> find_program(const Recipe& recipe) {
  if (recipe.find != nullptr) {
    if (const auto found = recipe.find()) return *found;
    return fail(std::string(recipe.program) +
                " is not installed where the queue runs; install it there: " + std::string(recipe.install));
  }
  const char* path = std::getenv("PATH");
  // Where servers are that are no commands of everybody.
  const std::string folders =
      std::string(recipe.folder) + ":" + (path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin") + ":/usr/sbin";
  for (size_t at = 0; at < folders.size();) {
    const size_t end = std::min(folders.find(':', at), folders.size());
    const std::string file = folders.substr(at, end - at) + "/" + std::string(recipe.program);
    if (end > at && ::access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return fail(std::string(recipe.program) +
              " is not installed where the queue runs; install it there: " + std::string(recipe.install));
}

}  // namespace n2nq::serve
