#include "tests/helpers/bus_servers.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace n2nq::test {
namespace {

// One program is server and checker, by the name that it is called by. The package of the tools has it, too, and starts
// no service of the system.
std::string linked_redis(const TempDir& dir) {
  const auto link = dir / "redis-server";
  std::filesystem::create_symlink("/usr/bin/redis-check-rdb", link);
  return link.string();
}

// Where ./check unpacks the packages of servers, which would start services of the system.
std::string unpacked(const std::string& program) {
  const std::string file = N2NQ_TEST_SERVERS "/" + program;
  if (!std::filesystem::exists(file))
    throw std::runtime_error(file + " is missing; ./check puts it there, with or without a name of a test");
  return file;
}
constexpr const char* kNatsProgram = "usr/sbin/nats-server";
constexpr const char* kKafkaFolder = "kafka";
constexpr const char* kRabbitProgram = "usr/lib/rabbitmq/bin/rabbitmq-server";

// The settings of one of two servers that are a cluster.
std::string joined(const ReservedPort& own, const ReservedPort& other) {
  return "cluster { name: both, listen: \"127.0.0.1:" + std::to_string(own.number()) +
         "\", routes: [\"nats://127.0.0.1:" + std::to_string(other.number()) + "\"] }";
}

}  // namespace

void BusServer::start() {
  process_.emplace(arguments_);
  const auto ready =
      process_->wait_line([this](const std::string& line) { return line.find(ready_) != std::string::npos; }, 90s);
  if (!ready) throw std::runtime_error(arguments_[0] + " does not start: " + process_->out() + process_->err());
}

RedisServer::RedisServer(const Options& more, bool tls) : BusServer("Ready to accept connections") {
  arguments_ = {linked_redis(dir()),
                "--bind",
                "127.0.0.1",
                tls ? "--tls-port" : "--port",
                std::to_string(port()),
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                dir().path().string(),
                "--client-output-buffer-limit",
                "pubsub 0 0 0"};
  if (tls) arguments_.insert(arguments_.end(), {"--port", "0"});
  arguments_.insert(arguments_.end(), more.begin(), more.end());
  start();
}

std::string RedisServer::ask(const Options& command) const {
  std::vector<std::string> argv{"/usr/bin/redis-cli", "-h", "127.0.0.1", "-p", std::to_string(port())};
  argv.insert(argv.end(), command.begin(), command.end());
  std::string said = output_of(argv);
  while (said.ends_with('\n')) said.pop_back();
  return said;
}

int64_t RedisServer::calls(const std::string& command) const {
  const std::string all = ask({"INFO", "commandstats"});
  const std::string name = "cmdstat_" + command + ":calls=";
  const size_t at = all.find(name);
  return at == std::string::npos ? 0 : std::stoll(all.substr(at + name.size()));
}

NatsServer::NatsServer(const std::string& more) : BusServer("Server is ready") {
  const std::string place = "{folder}";
  std::string lines = more;
  if (const size_t at = lines.find(place); at != std::string::npos)
    lines.replace(at, place.size(), dir().path().string());
  const std::string file = (dir() / "nats.conf").string();
  std::ofstream(file) << "host: 127.0.0.1\nport: " << port() << "\nhttp: \"127.0.0.1:" << monitoring_.number()
                      << "\"\nlog_file: /dev/stdout\n"
                      << lines << "\n";
  arguments_ = {unpacked(kNatsProgram), "--config", file};
  start();
}

Json NatsServer::ask(const std::string& path) const {
  const std::string url = "http://127.0.0.1:" + std::to_string(monitoring_.number()) + "/" + path;
  return Json::parse(
      output_of({"/usr/bin/python3", "-c",
                 "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())", url}));
}

void JetStreamServer::remove_streams() const {
  const Json all = ask("jsz?streams=true");
  for (const Json& stream : all.at("account_details").at(0).at("stream_detail"))
    output_of({"/usr/bin/python3", "-c",
               "import socket, sys\n"
               "server = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
               "server.sendall(('CONNECT {\"verbose\":false}\\r\\nPUB $JS.API.STREAM.DELETE.%s 0\\r\\n\\r\\nPING\\r\\n'"
               " % sys.argv[2]).encode())\n"
               "lines = server.makefile()\n"
               "while lines.readline().strip() != 'PONG': pass",
               std::to_string(port()), stream.at("name").get<std::string>()});
}

