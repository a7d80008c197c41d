#include "broker/serve/kafka_server.h"

#include <cstdlib>
#include <filesystem>

namespace n2nq::serve {
namespace {

constexpr std::string_view kKafkaServer = "kafka_";  // and what it was compiled for
constexpr std::string_view kKafkaLibrary = "kafka-clients-";
constexpr std::string_view kClusterBegins = "n2nqServer";
constexpr size_t kClusterDigits = 22;  // of 16 bytes

bool has_kafka(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
    if (file.path().filename().string().starts_with(kKafkaServer)) return true;
  return false;
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
  exec env -i PATH="$PATH" HOME="$PWD" LANG=C.UTF-8 "$java" $memory -XX:-UsePerfData -Djava.awt.headless=true -Djava.io.tmpdir="$PWD" \
    -Dlog4j.configuration="file:$PWD/log4j.properties" -Dlog4j2.configurationFile="$PWD/log4j2.properties" -cp "$libraries/*" "$class" "$@"
}
libraries=$1 cluster=$2 memory=-XX:TieredStopAtLevel=1
(kafka kafka.tools.StorageTool format -t "$cluster" -c server.properties) >format.log 2>&1 || { cat format.log; exit 1; }
memory='-server -Xmx1G -Xms1G -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent'
kafka kafka.Kafka server.properties </dev/null)";

// As a file of Java's properties has a text.
std::string property(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += (c == '\\' ? "\\" : "") + std::string(1, c);
  return escaped;
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

}  // namespace

Result<void> check_kafka(const std::map<std::string, std::string>& settings) {
  if (settings.empty()) return {};
  return fail(
      "a Kafka server that is started for a run is as it is shipped, and can be given no setting; remove it, or use a "
      "server of your own");
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
    if (!folder.empty() && has_kafka(folder + "/libs")) return std::filesystem::absolute(folder).string() + "/libs";
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

// Its name: 16 bytes in the digits of base64, the last of which has but two bits of them.
std::string kafka_cluster(const Site& site) {
  std::string name = std::string(kClusterBegins) + site.name().substr(site.name().rfind('-') + 1);
  name.resize(kClusterDigits, 'A');
  return name;
}

std::vector<std::string> kafka_command(const Site& site, const std::string& program) {
  return {"/bin/sh", "-c", kStartKafka, "sh", program, kafka_cluster(site)};
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
socket.request.max.bytes=209715200
)";
  const std::string protocol = site.password.empty() ? "PLAINTEXT" : "SASL_PLAINTEXT";
  text += "controller.quorum.voters=1@" + controller + "\nlisteners=CLIENTS://" + site.listen.text() +
          ",CONTROLLER://" + controller +
          "\nadvertised.listeners=CLIENTS://n2nq:" + std::to_string(site.listen.port()) +
          "\nlistener.security.protocol.map=CONTROLLER:" + protocol + ",CLIENTS:" + protocol + "\n";
  if (site.password.empty()) return text;
  const std::string password = quoted(site.password);
  const std::string login = property(
      "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"n2nq\" password=" + password +
      " user_n2nq=" + password + ";");
  return text +
         "sasl.enabled.mechanisms=PLAIN\nsasl.mechanism.inter.broker.protocol=PLAIN\n"
         "sasl.mechanism.controller.protocol=PLAIN\n"
         "listener.name.clients.plain.sasl.jaas.config=" +
         login + "\nlistener.name.controller.plain.sasl.jaas.config=" + login + "\n";
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
  const size_t at = answer.find(kClusterBegins);
  if (at == std::string_view::npos || answer.size() < at + kClusterDigits) return std::nullopt;
  return Said{.version = {}, .mark = std::string(answer.substr(at, kClusterDigits))};
}

}  // namespace n2nq::serve
