#include "tests/helpers/bus_servers.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
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
constexpr const char* kRabbitProgram = "usr/lib/rabbitmq/bin/rabbitmq-server";

}  // namespace

void BusServer::start() {
  process_.emplace(arguments_);
  const auto ready =
      process_->wait_line([this](const std::string& line) { return line.find(ready_) != std::string::npos; }, 90s);
  if (!ready) throw std::runtime_error(arguments_[0] + " does not start: " + process_->out() + process_->err());
}

RedisServer::RedisServer(const Options& more) : BusServer("Ready to accept connections") {
  arguments_ = {linked_redis(dir()),
                "--bind",
                "127.0.0.1",
                "--port",
                std::to_string(port()),
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                dir().path().string(),
                "--client-output-buffer-limit",
                "pubsub 0 0 0"};
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

// Erlang's name service ends with the server, as the kernel is asked to end it then.
RabbitServer::RabbitServer()
    : BusServer("started TCP listener"), node_(dir().path().filename().string() + "@localhost") {
  const std::string folder = dir().path().string();
  std::ofstream(folder + "/rabbitmq.conf")
      << "listeners.tcp.1 = " << address() << "\nlog.console = true\nlog.console.level = info\nlog.file = false\n";
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

BusServer& shared_server(std::string_view kind) {
  const auto lasting = [](BusServer& server) -> BusServer& {
    let_last(server.process().pid());
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
  if (kind == "rabbitmq") {
    static RabbitServer server;
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
    std::filesystem::create_symlink(unpacked(kNatsProgram), dir / "nats-server");
    // RabbitMQ is looked for beside its own scripts, and finds Erlang in PATH.
    const std::string rabbit = std::filesystem::path(unpacked(kRabbitProgram)).parent_path();
    const std::string erlang = N2NQ_TEST_SERVERS "/usr/bin";
    const std::string path = dir.path().string() + ":" + rabbit + ":" + erlang + ":" + std::getenv("PATH");
    return ::setenv("PATH", path.c_str(), 1) == 0;
  }();
  if (!done) throw std::runtime_error("PATH cannot be set");
}

}  // namespace n2nq::test