HaProxy::HaProxy(const std::vector<uint16_t>& receivers) : BusServer("has no server available") {
  const std::string file = (dir() / "haproxy.cfg").string();
  std::ofstream out(file);
  out << "global\n  log stdout format raw local0\n  stats socket " << (dir() / "stats").string()
      << "\ndefaults\n  mode http\n  log global\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n"
         "  timeout tunnel 60s\nfrontend in\n  bind "
      << address() << " ssl crt " << certificates_.both()
      << " strict-sni\n  http-request deny unless { hdr(host) -m beg localhost: }\n  default_backend receivers\n"
         "backend receivers\n  balance roundrobin\n  option httpchk GET /health\n";
  for (size_t i = 0; i < receivers.size(); i++)
    out << "  server receiver" << i << " 127.0.0.1:" << receivers[i] << " check inter 100ms rise 1\n";
  out.close();
  arguments_ = {"/usr/sbin/haproxy", "-db", "-f", file};
  start();
}

int64_t HaProxy::count(size_t receiver, const std::string& what) const {
  return std::stoll(output_of({"/usr/bin/python3", "-c",
                               "import csv, io, socket, sys\n"
                               "asked = socket.socket(socket.AF_UNIX)\n"
                               "asked.connect(sys.argv[1])\n"
                               "asked.sendall(b'show stat\\n')\n"
                               "text = asked.makefile().read().lstrip('# ')\n"
                               "for row in csv.DictReader(io.StringIO(text)):\n"
                               "  if row['svname'] == sys.argv[2]: print(row[sys.argv[3]])",
                               (dir() / "stats").string(), "receiver" + std::to_string(receiver), what}));
}

NatsPair::NatsPair() : first(joined(one_, two_)), second(joined(two_, one_)) {
  for (NatsServer* each : {&first, &second})
    each->process().wait_line(
        [](const std::string& line) { return line.find("Route connection created") != std::string::npos; }, 20s);
}

// Erlang's name service ends with the server, as the kernel is asked to end it then.
RabbitServer::RabbitServer(const Certificates* tls)
    : BusServer(tls == nullptr ? "started TCP listener" : "started TLS (SSL) listener"),
      node_(dir().path().filename().string() + "@localhost") {
  const std::string folder = dir().path().string();
  std::ofstream(folder + "/rabbitmq.conf")
      << (tls == nullptr
              ? "listeners.tcp.1 = " + address()
              : "listeners.tcp = none\nlisteners.ssl.1 = " + address() + "\nssl_options.certfile = " + tls->server() +
                    "\nssl_options.keyfile = " + tls->key() + "\nssl_options.verify = verify_none")
      << "\nlog.console = true\nlog.console.level = info\nlog.file = false\n";
  std::ofstream(folder + "/enabled_plugins") << "[].\n";
  std::ofstream(folder + "/advanced.config") << "[].\n";
  const std::string programs = N2NQ_TEST_SERVERS "/usr/bin";
  arguments_ = {"/usr/bin/env",
                "HOME=" + folder,
                "PATH=" + programs + ":/usr/bin:/bin",
                "ERL_EPMD_ADDRESS=127.0.0.1",
                "ERL_EPMD_PORT=" + std::to_string(names_.number()),
                "RABBITMQ_DIST_PORT=" + std::to_string(nodes_.number()),
                "RABBITMQ_NODENAME=" + node_,
                "RABBITMQ_CONF_ENV_FILE=/dev/null",
                "RABBITMQ_CONFIG_FILE=" + folder + "/rabbitmq.conf",
                "RABBITMQ_ADVANCED_CONFIG_FILE=" + folder + "/advanced.config",
                "RABBITMQ_ENABLED_PLUGINS_FILE=" + folder + "/enabled_plugins",
                "RABBITMQ_MNESIA_BASE=" + folder + "/data",
                "RABBITMQ_LOG_BASE=" + folder,
                "RABBITMQ_LOGS=-",
                "RABBITMQ_PID_FILE=" + folder + "/pid",
                "RABBITMQ_ALLOW_INPUT=1",
                "/bin/sh",
                "-c",
                "setpriv --pdeathsig KILL epmd </dev/null >/dev/null 2>&1 & exec \"$0\" -noinput </dev/null",
                unpacked(kRabbitProgram)};
  start();
}

