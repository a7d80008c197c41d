#include "tests/helpers/redis_server.h"

#include <cstdlib>
#include <stdexcept>

namespace n2nq::test {
namespace {

// One program is server and checker, by the name that it is called by. The package of the tools has it, too, and starts
// no service of the system.
std::string linked_program(const TempDir& dir) {
  const auto link = dir / "redis-server";
  std::filesystem::create_symlink("/usr/bin/redis-check-rdb", link);
  return link.string();
}

}  // namespace

RedisServer::RedisServer(const Options& more)
    : arguments_{linked_program(dir_),
                 "--bind",
                 "127.0.0.1",
                 "--port",
                 std::to_string(port_.number()),
                 "--save",
                 "",
                 "--appendonly",
                 "no",
                 "--dir",
                 dir_.path().string(),
                 "--client-output-buffer-limit",
                 "pubsub 0 0 0"} {
  arguments_.insert(arguments_.end(), more.begin(), more.end());
  start();
}

void RedisServer::start() {
  process_.emplace(arguments_);
  const auto ready = process_->wait_line(
      [](const std::string& line) { return line.find("Ready to accept connections") != std::string::npos; }, 20s);
  if (!ready) throw std::runtime_error("redis-server does not start: " + process_->out() + process_->err());
}

std::string RedisServer::ask(const Options& command) const {
  std::vector<std::string> argv{"/usr/bin/redis-cli", "-h", "127.0.0.1", "-p", std::to_string(port_.number())};
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

void put_redis_into_path() {
  static const TempDir dir;
  static const bool done = [] {
    linked_program(dir);
    return ::setenv("PATH", (dir.path().string() + ":" + std::getenv("PATH")).c_str(), 1) == 0;
  }();
  if (!done) throw std::runtime_error("PATH cannot be set");
}

RedisServer& RedisServer::shared() {
  static RedisServer server;
  let_last(server.process().pid());
  return server;
}

}  // namespace n2nq::test
