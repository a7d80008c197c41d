#include "broker/serve/kafka_server.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace n2nq::serve {
namespace {

constexpr std::string_view kKafkaServer = "kafka_";  // and what it was compiled for
constexpr std::string_view kKafkaLibrary = "kafka-clients-";
constexpr std::string_view kClusterBegins = "n2nqServer";
constexpr size_t kClusterDigits = 22;  // of 16 bytes

bool has_kafka(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
    if (file.path().filename().string().starts_with(kKafkaServer) && file.path().extension() == ".jar") return true;
  return false;
}

// What it keeps is in the folder that it runs in. What programs of the Java machine leave elsewhere they do not leave.
constexpr const char* kStartKafka = R"(umask 077
[ -d "$1" ] || { echo "there is no Kafka in $1; give an image in bus.image that has it there, as apache/kafka does" >&2; exit 1; }
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
command -v "$java" >/dev/null || { echo "java is not in PATH, there or in the image of bus.image; where the server is to run without one, install it: sudo apt install default-jre-headless" >&2; exit 1; }
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
  std::string name = std::string(kClusterBegins) + site.cluster().substr(site.cluster().rfind('-') + 1);
  name.resize(kClusterDigits, 'A');
  return name;
}

std::vector<std::string> kafka_command(const Site& site, const std::string& program) {
  return {"/bin/sh", "-c", kStartKafka, "sh", program, kafka_cluster(site)};
}

// As it is shipped but for who may come, and from where, who is in its cluster, and that it does not wait for more
// receivers. Clients reach it by the address of the run, whatever name it has, and its own kind by ports of their own.
std::string kafka_settings(const Site& site) {
  const Site::Member& own = site.members[site.index];
  const std::string controller = site.bound(site.more_ports.at(0)), broker = site.bound(site.more_ports.at(1));
  const std::string copies = std::to_string(std::min<size_t>(site.members.size(), 3));  // as it is shipped
  std::string voters;
  for (size_t i = 0; i < site.members.size(); i++)
    voters += (i == 0 ? "" : ",") + std::to_string(i + 1) + "@" +
              site.reached(site.members[i], site.members[i].more_ports.at(0));
  std::string text = R"(process.roles=broker,controller
controller.listener.names=CONTROLLER
inter.broker.listener.name=SERVERS
log.dirs=data
auto.create.topics.enable=false
offsets.topic.num.partitions=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=100
message.max.bytes=134217728
socket.request.max.bytes=209715200
)";
  const std::string protocol = site.password.empty() ? "PLAINTEXT" : "SASL_PLAINTEXT";
  text += "node.id=" + std::to_string(site.index + 1) + "\noffsets.topic.replication.factor=" + copies +
          "\ntransaction.state.log.replication.factor=" + copies + "\ncontroller.quorum.voters=" + voters +
          "\nlisteners=CLIENTS://" + site.listen.text() + ",SERVERS://" + broker + ",CONTROLLER://" + controller +
          "\nadvertised.listeners=CLIENTS://n2nq:" + std::to_string(site.listen.port()) + ",SERVERS://" +
          site.reached(own, site.more_ports.at(1)) + "\nlistener.security.protocol.map=CONTROLLER:" + protocol +
          ",SERVERS:" + protocol + ",CLIENTS:" + protocol + "\n";
  if (site.password.empty()) return text;
  const std::string password = quoted(site.password);
  const std::string login = property(
      "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"n2nq\" password=" + password +
      " user_n2nq=" + password + ";");
  text +=
      "sasl.enabled.mechanisms=PLAIN\nsasl.mechanism.inter.broker.protocol=PLAIN\n"
      "sasl.mechanism.controller.protocol=PLAIN\n";
  for (const char* listener : {"clients", "servers", "controller"})
    text += "listener.name." + std::string(listener) + ".plain.sasl.jaas.config=" + login + "\n";
  return text;
}

namespace {

// A login, and a question for what it knows of these topics.
std::string metadata_question(const Site& site, const std::string& topics) {
  constexpr int kMetadata = 3, kSaslHandshake = 17, kSaslAuthenticate = 36;
  const std::string metadata = kafka_request(kMetadata, 2, topics);
  if (site.password.empty()) return metadata;
  const std::string login = std::string("\0n2nq\0", 6) + site.password;
  return kafka_request(kSaslHandshake, 1, big_endian(5, 2) + "PLAIN") +
         kafka_request(kSaslAuthenticate, 0, big_endian(login.size(), 4) + login) + metadata;
}

// Reads what a server sent; what is behind its end is nothing.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  int64_t number(size_t bytes) {
    int64_t value = 0;
    for (const char c : take(bytes)) value = value << 8 | static_cast<uint8_t>(c);
    return bytes == 2 ? static_cast<int16_t>(value) : static_cast<int32_t>(value);
  }
  std::string_view text() {
    const int64_t length = number(2);
    return take(length < 0 ? 0 : static_cast<size_t>(length));
  }
  std::string_view take(size_t bytes) {
    good_ = good_ && bytes <= bytes_.size();
    if (!good_) return {};
    const std::string_view taken = bytes_.substr(0, bytes);
    bytes_.remove_prefix(bytes);
    return taken;
  }
  bool good() const { return good_; }
  bool over() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

struct Metadata {
  size_t servers = 0;
  std::string cluster{};
  std::map<int64_t, size_t> leads{};  // how many partitions, by the number of who does
};

// The last that it answers, in the second version.
std::optional<Metadata> metadata_in(std::string_view answer) {
  Reader frames(answer);
  std::string_view last;
  while (frames.good() && !frames.over()) last = frames.take(static_cast<size_t>(frames.number(4)) & 0xffffffff);
  if (!frames.good() || last.find(kClusterBegins) == std::string_view::npos) return std::nullopt;
  Reader reader(last);
  reader.number(4);  // which request it answers
  Metadata said{.servers = static_cast<size_t>(reader.number(4))};
  for (size_t i = 0; i < said.servers && reader.good(); i++) {
    reader.number(4);
    reader.text();
    reader.number(4);
    reader.text();  // its rack
  }
  said.cluster = reader.text();
  reader.number(4);  // its controller
  for (int64_t topics = reader.number(4); topics > 0 && reader.good(); topics--) {
    reader.number(2);
    reader.text();
    const bool internal = reader.take(1) != std::string_view("\0", 1);
    for (int64_t parts = reader.number(4); parts > 0 && reader.good(); parts--) {
      reader.number(2);
      reader.number(4);
      if (const int64_t leader = reader.number(4); leader >= 0 && !internal) said.leads[leader]++;
      for (int list = 0; list < 2; list++)  // all copies, and those in step
        for (int64_t copies = reader.number(4); copies > 0 && reader.good(); copies--) reader.number(4);
    }
  }
  return reader.good() ? std::optional(said) : std::nullopt;
}

}  // namespace

std::string kafka_question(const Site& site) {
  return metadata_question(site, big_endian(0, 4));
}

std::optional<Said> kafka_said(std::string_view answer) {
  const auto said = metadata_in(answer);
  if (!said) return std::nullopt;
  return Said{.version = {}, .mark = said->cluster, .servers = said->servers};
}

std::string kafka_leader_question(const Site& site) {
  return metadata_question(site, std::string(4, '\xff'));  // all topics
}

std::optional<size_t> kafka_leader(const Site&, std::string_view answer) {
  const auto said = metadata_in(answer);
  if (!said || said->leads.empty()) return std::nullopt;
  const auto most = std::ranges::max_element(said->leads, {}, [](const auto& one) { return one.second; });
  return static_cast<size_t>(most->first - 1);
}

}  // namespace n2nq::serve