std::string RabbitServer::ask(const std::string& expression) const {
  return output_of({"/bin/sh", "-c",
                    "printf '%s.\\n' \"$5\" | ERL_EPMD_PORT=$1 HOME=$2 $3/usr/bin/erl_call -sname $4 -e", "sh",
                    std::to_string(names_.number()), dir().path().string(), N2NQ_TEST_SERVERS, node_, expression});
}

std::string RabbitServer::texts(const std::string& expression) const {
  const std::string said = ask("lists:flatten(lists:join(\"|\", lists:sort(" + expression + ")))");
  const size_t start = said.find('"'), end = said.rfind('"');
  if (start == end) return said.find("[]") == std::string::npos ? said : std::string();
  std::string lines = said.substr(start + 1, end - start - 1) + "\n";
  std::ranges::replace(lines, '|', '\n');
  return lines;
}

std::string RabbitServer::queues(const std::string& field) const {
  return texts(
      "[io_lib:format(\"~s ~p\", [N, V]) || [{_, {_, _, _, N}}, {_, V}] <- "
      "rabbit_amqqueue:info_all(<<\"/\">>, [name, " +
      field + "])]");
}

int64_t RabbitServer::count(const std::string& of) const {
  const std::string said =
      ask("lists:sum([maps:get(" + of + ", M, 0) || M <- maps:values(rabbit_global_counters:overview())])");
  return std::stoll(said.substr(said.find(' ')));
}

std::string RabbitServer::of_runs() const {
  return texts(
      "[binary_to_list(N) || <<\"n2nq\", _/binary>> = N <- [element(4, element(2, X)) || X <- "
      "rabbit_exchange:list(<<\"/\">>)] ++ [N || [{_, {_, _, _, N}}] <- "
      "rabbit_amqqueue:info_all(<<\"/\">>, [name])]]");
}

void RabbitServer::publish(const std::string& exchange, const std::string& key, const std::string& payload) const {
  output_of({"/usr/bin/amqp-publish", "--url", "amqp://" + address(), "-e", exchange, "-r", key, "-b", payload});
}

void RabbitServer::remove_queues() const {
  ask("[rabbit_amqqueue:delete(Q, false, false, <<\"test\">>) || Q <- rabbit_amqqueue:list(<<\"/\">>), "
      "binary:match(element(4, amqqueue:get_name(Q)), [<<\".queue.\">>, <<\".receiver.\">>]) =/= nomatch]");
}

KafkaServer::KafkaServer(const std::string& more, const Certificates* tls) : BusServer("Kafka Server started") {
  const std::string folder = dir().path().string();
  const std::string controller = "127.0.0.1:" + std::to_string(controller_.number());
  std::ofstream(folder + "/server.properties")
      << "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@" << controller
      << "\nlisteners=PLAINTEXT://" << address() << ",CONTROLLER://" << controller
      << "\nadvertised.listeners=PLAINTEXT://" << (tls == nullptr ? address() : address_by_name())
      << "\ncontroller.listener.names=CONTROLLER\nlistener.security.protocol.map=PLAINTEXT:"
      << (tls == nullptr ? "PLAINTEXT"
                         : "SSL,CONTROLLER:PLAINTEXT\nssl.keystore.type=PEM\nssl.keystore.location=" + tls->both() +
                               "\nssl.truststore.type=PEM\nssl.truststore.location=" + tls->authority() +
                               "\ninter.broker.listener.name=PLAINTEXT")
      << (tls == nullptr ? ",CONTROLLER:PLAINTEXT" : "") << "\nlog.dirs=" << folder
      << "/data\noffsets.topic.replication.factor=1\noffsets.topic.num.partitions=4\n"
         "transaction.state.log.replication.factor=1\ntransaction.state.log.min.isr=1\n"
         "transaction.abort.timed.out.transaction.cleanup.interval.ms=200\n"
         "group.initial.rebalance.delay.ms=0\ngroup.min.session.timeout.ms=100\nauto.create.topics.enable=false\n"
      << more << "\n";
  std::ofstream(folder + "/log4j.properties")
      << "log4j.rootLogger=INFO, stdout\nlog4j.appender.stdout=org.apache.log4j.ConsoleAppender\n"
         "log4j.appender.stdout.layout=org.apache.log4j.PatternLayout\n"
         "log4j.appender.stdout.layout.ConversionPattern=%p %m%n\n";
  arguments_ = {
      "/bin/sh",
      "-c",
      "cd \"$1\" && java=\"java -XX:-UsePerfData -XX:TieredStopAtLevel=1 "
      "-Dlog4j.configuration=file:$1/log4j.properties "
      "-Djava.io.tmpdir=$1 -cp $2/libs/*\" && set -f && "
      "$java kafka.tools.StorageTool format -t bjJucU9mQVRlc3RBQUFBQQ "
      "--ignore-formatted -c server.properties >/dev/null && exec $java -Xmx512m kafka.Kafka server.properties",
      "sh",
      folder,
      unpacked(kKafkaFolder)};
  start();
}

