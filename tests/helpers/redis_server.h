// A Redis server of a test's own: the distribution's program on a free port of the loopback address, with a folder that
// goes with it. One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/helpers/process.h"
#include "tests/helpers/run.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::test {

class RedisServer {
 public:
  // `more`: its options beyond those that leave it nothing to keep, and no subscriber cut off.
  explicit RedisServer(const Options& more = {});

  uint16_t port() const { return port_.number(); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port()); }
  Process& process() { return *process_; }
  void start();
  // What redis-cli says to this command.
  std::string ask(const Options& command) const;
  // How often it has carried out a command, by its own count.
  int64_t calls(const std::string& command) const;

  // One for all tests of this program; not among processes_left().
  static RedisServer& shared();

 private:
  TempDir dir_;
  ReservedPort port_;
  std::vector<std::string> arguments_;
  std::optional<Process> process_;
};

// From now on programs that this one starts find a redis-server in PATH.
void put_redis_into_path();

}  // namespace n2nq::test