namespace {

std::string output_of_kafkas(const Options& program, const Options& arguments) {
  Options argv{"/usr/bin/java", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-cp",
               unpacked(kKafkaFolder) + "/libs/*"};
  argv.insert(argv.end(), program.begin(), program.end());
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return output_of(argv);
}

}  // namespace

std::string KafkaServer::ask(const std::string& program, const Options& arguments) const {
  return output_of_kafkas({program, "--bootstrap-server", address()}, arguments);
}

int64_t KafkaServer::messages_in(const std::string& topic) const {
  // A line for each partition: topic, number, and the offset behind its last.
  std::istringstream lines(ask("org.apache.kafka.tools.GetOffsetShell", {"--topic", topic}));
  int64_t count = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(topic + ":")) count += std::stoll(line.substr(line.rfind(':') + 1));
  return count;
}

namespace {

std::string lines_of_runs(const std::string& said) {
  std::istringstream lines(said);
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("n2nq.")) found += line + "\n";
  return found;
}

}  // namespace

std::string KafkaServer::topics_of_runs() const {
  return lines_of_runs(ask("org.apache.kafka.tools.TopicCommand", {"--list"}));
}

std::string KafkaServer::of_runs() const {
  return topics_of_runs() + lines_of_runs(ask("kafka.admin.ConsumerGroupCommand", {"--list"}));
}

std::string KafkaServer::topic_of_run() const {
  const std::string there = topics_of_runs();
  return there.substr(0, there.find('\n'));
}

void KafkaServer::produce(const std::string& topic, const std::string& payload) const {
  output_of({"/bin/sh", "-c",
             "printf '%s\\n' \"$1\" | java -XX:-UsePerfData -XX:TieredStopAtLevel=1 -cp \"$2/libs/*\" "
             "kafka.tools.ConsoleProducer --bootstrap-server $3 --topic $4",
             "sh", payload, unpacked(kKafkaFolder), address(), topic});
}

void KafkaServer::remove(const std::string& topic) const {
  ask("org.apache.kafka.tools.TopicCommand", {"--delete", "--topic", topic});
}

std::string KafkaServer::dump(const std::string& topics, const Options& how) const {
  const Deadline deadline(30s);
  while (true) {
    std::string files;
    try {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(dir() / "data"))
        if (entry.path().extension() == ".log" && entry.path().parent_path().filename().string().starts_with(topics))
          files += (files.empty() ? "" : ",") + entry.path().string();
      return output_of_kafkas({"kafka.tools.DumpLogSegments", "--files", files}, how);
    } catch (const std::exception&) {  // the folders of a topic that is being removed get other names meanwhile
      if (deadline.passed()) throw;
    }
  }
}

KafkaServer::Counts KafkaServer::counts() const {
  Counts all;
  // "baseOffset: 0 lastOffset: 4 count: 5 ...", one for each batch.
  std::istringstream batches(dump("n2nq.", {}));
  for (std::string line; std::getline(batches, line);)
    if (const size_t at = line.find(" count: "); at != std::string::npos)
      all.messages += std::stoll(line.substr(at + 8));
  // "... key: offset_commit::group=n2nq.1.receivers,partition=n2nq.1-0 payload: offset=5", of which the last counts.
  std::map<std::string, int64_t> committed;
  std::istringstream commits(dump("__consumer_offsets-", {"--offsets-decoder"}));
  const std::string key = "key: offset_commit::", value = " payload: offset=";
  for (std::string line; std::getline(commits, line);) {
    const size_t at = line.find(key), behind = line.find(value);
    if (at != std::string::npos && behind != std::string::npos)
      committed[line.substr(at, behind - at)] = std::stoll(line.substr(behind + value.size()));
  }
  for (const auto& [partition, offset] : committed) all.committed += offset;
  return all;
}

RelayServer::RelayServer(const std::string& token) : BusServer("takes connections at") {
  arguments_ = {N2NQ_BUILT_BIN_DIR "/n2nq-broker", "relay", "--listen", address()};
  if (token.empty()) {
    arguments_.emplace_back("--insecure-no-token");
  } else {
    const std::string file = (dir() / "token").string();
    std::ofstream(file) << token << "\n";
    arguments_.insert(arguments_.end(), {"--token-file", file});
  }
  start();
}

std::unique_ptr<BusServer> tls_server(std::string_view kind, const Certificates& certificates) {
  if (kind == "redis")
    return std::make_unique<RedisServer>(
        Options{"--tls-cert-file", certificates.server(), "--tls-key-file", certificates.key(), "--tls-ca-cert-file",
                certificates.authority(), "--tls-auth-clients", "no"},
        /*tls=*/true);
  if (kind == "kafka") return std::make_unique<KafkaServer>("", &certificates);
  if (kind == "rabbitmq") return std::make_unique<RabbitServer>(&certificates);
  return std::make_unique<NatsServer>("tls { cert_file: \"" + certificates.server() + "\", key_file: \"" +
                                      certificates.key() + "\" }\njetstream { store_dir: \"{folder}\" }");
}

std::unique_ptr<BusServer> new_server(std::string_view kind) {
  if (kind == "redis") return std::make_unique<RedisServer>(Options{"--appendonly", "yes", "--appendfsync", "always"});
  if (kind == "jetstream") return std::make_unique<JetStreamServer>();
  if (kind == "rabbitmq") return std::make_unique<RabbitServer>();
  if (kind == "kafka") return std::make_unique<KafkaServer>();
  throw std::runtime_error("no test has a new server of the kind " + std::string(kind));
}

BusServer& shared_server(std::string_view kind) {
  const auto lasting = [](BusServer& server) -> BusServer& {
    let_last(server.process().pid());
    server.process().drain();
    return server;
  };
  if (kind == "redis") {
    static RedisServer server;
    return lasting(server);
  }
  if (kind == "jetstream") {
    static JetStreamServer server;
    return lasting(server);
  }
  if (kind == "kafka") {
    static KafkaServer server("message.max.bytes=20000000");
    return lasting(server);
  }
  if (kind == "rabbitmq") {
    static RabbitServer server;
    return lasting(server);
  }
  if (kind == "relay") {
    static RelayServer server;
    return lasting(server);
  }
  if (kind != "nats") throw std::runtime_error("no test has a server of the kind " + std::string(kind));
  static NatsServer server;
  return lasting(server);
}

void put_servers_into_path() {
  static const TempDir dir;
  static const bool done = [] {
    linked_redis(dir);
    // A Kafka that lives for seconds would compile its own code for most of them.
    std::ofstream(dir / "java") << "#!/bin/sh\nexec /usr/bin/java -XX:TieredStopAtLevel=1 \"$@\"\n";
    std::filesystem::permissions(dir / "java", std::filesystem::perms(0755));
    std::filesystem::create_symlink(unpacked(kNatsProgram), dir / "nats-server");
    // RabbitMQ is looked for beside its own scripts, and finds Erlang in PATH.
    const std::string rabbit = std::filesystem::path(unpacked(kRabbitProgram)).parent_path();
    const std::string erlang = N2NQ_TEST_SERVERS "/usr/bin";
    const std::string path = dir.path().string() + ":" + rabbit + ":" + erlang + ":" + std::getenv("PATH");
    return ::setenv("PATH", path.c_str(), 1) == 0 && ::setenv("KAFKA_HOME", unpacked(kKafkaFolder).c_str(), 1) == 0;
  }();
  if (!done) throw std::runtime_error("PATH cannot be set");
}

}  // namespace n2nq::test
